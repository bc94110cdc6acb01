"""Scripts without comments and without the spaces and brackets that only people need. Names and whatever is quoted stay as they
are, but for quotes within templates that HTML does not need; every statement has to end with its semicolon.

Just enough of the language is read to know what is code and what is a string, a template, a regular expression or a comment.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from string import ascii_letters

_LOOSE = re.compile(r"[ \t]*([=,:?(){}\[\];<>!&|])[ \t]*")
_OPENS = re.compile(r"(?<=[,(\[{])\s+")
_CLOSES = re.compile(r"\s+(?=[)\]}])")
"""What spans several lines inside of brackets, for readers, is one."""
_BETWEEN = re.compile(r"(?<=[\w)\]]) ([+*-]) (?=[\w($])")
_QUOTES = ('"', "'", "`")
_PLAIN_VALUE = re.compile(r'(?<=[\w-])="([\w-]+)"(?=[ \n>])')
"""Of an attribute in a template, which needs no quotes in HTML."""
_ENDS = re.compile(r"([;}])\n+")
_WORDS = [
    *(
        (re.compile(rf"(?<![.\w$]){long}(?![\w$:])"), short)
        for long, short in (("const", "let"), ("true", "!0"), ("false", "!1"), ("undefined", "void 0"))
    ),
    (re.compile(r"(?<=[;{})])void (?=[\w$])(?!0\b)"), ""),
]
_TAKEN = re.compile(r"(?<=const\{)[\w,:$]+(?=\}=\$\$\d+;)")
"""What a module takes of another one, once that is an object (`page_scripts`)."""
_TAKEN_FROM = re.compile(r"(?<=\{)(?=\}=\$\$\d+[,;])")
_GIVEN = re.compile(r"\bexport (?:[a-z]+\*? ){1,2}([\w$]+)")
_NAME = r"(?:(?<=\.\.\.)|(?<![.\w$#]))[A-Za-z_]\w+(?![\w$])"
_ANY_NAME = re.compile(_NAME)
_MARK_OR_NAME = re.compile(rf"[()\[\]{{}}]|{_NAME}")
_WORD_AT_END = re.compile(r"(?<![\w$.])([a-z]+\*?) $")
_DECLARING = frozenset({"const", "let", "function", "function*"})
_MEMBERS = frozenset({"async", "get", "set", "static"})
_MARKS = re.compile(r";let(?: |(?=[{\[]))|(?<![.\w$])let(?![\w$])|[;()\[\]{}]")
_LAST_COMMA = re.compile(r",(?=[)\]}])")
_LONE = re.compile(r"(?<![\w$)\]])\(([\w$]+)\)=>")
"""The brackets around the only parameter of an arrow function."""
_QUOTED = re.compile(r'"(?:[^"\\\n]|\\.)*"|' + r"'(?:[^'\\\n]|\\.)*'")
_TELLING = re.compile(r"[\"'`/{}]")
"""What may begin or end a piece."""
_EXPRESSION = re.compile(r"/(?:[^/\\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+/[a-z]*")
_DIVIDES = re.compile(r"[\w$)\]]\s*$")
"""What stands before a slash that divides; before another one a regular expression begins."""
_WORD_BEFORE = re.compile(r"\b(?:return|typeof|case|of|in)\s*$")


def squeezed(source: str) -> str:
    """Return the same script without spaces that only people need."""
    found = ""
    for is_code, part in _parts(source):
        if is_code:
            tight = _tight(part)
            found += tight.lstrip(" ") if found.endswith(_QUOTES) else tight
        else:
            found = found.rstrip(" ") if part.startswith(_QUOTES) else found
            found += _PLAIN_VALUE.sub(r"=\1", part) if part[0] in "`}" else part
    return found


def joined(script: str) -> str:
    """Return a whole script in few lines: without the line breaks behind statements, which modules are told apart by until they
    are put together, with what is declared in a row in one declaration, with short names for what it keeps to itself or takes of
    others, without `void` before statements, and with `true` and `false` as minifiers write them. What was constant is that
    still, for nothing assigns to it."""
    taken = [each.split(",") for each in _TAKEN.findall(script)]
    names = _short_names(script, taken)
    shorter = "".join(_shorter(part, names) if is_code else part for is_code, part in _parts(_TAKEN.sub("", script)))
    in_order = iter(taken)
    return _TAKEN_FROM.sub(
        lambda _: ",".join(_under(name, names) for name in next(in_order)), "".join(_declared_together(_parts(shorter)))
    )


def _under(taken: str, names: Mapping[str, str]) -> str:
    """Return `a` or `a:b` of what is taken, with the name that it has here."""
    theirs, _, ours = taken.partition(":")
    return f"{theirs}:{names[ours or theirs]}" if (ours or theirs) in names else taken


def _shorter(code: str, names: Mapping[str, str]) -> str:
    code = _ANY_NAME.sub(lambda match: names.get(match[0], match[0]), _ENDS.sub(r"\1", code))
    for pattern, words in _WORDS:
        code = pattern.sub(words, code)
    return code


def _short_names(script: str, taken: Iterable[Sequence[str]]) -> dict[str, str]:
    """Return names for what a module declares or takes of others, but for what it gives or names as a property. A name is the
    same everywhere in the module, and stands only where something of that name is declared around it: never for what a browser
    has."""
    parts = list(_parts(_TAKEN.sub("", script)))
    ours = {name.rpartition(":")[2] for names in taken for name in names}
    kept = {name for is_code, part in parts if is_code for name in _GIVEN.findall(part)}
    uses: dict[str, list[frozenset[int]]] = {}
    declared: dict[str, set[int]] = {name: {0} for name in sorted(ours)}
    for name, before, is_member, inside in _named(parts):
        if is_member:
            kept.add(name)
        uses.setdefault(name, []).append(frozenset(inside))
        if before in _DECLARING:
            declared.setdefault(name, set()).add(inside[-1])

    def is_worth(name: str) -> bool:
        longer = len(uses.get(name, ())) * (len(name) - len("$a")) - (len(":$a") if name in ours else 0)
        return longer > 0 and name not in kept and all(around & declared[name] for around in uses[name])

    letters = (f"${letter}{number}" for number in ("", *range(1, 10)) for letter in ascii_letters)
    worth = sorted(filter(is_worth, declared), key=lambda name: len(uses[name]), reverse=True)
    return dict(zip(worth, letters, strict=False))


def _named(parts: Sequence[tuple[bool, str]]) -> Iterator[tuple[str, str, bool, tuple[int, ...]]]:
    """Yield the names in a script that are no properties, each with the word before it, whether it may be a member of an object
    or a class, as in `{a, b: 1, c() {}}`, and the numbers of the brackets that are open there, the innermost last."""
    open_ = [(0, "")]
    count = 0
    for at, (is_code, part) in enumerate(parts):
        if not is_code:
            if part.startswith("}"):
                open_.pop()
            if part.endswith("${"):
                open_.append((count := count + 1, "$"))
            continue
        following = parts[at + 1][1][:1] if at + 1 < len(parts) else ""
        for match in _MARK_OR_NAME.finditer(part):
            mark = match[0]
            if mark in "([{":
                open_.append((count := count + 1, mark))
            elif mark in ")]}":
                open_.pop()
            else:
                before, is_member = _around(part, match, following, open_[-1][1])
                yield mark, before, is_member, tuple(number for number, _ in open_)


def _around(part: str, match: re.Match[str], following: str, bracket: str) -> tuple[str, bool]:
    """Return the word before a name, and whether it may be a member of what its bracket opens."""
    ahead, after = part[: match.start()], part[match.end() : match.end() + 1] or following
    word = _WORD_AT_END.search(ahead)
    before = word[1] if word else ""
    begins = not ahead.strip(" ") or ahead[-1] in "{,;}\n"
    return before, bracket == "{" and ((begins and after in ":,}=(; ") or before in _MEMBERS)


def _declared_together(parts: Iterable[tuple[bool, str]]) -> Iterator[str]:
    """Yield the parts, with `let a=1;let b=2` as `let a=1,b=2`."""
    declares = [False]
    """For each bracket that is open, whether the statement in it declares something."""
    for is_code, part in parts:
        if not is_code:
            if part.startswith("}"):
                declares.pop()
            if part.endswith("${"):
                declares.append(False)
            yield part
            continue
        at = 0
        for match in _MARKS.finditer(part):
            mark = match[0]
            if mark == "let":
                declares[-1] = True
            elif mark in "([{":
                declares.append(False)
            elif mark in ")]}":
                declares.pop()
            else:
                further = declares[-1] and mark != ";"
                yield part[at : match.start()] + ("," if further else mark)
                at = match.end()
                declares[-1] = mark != ";"
        yield part[at:]


def _tight(code: str) -> str:
    tight = _BETWEEN.sub(r"\1", _CLOSES.sub("", _OPENS.sub("", _LOOSE.sub(r"\1", code))))
    return _LONE.sub(r"\1=>", _LAST_COMMA.sub("", tight)).replace(";}", "}")


def _parts(source: str) -> Iterator[tuple[bool, str]]:
    """Yield the script in pieces, and whether each is code."""
    at = start = 0
    inside: list[int] = []  # for each template that is open, how many braces are open in its `${`
    while found := _TELLING.search(source, at):
        at = end = found.start()
        letter = found[0]
        if letter in "\"'" and (match := _QUOTED.match(source, at)):
            end = match.end()
        elif letter == "`" or (letter == "}" and inside and not inside[-1]):
            if letter == "}":
                inside.pop()
            end, opens = _template(source, at + 1)
            yield True, source[start:at]
            yield False, source[at:end]
            if opens:
                inside.append(0)
            at = start = end
            continue
        elif source.startswith("//", at):
            yield True, source[start:at].rstrip(" \t")
            at = start = (source.find("\n", at) + len(source) + 1) % (len(source) + 1)
            continue
        elif source.startswith("/*", at):
            yield True, source[start:at]
            at = start = source.index("*/", at) + 2
            continue
        elif letter == "/" and not _is_division(source, at) and (match := _EXPRESSION.match(source, at)):
            end = match.end()
        if end > at:
            yield True, source[start:at]
            yield False, source[at:end]
            at = start = end
            continue
        if inside and letter in "{}":
            inside[-1] += 1 if letter == "{" else -1
        at += 1
    yield True, source[start:]


def _is_division(source: str, at: int) -> bool:
    before = source[max(0, at - 40) : at]
    return _DIVIDES.search(before) is not None and _WORD_BEFORE.search(before) is None


def _template(source: str, at: int) -> tuple[int, bool]:
    """Return where the text of a template ends, and whether an expression begins there."""
    while source[at] != "`":
        if source.startswith("${", at):
            return at + 2, True
        at += 2 if source[at] == "\\" else 1
    return at + 1, False
