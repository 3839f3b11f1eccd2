"""A question in Chinese words, put into those that `questions` reads: "三號位 庄 500 昨天十點左右".

In either script. What is no word of a question stays as it is, so that it is told as not understood.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from itertools import product

from thirdcard.words import languages, words

DIGITS = dict(zip("零〇一二兩两三四五六七八九", (0, 0, 1, 2, 2, 2, 3, 4, 5, 6, 7, 8, 9), strict=True))
UNITS = {"十": 10, "百": 100, "千": 1_000}
ALIKE = str.maketrans("莊閑", "庄閒")  # ways to write one word
CHINESE = re.compile(r"[\u3400-\u9fff\uff0c\u3002\u3001\uff1f]")
NUMBER = r"(?:\d+(?:\.\d\d)?k?|[零〇一二兩两三四五六七八九十百千萬万]+)"
DOLLARS = rf"{NUMBER}\s*[元蚊塊块]?"
HALVES = {"凌晨": "am", "早上": "am", "上午": "am", "下午": "pm", "傍晚": "pm", "晚上": "pm", "夜晚": "pm"}
DAYS = {
    "昨天": "yesterday", "昨日": "yesterday", "昨晚": "yesterday",
    "今天": "today", "今日": "today", "今晚": "today",
}  # fmt: skip
WINNERS = {"庄": "banker", "閒": "player", "闲": "player", "和": "tie"}
FLAGS = {
    "作廢": "void", "作废": "void", "更正": "corrected", "沖回": "reversed", "冲回": "reversed",
    "爭議": "disputed", "争议": "disputed",
    "裁定": "ruled", "裁決": "ruled", "裁决": "ruled", "呼叫": "called",
}  # fmt: skip
PEOPLE = {
    "荷官": "dealer", "主任": "supervisor", "職員": "staff", "职员": "staff",
    "玩家": "patron", "客人": "patron",
}  # fmt: skip
PASSED_OVER = (
    "下注", "投注", "左右", "大約", "大约", "那一局", "那局", *"說说話话押買买注的在於于有了是約约",
    *"\uff0c\u3002\u3001\uff1f",
)  # fmt: skip


def is_chinese(text: str) -> bool:
    return CHINESE.search(text) is not None


def in_english(text: str, *, bets: Iterable[str], cases: Iterable[str]) -> str:
    """The same question in the words that are read; the names of bets and cases are the house's."""
    text = text.translate(ALIKE).replace(",", "")
    readers = [*PATTERNS, *_names(bets, cases), *LAST]
    found, place, evening = list[str](), 0, False
    while place < len(text):
        for pattern, told in readers:
            if match := pattern.match(text, place):
                said = told(match)
                evening = evening or match[0] in ("昨晚", "今晚")
                found.append(f"{said}pm" if evening and re.fullmatch(r"about \d+(:\d\d)?", said) else said)
                place = match.end()
                break
        else:
            other = OTHER.match(text, place)
            assert other is not None  # it takes anything
            found.append(other[0])
            place = other.end()
    return " ".join(" ".join(found).split())


def number(text: str) -> str:
    """A number as figures: 五百 is 500."""
    if text[0].isdecimal():
        return text
    whole = part = digit = 0
    for one in text:
        if one in DIGITS:
            digit = DIGITS[one]
        elif one in UNITS:
            part += (digit or 1) * UNITS[one]
            digit = 0
        else:
            whole, part, digit = (whole + part + digit) * 10_000, 0, 0
    return str(whole + part + digit)


def _amount(text: str) -> str:
    return number(text.rstrip("元蚊塊块 "))


def _clock(match: re.Match[str]) -> str:
    minutes = ":30" if match[3] == "半" else f":{int(number(match[4])):02}" if match[4] else ""
    return f"about {number(match[2])}{minutes}{HALVES.get(match[1] or '', '')}"


Told = Callable[[re.Match[str]], str]


def _any_of(found: Iterable[str]) -> str:
    return "|".join(map(re.escape, sorted(found, key=len, reverse=True)))


def _names(bets: Iterable[str], cases: Iterable[str]) -> Iterator[tuple[re.Pattern[str], Told]]:
    """What bets and irregularities are called in Chinese; what two go by is not understood."""
    for section, slugs in (("cases", cases), ("bets", bets)):
        called = dict[str, set[str]]()
        for language, slug in product(languages(), slugs):
            called.setdefault(words(language).name_of(section, slug, "").translate(ALIKE), set()).add(slug)
        chinese = {name: min(one) for name, one in called.items() if is_chinese(name) and len(one) == 1}
        if chinese:
            yield re.compile(_any_of(chinese)), lambda match, chinese=chinese: chinese[match[0]]  # type: ignore[misc]


PATTERNS: tuple[tuple[re.Pattern[str], Told], ...] = (
    (re.compile(r"\s+"), lambda _: ""),
    (re.compile(rf"({NUMBER})\s*[號号](?:位|座|注區|注区)?"), lambda match: f"box {number(match[1])}"),
    (re.compile(rf"第\s*({NUMBER})\s*局"), lambda match: f"round {number(match[1])}"),
    (re.compile(r"第?\s*(\d+(?:\.\d+)+)\s*[條条段]"), lambda match: match[1]),
    (re.compile(r"(?:賭枱|赌台|枱|檯|台)\s*([\w-]+)", re.ASCII), lambda match: f"table {match[1]}"),
    (re.compile(rf"({_any_of(PEOPLE)})\s*(\S+)"), lambda match: f"{PEOPLE[match[1]]} {match[2]}"),
    (re.compile(_any_of(DAYS)), lambda match: DAYS[match[0]]),
    (
        re.compile(
            rf"(?:大約|大约|約|约)?\s*({_any_of(HALVES)})?\s*({NUMBER})\s*[點点時时](?:(半)|({NUMBER})分)?(?:左右)?"
        ),
        _clock,
    ),
    (
        re.compile(rf"({DOLLARS})(?:至|到|-)\s*({DOLLARS})"),
        lambda match: f"{_amount(match[1])}-{_amount(match[2])}",
    ),
    (re.compile(rf"({DOLLARS})以上"), lambda match: f"from {_amount(match[1])}"),
    (re.compile(r"(庄|閒|闲|和)(?:贏|赢|勝|胜)"), lambda match: f"{WINNERS[match[1]]} won"),
    (re.compile(r"和局|開和|开和"), lambda _: "tie won"),
    (re.compile(_any_of(FLAGS)), lambda match: FLAGS[match[0]]),
)  # fmt: skip
LAST: tuple[tuple[re.Pattern[str], Told], ...] = (
    (re.compile(r"\d[\d:.-]*(?:am|pm|k)?(?=\s|$)"), lambda match: match[0]),  # as it is read anyway
    (re.compile(DOLLARS), lambda match: _amount(match[0])),
    (re.compile(_any_of(PASSED_OVER)), lambda _: ""),
)
OTHER = re.compile(r"[\u3400-\u9fff\uff0c\u3002\u3001\uff1f]+|[^\s\u3400-\u9fff\uff0c\u3002\u3001\uff1f]+")
