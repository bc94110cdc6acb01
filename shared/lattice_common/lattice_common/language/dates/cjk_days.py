"""Days of the week in Chinese and Japanese: "周四我要看牙医", "来週の木曜日に歯医者".

The coming one, or the last one where its sentence tells of what is past; one of a week that is named with it; none where it is
every such day, or another one stands beside it.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from lattice_common.language.dates import periods
from lattice_common.language.dates.compound import Compound
from lattice_common.language.dates.phrases import weekday_near
from lattice_common.language.dates.telling import sentence_around
from lattice_common.language.patterns import lazy_regex
from lattice_common.language.words import ENGLISH_WEEKDAYS

_JAPANESE, _CHINESE = "月火水木金土日", "一二三四五六日"
_DAY = lazy_regex(
    rf"(?P<ja_week>今週の?|来週の?|先週の?)?(?P<ja>[{_JAPANESE}])曜日?(?!大工|学校|版|劇場|洋画)"
    r"|(?<![一二两兩三四五六七八九十几幾个個\d])(?P<zh_week>这个?|這個?|本|下个?|下個?|上个?|上個?)?"
    rf"(?:周|週|星期|礼拜|禮拜)(?P<zh>[{_CHINESE}天])(?!次|天(?!气|氣)|个|個|遍|回|顿)"
)
"""Not how often in a week: "一周三次", "三个星期一次", "这周五天"."""
_WEEKS = {"今": 0, "来": 1, "先": -1, "这": 0, "這": 0, "本": 0, "下": 1, "上": -1}
_PAST = lazy_regex(r"(?:(?<!ま)た|んだ|いだ)(?:よ|ね|、|$)|[了过過]")
_AHEAD = lazy_regex(r"要|会|會|将|將|打算|予定|つもり|です$|ます")
_EVERY = lazy_regex(r"毎|每|いつも|总是|總是|经常|經常")
_A_WEEK = 7


def may_have_cjk_day(text: str) -> bool:
    """Return whether a text may name such a day."""
    return not text.isascii() and _DAY.search(text) is not None


def cjk_days_in(text: str, moment: datetime) -> Iterator[Compound]:
    """Yield the days that a text names, as seen from `moment`. Linear."""
    for match in _DAY.finditer(text):
        begins, ends = sentence_around(text, match.start(), match.end())
        sentence = text[begins:ends]
        if _EVERY.search(sentence) or len(_DAY.findall(sentence)) > 1:
            continue
        said, week = match["ja"] or match["zh"], match["ja_week"] or match["zh_week"]
        weekday = _JAPANESE.find(said) if match["ja"] else _CHINESE.find(said.replace("天", "日"))
        if week:
            day = periods.day_of(moment, weekday - moment.weekday() + _A_WEEK * _WEEKS[week[0]])
        else:
            day = weekday_near(ENGLISH_WEEKDAYS[weekday], moment, "last" if cjk_tells_of_past(sentence) else "after")
        if day is not None:
            yield Compound(match.start(), match.end(), day)


def cjk_tells_of_past(sentence: str) -> bool:
    """Return whether a sentence in Chinese or Japanese tells of what is past."""
    return _PAST.search(sentence) is not None and not _AHEAD.search(sentence.replace("ました", ""))
