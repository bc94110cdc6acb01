// What a conversation needs: fetched with the page in Today, and after whatever else an address shows.

import * as conversation from "/ui/conversation.js";
import { sources, spoken, written } from "/ui/citations.js";
import { strip } from "/ui/today.js";
import { welcome } from "/ui/welcome.js";
import "/ui/entry.js";

const talk = { ...conversation, sources, spoken, strip, welcome, written };

export { talk as default };
