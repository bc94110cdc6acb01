"""What the bot says, from what the API answered: short, in the product's words, and with nothing that anybody wrote as markup."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from lattice_common.api_schema.conversation import TurnReply
from lattice_common.api_schema.replies import AtomReply, CaptureReply, ReviewPairReply
from lattice_common.api_schema.server import StatusReply
from lattice_common.api_schema.usage import BriefingReply
from lattice_common.client_replies import Json

from lattice_bot.rich import Rich, apart, defanged, joined, marked

SHOWN_MEMORIES = 5
LONGEST_QUOTE = 160
LONGEST_LINE = 60
TOPICS = 5

AWAY = "Lattice is away. This waits in the inbox; I say so here once it is remembered."
AWAY_ASKED = "Lattice is away. I answer this when it is back."
AWAY_PRESSED = "Lattice is away. This is done when it is back."
AWAY_COMMAND = "Lattice is away. Send this again when it is back. What you tell me meanwhile is kept, and remembered then."
AWAY_EDIT = "Lattice is away. I correct this when it is back."
VOICE = "I cannot listen to voice messages yet, so nothing was kept of this one. Type it, or dictate with your keyboard."
NOT_READ = "I cannot read this kind of message yet, so nothing was kept of it. Send words, or a file as a document."
PICTURES = "I cannot read pictures yet, so nothing was kept of these. If they show pages, send them as one PDF document."
PICTURE = "I cannot read pictures yet, so nothing was kept of this one. If it shows a page, send it as a PDF document."
TOO_LARGE = (
    "Telegram gives bots files of up to 20 MB, and this one is larger: nothing was kept of it. "
    "Put it into the inbox folder, or give it to `lc` or the page."
)
PAIRED_ALREADY = "This is your Lattice already. There is nothing to pair."
PAIRED = "This is your Lattice. Tell me things to remember, and ask me about them. /status shows how it is."
HELP = (
    "Tell me anything to remember it; end with a ? to ask. Send documents to have them read; edit a message to correct it.\n\n"
    "/ask … asks, /save … remembers, whatever it looks like\n/sources shows what the last answer rests on\n"
    "/journey draws today's topics, /status says how it all is\n"
    "/reset begins a new conversation\n/undo takes the last thing back\n/forget … looks for what to put into the trash"
)
COMMANDS = (
    ("ask", "Ask, whatever it looks like"),
    ("save", "Remember, whatever it looks like"),
    ("sources", "What the last answer rests on"),
    ("journey", "The topics of today"),
    ("status", "How it all is"),
    ("reset", "Begin a new conversation"),
    ("undo", "Take the last thing back"),
    ("forget", "Put something into the trash"),
    ("help", "What I can do"),
)
"""What Telegram offers behind a `/`."""


INCOMPLETE = "Searched without"
"""How a warning of the API begins that says what an answer may miss; the others are said in words of the bot's own."""

_PARTS = {"dense": "Search by meaning", "lexical": "Search by words", "graph": "Links between memories"}


def stored(reply: CaptureReply, memories: Sequence[str]) -> Rich:
    """Return what became of one message."""
    if reply["state"] == "dead":
        return Rich(f"Kept, but it could not be read: {reply['reason']}")
    if reply["state"] == "rejected" and any(note.startswith("unreadable:") for note in reply["notes"]):
        return Rich(f"Not read. {reply['reason']}")
    lines = list[Rich]()
    new = reply["atoms_new"]
    if new == 1 and memories:
        lines.append(Rich("Remembered: ") + defanged(memories[0]))
    elif new:
        lines.append(Rich(f"Remembered {new} things:"))
        lines += [Rich("· ") + defanged(each) for each in memories]
        lines += [Rich(f"… and {new - len(memories)} more")] if new > len(memories) else []
    elif reply["duplicates_skipped"]:
        lines.append(Rich("Already known."))
    elif not reply["rejected"]:
        lines.append(Rich("Nothing to remember in that."))
    if reply["atoms_updated"]:
        lines.append(Rich(f"{_counted(reply['atoms_updated'], 'older memory', 'older memories')} replaced."))
    if reply["rejected"]:
        lines.append(
            Rich(f"Set aside: {_counted(reply['rejected'], 'statement', 'statements')} that your words do not bear out.")
        )
    return joined(lines)


def morning(found: BriefingReply) -> Rich:
    """Return what a day begins with; nothing where there is nothing to say."""
    lines = list[Rich]()
    for each in found["due"]:
        on = "Today" if each["on"] == found["day"] else str(each["on"])
        how = {"end": " (until then)", "yearly": " (every year)"}.get(str(each["by"]), "")
        lines.append(Rich(f"· {on}: ") + _line_of(each["atom"]) + how)
    for now in found["answerable"]:
        lines.append(Rich("· You asked: ") + defanged(_short(now["question"], LONGEST_LINE)) + " Now: " + _line_of(now["atom"]))
    for then in found["on_this_day"][:SHOWN_MEMORIES]:
        ago = "A year" if then["years"] == 1 else f"{then['years']} years"
        lines.append(Rich(f"· {ago} ago: ") + _line_of(then["atom"]))
    if (idea := found["idea"]) is not None:
        lines.append(Rich("· An idea: ") + _line_of(idea["atom"]))
        lines += [Rich("  because: ") + _line_of(atom) for atom in idea["because"]]
    waiting = found["in_review"] + found["disagreeing"] + found["to_correct"]
    if waiting and lines:
        lines.append(Rich(f"· {_counted(waiting, 'memory waits', 'memories wait')} for your word: lattice review"))
    return joined([marked("Good morning.", "bold"), *lines]) if lines else Rich("")


def _line_of(atom: AtomReply) -> Rich:
    return defanged(_short(str(atom["content"]), LONGEST_QUOTE))


def still_so(pair: ReviewPairReply) -> Rich:
    """Ask of a memory whether it holds beside what was just told."""
    older = pair["older"]
    return defanged(_short(str(older["content"]), LONGEST_QUOTE)) + f"{_day(str(older['observed_at']))}\n{pair['question']}"


def stored_many(replies: Sequence[CaptureReply]) -> Rich:
    """Return what became of several messages, where one after the other would be a flood."""
    new = sum(each["atoms_new"] for each in replies)
    updated = sum(each["atoms_updated"] for each in replies)
    aside = sum(each["rejected"] for each in replies)
    known = sum(each["duplicates_skipped"] for each in replies)
    dead = sum(each["state"] == "dead" for each in replies)
    parts = [f"{_counted(new, 'thing', 'things')} remembered"]
    parts += [f"{known} known already"] if known else []
    parts += [f"{updated} replaced"] if updated else []
    parts += [f"{aside} set aside"] if aside else []
    parts += [f"{dead} kept that could not be read"] if dead else []
    return Rich(f"{len(replies)} messages: {', '.join(parts)}.")


def taken(words: str, memories: Sequence[str]) -> Rich:
    """Return what was taken back, or brought back: by its words, where it is one."""
    if len(memories) == 1:
        return Rich(f"{words}: ") + defanged(_short(memories[0], LONGEST_QUOTE))
    return Rich(f"{words}: {len(memories)} memories." if memories else f"{words}.")


def answer(final: Json, took_ms: float) -> Rich:
    """Return the answer, its numbered citations, what is doubted in it, and a line on how it came about."""
    whole = defanged(str(final["answer"]))
    if final["citations"]:
        cited = [
            f"{each['n']} · {apart(_short(each['quote'], LONGEST_QUOTE))}{_day(each['observed_at'])}"
            for each in final["citations"]
        ]
        whole = whole + "\n\n" + marked("\n".join(cited), "expandable_blockquote")
    doubts = final.get("unsupported") or []
    if doubts:
        whole = whole + f"\n\nNot borne out by what it cites: {_counted(len(doubts), 'sentence', 'sentences')}."
    for pair in final.get("disagreements") or []:
        other = pair["disagrees_with"]
        origin = (other.get("metadata") or {}).get("title") or other.get("source_id") or "Something else"
        whole = whole + "\n\n" + defanged(str(origin)) + " says otherwise: " + _line_of(other)
    for warning in final.get("warnings") or []:
        if str(warning).startswith(INCOMPLETE):
            whole = whole + "\n\n" + marked(apart(str(warning)), "italic")
    if final["answered"]:
        by = f"written by {final['model']}" if final.get("used_llm") and final.get("model") else "quoted"
        seconds = f"{took_ms / 1000:.1f} s" if took_ms >= 1000 else f"{took_ms:.0f} ms"
        sources = _counted(len(final["citations"]), "memory", "memories")
        whole = whole + "\n\n" + marked(f"{sources} · {by} · {seconds}", "italic")
    return whole


def memory(atom: Json) -> Rich:
    """Return one memory with where it comes from."""
    said = _day(str(atom.get("observed_at") or ""))
    known = [str(atom[name]) for name in ("kind", "subject") if atom.get(name)]
    return defanged(str(atom["content"])) + "\n" + marked(apart(" · ".join(known)) + said, "italic")


def status(found: StatusReply, strangers: int, waiting: int) -> Rich:
    """Return the status in a few lines."""
    captures = found["captures"]
    lines = [
        f"{_counted(found['atoms'], 'memory', 'memories')}, {_days(found['streak'])}",
        *([f"Most about {apart(', '.join(list(found['subjects'])[:TOPICS]))}"] if found["subjects"] else []),
    ]
    reading = captures.get("waiting", 0) + captures.get("working", 0)
    lines += [f"Being read: {_counted(reading, 'message', 'messages')}"] if reading else []
    lines += [f"Could not be read: {_counted(captures['dead'], 'message', 'messages')}"] if captures.get("dead") else []
    lines += [f"{_counted(asked, 'memory', 'memories')} may no longer hold"] if (asked := found.get("in_review", 0)) else []
    lines += [f"I still owe an answer to {_counted(waiting, 'message', 'messages')}"] if waiting else []
    lines += [_lacking(each) for each in found["degraded"]]
    lines += [f"Ignored: {_counted(strangers, 'message', 'messages')} from others"] if strangers else []
    return Rich("\n".join(lines))


def _lacking(named: str) -> str:
    """Return which part answers go without, in everyday words."""
    part, _, why = named.partition(": ")
    return f"{_PARTS.get(part, part.capitalize())}: {why}" if why else named


def opening(found: StatusReply, turns: Sequence[TurnReply]) -> Rich:
    """Return the strip that a conversation begins with; `turns` are the last ones through any door, newest first."""
    lines = [Rich(f"{_counted(found['atoms'], 'memory', 'memories')}, {_days(found['streak'])}")]
    topics = dict.fromkeys(topic for turn in turns if (topic := turn.get("query_topic")))
    if topics:
        lines.append(Rich("Lately: ") + defanged(", ".join(list(topics)[:TOPICS])))
    asked = (turn["question"] for turn in turns if turn["question"] and not turn["answer"].startswith("[captured:"))
    if (last := next(asked, None)) is not None:
        lines.append(Rich("You last asked: ") + defanged(_short(last, LONGEST_QUOTE)))
    return joined([*lines, Rich(""), Rich(HELP)])


def journey(day: Json) -> Rich:
    """Return the topics of today as a tree."""
    branches: list[dict[str, Any]] = day["branches"]
    if not branches:
        return Rich("Nothing was said today yet.")
    lines = [f"{day['day']}"]
    for number, branch in enumerate(branches, start=1):
        is_last = number == len(branches)
        lines.append(
            f"{'└' if is_last else '├'}─ {_short(str(branch['topic'] or 'other things'), LONGEST_LINE)} ({branch['turns']})"
        )
        questions = [str(each) for each in branch["questions"]]
        for place, question in enumerate(questions, start=1):
            stem, joint = "   " if is_last else "│  ", "└" if place == len(questions) else "├"
            lines.append(f"{stem}{joint}─ {_short(question, LONGEST_LINE)}")
    return marked("\n".join(lines), "pre")


def _short(text: str, most: int) -> str:
    line = " ".join(text.split())
    return line if len(line) <= most else f"{line[: most - 1]}…"


def _day(moment: str) -> str:
    try:
        return f" ({datetime.fromisoformat(moment).date().isoformat()})"
    except ValueError:
        return ""


def _counted(number: int, one: str, many: str) -> str:
    return f"{number} {one if number == 1 else many}"


def _days(streak: int) -> str:
    return f"{_counted(streak, 'day', 'days')} deep"
