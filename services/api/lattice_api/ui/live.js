// What changes elsewhere: one stream of it while the page is seen, so that every open tab follows. A hidden tab holds no connection
// (a browser has six for all tabs together), and hears of what it missed when it is looked at again.

import { events, quoted, request } from "/ui/api.js";

const AGAIN = 5_000; // ms after a stream broke off
const REST = 300; // ms in which several changes are one

/** Calls `changed` {memories, conversation} whenever something did, through whatever door, and `broken` when nothing can be heard. */
export function follow(changed, broken) {
  let since = "";
  let open = null;
  let timer = 0;
  let all = {};

  const tell = (what) => {
    all = { memories: all.memories || what.memories, conversation: all.conversation || what.conversation };
    clearTimeout(timer);
    timer = setTimeout(() => {
      changed(all);
      all = {};
    }, REST);
  };

  const listen = async () => {
    if (open || document.hidden) return;
    const mine = (open = new AbortController());
    try {
      const response = await request("GET", `/api/changes?since=${quoted(since)}`, { signal: mine.signal });
      for await (const { event, data } of events(response)) {
        const first = !since;
        since = data.mark;
        if (event === "changed" && !first) tell(data);
      }
    } catch (problem) {
      if (problem.status === 401) return; // on the way to the login page
    }
    if (open === mine) {
      open = null;
      broken();
    }
    setTimeout(listen, AGAIN); // it ended, and nobody closed it: Lattice was stopped, or the network is gone
  };

  document.addEventListener("visibilitychange", () => {
    if (!document.hidden) return void listen();
    open?.abort();
    open = null;
  });
  void listen();
}
