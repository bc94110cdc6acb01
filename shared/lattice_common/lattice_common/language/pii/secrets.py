"""Keys, passwords and tokens, and URLs that contain them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lattice_common.language.patterns import lazy_regex
from lattice_common.language.pii.span import PiiSpan

_KEYS = lazy_regex(
    r"-----BEGIN [A-Z ]*PRIVATE KEY-----.*?(?:-----END [A-Z ]*PRIVATE KEY-----|\Z)"
    r"|(?<![\w-])(?:"
    r"(?:sk|pk|rk)[-_](?:live_|test_|proj-|ant-|or-)?[\w-]{16,200}"  # OpenAI, Anthropic, Stripe
    r"|gh[pousr]_\w{30,100}|github_pat_\w{40,100}|glpat-[\w-]{20,60}"
    r"|xox[abeprs]-[\w-]{10,120}|hf_\w{30,60}|npm_\w{30,60}|pypi-[\w-]{40,250}"
    r"|(?:AKIA|ASIA)[0-9A-Z]{16}|AIza[\w-]{35}|ya29\.[\w-]{20,250}"
    r"|\d{8,10}:[\w-]{34,36}"  # Telegram bots
    r"|eyJ[\w-]{10,2000}\.[\w-]{10,2000}(?:\.[\w-]{0,1000})?"  # JSON web tokens
    r"|SG\.[\w-]{16,64}\.[\w-]{16,64}"
    r")(?![\w-])",
    re.DOTALL,
)
_BEARER = lazy_regex(r"\b(?:bearer|basic)\s+([\w.~+/=-]{16,2000})", re.IGNORECASE)
_NAMED = lazy_regex(
    r"\b(?:pass(?:word|code|phrase|wort|key)|kennwort|passwd|pwd|pw|wachtwoord|contraseña|senha|hasło|"
    r"pin(?: code)?|tan|parole?|пароль|пин(?:-?код)?|mot de passe|"
    r"api[ _-]?key|api-schlüssel|secret(?:[ _-]key)?|access[ _-]?token|auth[ _-]?token|token|client[ _-]?secret|ключ api|ключ)"
    r"(?:\s+(?:for|of|to|für|от|для|du|de|zum|vom)(?:\s+[\w.-]+){1,4}?)?"
    r"(?:\s*[:=]\s*|\s+(?:is|was|ist|lautet|war|est|это)\s*:?\s+|\s+[-–—]\s+|\s+(?=\S*\d)(?=\S*[a-z])(?=\S{6}))"
    r"[\"'«“„`]?([^\s\"'«»“”„`,;<>]{3,200})",
    re.IGNORECASE,
)
_CODE = lazy_regex(
    r"\b(?:(?:door|gate|alarm|entry|access|lock|safe|garage|building|backup|recovery|security|unlock|2fa|otp|tür|haus|zugangs|tor)"
    r"[ -]?(?:backup )?(?:code|combination|combo|kombination)s?|(?:code|combination|kombination) (?:for|to|of|für|vom|zum)"
    r"(?: (?:the|my|our|den|die|das|meine?n?))? [\w -]{2,24}?|puk)(?:\s*[:=–-]\s*|\s(?:is|ist|lautet|was)\s|\s)"
    r"([#*]?\d[\d *#-]{1,18}[\d#*])",
    re.IGNORECASE,
)
_PHRASE = lazy_regex(
    r"\b(?:pass ?phrase|seed phrase|recovery phrase|mnemonic)(?: (?:for|of|to) [\w ]{1,30}?)?\s*(?:is|:|=)\s*[\"“']?"
    r"([a-z]{2,20}(?:[ -][a-z]{2,20}){2,23})",
    re.IGNORECASE,
)
_URL = lazy_regex(
    r"\b[a-z][a-z0-9+.-]{1,20}://(?:[^\s/@<>\"']{1,200}:[^\s/@<>\"']{1,200}@[^\s<>\"']{1,1000}"
    r"|[^\s<>\"'?#]{1,500}?/(?=[\w-]*\d)(?=[\w-]*[a-z])(?=[\w-]*(?-i:[A-Z]))[\w-]{24,200}[^\s<>\"']{0,500}"
    r"|[^\s<>\"'?#]{1,500}[?#][^\s<>\"']{0,1000}?(?:token|key|secret|sig|signature|password|pwd|auth|session|code)=[^\s<>\"']{1,1000})",
    re.IGNORECASE,
)
_OPAQUE = lazy_regex(r"(?<![\w/+.-])(?=[\w+-]*\d)(?=[\w+-]*[a-z])(?=[\w+-]*[A-Z])[\w+-]{32,512}(?![\w/+-])")
"""Thirty-two letters and digits of all sorts without a space are nobody's words."""
_HEX = lazy_regex(r"(?<![\w-])(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{32,128}(?![\w-])", re.IGNORECASE)
_PLAIN_WORD = lazy_regex(
    r"(?:not|no|the|a|an|my|your|our|his|her|in|on|at|to|for|very|too|still|now|always|really|nicht|kein\w*|der|die|das|"
    r"im|auf|не|нет|в|на|required|needed|wrong|long|short|set|lost|expired|changed|reset|changing|nötig|falsch)[.!?]?",
    re.IGNORECASE,
)


def secrets(text: str) -> Iterator[PiiSpan]:
    """Yield keys of known makers, values labelled as password or key, and long opaque strings."""
    for match in _KEYS.finditer(text):
        yield PiiSpan(match.start(), match.end(), "SECRET")
    for match in _BEARER.finditer(text):
        yield PiiSpan(match.start(1), match.end(1), "SECRET")
    for pattern in (_CODE, _PHRASE):
        for match in pattern.finditer(text):
            yield PiiSpan(match.start(1), match.end(1), "SECRET")
    for match in _NAMED.finditer(text):
        start, end = match.span(1)
        while end > start and text[end - 1] in ".!?)]":
            end -= 1
        if end - start >= 3 and not _PLAIN_WORD.fullmatch(text, start, end):
            yield PiiSpan(start, end, "SECRET")
    for pattern in (_OPAQUE, _HEX):
        for match in pattern.finditer(text):
            yield PiiSpan(match.start(), match.end(), "SECRET")


def telling_urls(text: str) -> Iterator[PiiSpan]:
    """Yield URLs with a user name and a password, or with a token in their query; whole, because they often name a person as
    well."""
    for match in _URL.finditer(text):
        end = match.end()
        while text[end - 1] in ".,;:!?)]":
            end -= 1
        yield PiiSpan(match.start(), end, "URL")
