"""Pages over HTTP: every address answers, compressed and cached as it should be, in both languages."""

import re
import struct
from collections.abc import Iterator
from importlib.resources import files
from posixpath import dirname, normpath

import httpx
import msgspec
import pytest
from litestar import Litestar

from each import each
from service.api.serving import NOBODY, SLOW, Asking, Served, is_problem
from service.houses import TBC, new_table
from thirdcard.service.api.gate import FRAMED, FRAMES, POLICY
from thirdcard.service.people.roles import ROLES, allowed
from thirdcard.web import assets
from thirdcard.web.places import PLACES
from thirdcard.web.site import PAGES
from thirdcard.words import languages, words
from web.reading import Page

pytestmark = pytest.mark.server

ADDRESSES = (
    "/",
    "/tables/one",
    "/tables/one/board",
    "/tables/one/shoes/1",
    "/sign-in",
    "/rules",
    f"/rules/{TBC}",
    f"/rules/{TBC}/compare/mbs-tiger-v2",
    f"/rules/diff?a={TBC}&b=mbs-tiger-v2",
    "/rules/interpretations",
    f"/rules/{TBC}/beside?p=4.1.4",
    "/rules/timeline",
    "/rules/timeline?family=mbs-tiger&on=2018-01-01T00:00",
    "/odds",
    "/odds/compare",
    "/learn",
    "/several?t=one",
    "/offline",
)
POLICIES = {"/tables/one": FRAMED, "/several?t=one": FRAMES}  # all others are in no frame and have none
FOREVER = "public, max-age=31536000, immutable"
IMPORTS = re.compile(r'^(?:import|export) (?:.*? from )?"(\./[a-z/-]+\.js)"', re.MULTILINE)


def add_pages(app: Litestar) -> None:
    for one in PAGES:
        app.register(one)


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    path = tmp_path_factory.mktemp("site") / "house.db"
    with Served(path, new_table("one", pace=SLOW), change=add_pages) as served:
        served.player("Wei", box=2)
        yield served


@pytest.fixture(scope="module")
def nobody(house: Served) -> Asking:
    return house.as_(NOBODY)


# Pages --------------------------------------------------------------------------------------------------


@each("lang", languages())
@each("address", ADDRESSES)
def test_every_page_answers_and_keeps_to_the_policy(nobody: Asking, address: str, lang: str) -> None:
    answer = nobody.get(f"{address}{'&' if '?' in address else '?'}lang={lang}")
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    policy = POLICIES.get(address, {}).get("Content-Security-Policy", POLICY)
    assert answer.headers.get_list("content-security-policy") == [policy]
    alone = "SAMEORIGIN" if address == "/tables/one" else "DENY"
    assert answer.headers.get_list("x-frame-options") == [alone]
    assert answer.headers["cache-control"] == "private, no-cache"
    page = Page(answer.text)
    assert page.faults() == []
    assert page.one("html").attributes["lang"] == words(lang).heading.html


@pytest.mark.parametrize("address", ADDRESSES)
def test_every_file_that_a_page_links_is_there(nobody: Asking, address: str) -> None:
    page = Page(nobody.get(address).text)
    linked = [one.attributes["href"] for one in page.all("link")]
    linked += [one.attributes["src"] for one in page.all("script")]
    assert any(one.endswith(".css") for one in linked)
    for one in linked:
        assert assets.version() in one
        assert nobody.get(one).status_code == 200, one


def test_the_table_knows_whose_seat_is_whose(house: Served) -> None:
    token = house.sign_in("Wei")
    shown = Page(house.as_(token).get("/tables/one").text)
    watching = Page(house.as_(NOBODY).get("/tables/one").text)
    assert shown.one("div", id="table").attributes["data-who"] == "Wei"
    assert watching.one("div", id="table").attributes["data-who"] == ""


def test_the_grid_has_the_bets_of_the_layout_and_no_others(house: Served, nobody: Asking) -> None:
    page = Page(nobody.get("/tables/one").text)
    spots = [one.attributes["data-bet"] for one in page.all("button", _class="pspot")]
    assert sorted(spots) == sorted(house.live().table.setup.bets)
    assert len(set(spots)) == len(spots)


def test_the_lobby_shows_every_table_and_who_has_which_seat(nobody: Asking) -> None:
    page = Page(nobody.get("/").text)
    (card,) = page.all("li", _class="tcard")
    assert card.attributes["data-id"] == "one"
    assert card.attributes["data-seats"] == '{"2": "Wei"}'
    assert len(card.all("i", _class="taken")) == 1
    part = nobody.get("/tables")
    assert Page(part.text).one("li", _class="tcard").attributes["data-id"] == "one"


def test_a_part_that_has_not_changed_is_not_sent_again(nobody: Asking) -> None:
    first = nobody.get("/tables/one/roads")
    again = nobody.http.get("/tables/one/roads", headers={"If-None-Match": first.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    board = nobody.get("/tables/one/board/roads")
    assert board.headers["etag"] != first.headers["etag"]


# Languages ----------------------------------------------------------------------------------------------


def language(answer: httpx.Response) -> str:
    return Page(answer.text).one("html").attributes["lang"]


def says_chinese(answer: httpx.Response) -> bool:
    return language(answer) == "zh-Hant"


def test_a_language_that_was_asked_for_is_remembered(house: Served) -> None:
    asking = house.as_(NOBODY)
    assert not says_chinese(asking.get("/"))
    assert says_chinese(asking.get("/", lang="zh"))
    assert says_chinese(asking.get("/"))
    assert language(asking.get("/", lang="zh-Hans")) == "zh-Hans"
    assert language(asking.get("/")) == "zh-Hans"
    assert not says_chinese(asking.get("/", lang="en"))
    assert not says_chinese(asking.get("/"))


def test_else_the_browser_says_which(house: Served) -> None:
    asking = house.as_(NOBODY)
    assert says_chinese(asking.http.get("/", headers={"Accept-Language": "fr, zh-TW;q=0.9, en;q=0.8"}))
    assert not says_chinese(asking.http.get("/", headers={"Accept-Language": "en-SG, zh;q=0.5"}))
    assert language(asking.http.get("/", headers={"Accept-Language": "zh-SG, zh;q=0.9"})) == "zh-Hans"
    assert not says_chinese(asking.http.get("/?lang=xx", headers={"Accept-Language": "fr"}))
    assert "lang" not in asking.http.cookies


# What is wrong ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("address", "status"),
    [
        ("/nope", 404),
        ("/tables/nope", 404),
        ("/tables/nope/board", 404),
        ("/rules/nope", 404),
        ("/odds?decks=x", 400),
        ("/static/x/nope.css", 404),
    ],
)
def test_what_is_wrong_is_told_by_a_page_of_ours(nobody: Asking, address: str, status: int) -> None:
    answer = nobody.get(address)
    assert answer.status_code == status
    assert answer.headers["content-security-policy"] == POLICY
    assert Page(answer.text).faults() == []


def test_programs_are_told_in_json(nobody: Asking) -> None:
    assert is_problem(nobody.get("/api/nope"), 404)
    assert is_problem(nobody.get("/api/tables/nope"), 404)


# Files --------------------------------------------------------------------------------------------------


def test_a_file_is_kept_for_ever_under_its_version_and_asked_for_under_any_other(nobody: Asking) -> None:
    now = nobody.get(assets.address("js/table.js"))
    old = nobody.get("/static/000000000000/js/table.js")
    assert now.headers["cache-control"] == FOREVER
    assert old.headers["cache-control"] == "no-cache"
    assert now.content == old.content == (files("thirdcard.web") / "static/js/table.js").read_bytes()


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("css/table.css", "text/css; charset=utf-8"),
        ("js/table.js", "text/javascript; charset=utf-8"),
        ("logo.svg", "image/svg+xml; charset=utf-8"),
        ("cards.svg", "image/svg+xml; charset=utf-8"),
        ("squeeze.svg", "image/svg+xml; charset=utf-8"),
        ("words/lobby-zh.json", "application/json"),
    ],
)
def test_a_file_says_what_it_is(nobody: Asking, path: str, kind: str) -> None:
    answer = nobody.get(assets.address(path))
    assert answer.headers["content-type"] == kind
    assert answer.headers["x-content-type-options"] == "nosniff"


@pytest.mark.parametrize(
    "path",
    [
        "../words.toml",
        "%2e%2e/words.toml",
        "..%2fwords.toml",
        "js/../../words.toml",
        "js/..%5c..%5cwords.toml",
        "/etc/passwd",
        "//etc/passwd",
        "css",
        "",
        "js/table.js%00",
    ],
)
def test_nothing_but_the_files_is_ever_read(house: Served, path: str) -> None:
    address = httpx.URL(f"{house.url}/static/{assets.version()}/").copy_with(
        raw_path=f"/static/{assets.version()}/{path}".encode()
    )
    answer = house.as_(NOBODY).http.get(address)
    assert answer.status_code in {400, 404, 405}
    assert b"[ui." not in answer.content
    assert b"root:" not in answer.content


@pytest.mark.parametrize("accept", ["gzip", "br, gzip;q=0.5", "*"])
def test_what_is_worth_it_is_compressed_for_those_who_understand(nobody: Asking, accept: str) -> None:
    for address in ("/", assets.address("js/table.js"), f"/felt/{TBC}/A/6/3.svg"):
        answer = nobody.http.get(address, headers={"Accept-Encoding": accept})
        assert answer.headers["content-encoding"] == "gzip"
        assert "Accept-Encoding" in answer.headers["vary"]


@pytest.mark.parametrize("accept", ["identity", "br", "gzip;q=0", "gzip; q=0.0"])
def test_and_not_for_those_who_do_not(nobody: Asking, accept: str) -> None:
    for address in ("/", assets.address("js/table.js"), f"/felt/{TBC}/A/6/3.svg"):
        assert "content-encoding" not in nobody.http.get(address, headers={"Accept-Encoding": accept}).headers


def test_a_small_file_goes_out_as_it_is(nobody: Asking) -> None:
    assert "content-encoding" not in nobody.get(assets.address("logo.svg")).headers


def test_the_version_changes_with_the_files() -> None:
    whole = assets.version()
    assert re.fullmatch(r"[0-9a-f]{12}", whole)
    kept = dict(assets.assets())
    try:
        assets.assets()["js/table.js"] = assets.asset(b"changed", assets.KINDS["js"])
        assets.version.cache_clear()
        assert assets.version() != whole
    finally:
        assets.assets().update(kept)
        assets.version.cache_clear()
    assert assets.version() == whole


def test_a_felt_is_drawn_for_a_position_or_for_none(nobody: Asking) -> None:
    own = nobody.get(f"/felt/{TBC}/A/6/3.svg", v=assets.version())
    watched = nobody.get(f"/felt/{TBC}/A/6/0.svg")
    assert own.headers["cache-control"] == FOREVER
    assert watched.headers["cache-control"] == "no-cache"
    assert 'class="position own" data-box="3"' in own.text
    assert "position own" not in watched.text


@pytest.mark.parametrize("name", ["7.svg", "3.png", "x.svg", "3", "-1.svg", "333.svg"])
def test_no_other_felt_is(nobody: Asking, name: str) -> None:
    assert nobody.get(f"/felt/{TBC}/A/6/{name}").status_code == 404


def test_a_felt_fills_the_stage_that_it_is_asked_for(nobody: Asking) -> None:
    drawn = nobody.get(
        f"/felt/{TBC}/A/6/3.svg", width=1180, height=700, scale=85, taken=0b101, watching="true"
    ).text
    assert 'viewBox="0 0 1180 700"' in drawn
    assert 'class="position middle" data-box="3"' in drawn
    assert drawn.count('class="position free"') == 4
    assert nobody.get(f"/felt/{TBC}/A/6/3.svg", width=1366).status_code == 404
    assert nobody.get(f"/felt/{TBC}/A/6/3.svg", width="wide").status_code == 400


# Scripts ------------------------------------------------------------------------------------------------


def imported(name: str, found: dict[str, bytes] | None = None) -> dict[str, bytes]:
    """A module and all that it imports, by path."""
    found = {} if found is None else found
    if name not in found:
        found[name] = assets.assets()[name].body
        for other in IMPORTS.findall(found[name].decode()):
            imported(f"js/{other.removeprefix('./')}", found)
    return found


def reached(name: str, found: dict[str, bytes] | None = None) -> dict[str, bytes]:
    """A module and all that it imports, at once or later, by path."""
    found = {} if found is None else found
    if name not in found:
        found[name] = assets.assets()[name].body
        for other in re.findall(r'"(\.{1,2}/[\w/-]+\.js)"', found[name].decode()):
            reached(normpath(f"{dirname(name)}/{other}"), found)
    return found


def test_a_table_has_one_script_with_all_that_it_imports(nobody: Asking) -> None:
    """Nothing is found out one by one, and nothing runs twice: what comes later takes what is there."""
    page = Page(nobody.get("/tables/one").text)
    assert [one.attributes["src"] for one in page.all("script")] == [assets.address("joined/table.js")]
    text = assets.assets()["joined/table.js"].body.decode()
    at_once = {path.removeprefix("js/") for path in imported("js/table.js")}
    assert sorted(re.findall(r"^\{ // (.*)$", text, re.MULTILINE)) == sorted(at_once)
    later = {path.removeprefix("joined/") for path in assets.assets() if path.startswith("joined/")}
    later -= {"table.js", "table.css"}
    assert "help.js" in later
    assert not later & at_once
    asked = set(re.findall(r'"\./([a-z/-]+\.js)"', text))
    for name in later:
        beside = assets.assets()[f"joined/{name}"].body.decode()
        asked |= set(re.findall(r'"\./([a-z/-]+\.js)"', beside)) - {"table.js"}
    assert asked == later


SAID_BY = {
    "play": ("table", "several", "app"),
    "lobby": ("lobby", "board", "account", "limits", "me", "shoe", "app"),
    "desk": ("staff/dealer",),
    "pit": ("staff/pit", "staff/practice-pit"),
    "office": tuple(
        f"staff/{name}"
        for name in ("accounts", "audit", "home", "new-table", "protect", "replay", "rulebooks", "running-table", "shift")
    ),
    "school": tuple(
        f"school/{name}"
        for name in (
            "certificate", "class", "class-lesson", "disputed", "drill", "exam", "home", "own", "shift", "shift-result"
        )
    ),
}  # fmt: skip


@pytest.mark.parametrize("page", SAID_BY)
def test_a_page_is_sent_the_words_of_its_scripts(page: str) -> None:
    """Whatever a script of it says by its key, or by the beginning of one."""
    known = tuple(msgspec.json.decode(assets.words_json("en", page))["ui"])
    for name in SAID_BY[page]:
        for path, body in reached(f"js/{name}.js").items():
            text = body.decode()
            adds = next((f"{part}_" for part in ("staff", "school") if f"/{part}/" in path), "live_")
            said = {f"{adds}{key}" for key in re.findall(r'(?<![\w.])t\("(\w+)"', text)}
            said |= set(re.findall(r'\bphrase\("(\w+)"', text))
            begun = {f"{adds}{key}" for key in re.findall(r"(?<![\w.])t\(`(\w+_)\$\{", text)}
            begun |= set(re.findall(r"\bphrase\(`(\w+_)\$\{", text)) - {"live_", "staff_", "school_"}
            assert sorted(said - set(known)) == [], path
            assert [start for start in begun if not any(key.startswith(start) for key in known)] == [], path


def test_every_page_whose_scripts_speak_is_held_to_its_words() -> None:
    assert SAID_BY.keys() == assets.PAGES.keys()


def test_no_script_reaches_outside_or_writes_markup_of_its_own() -> None:
    for path, one in assets.assets().items():
        if path.endswith(".js") and not path.startswith("js/staff/"):
            text = one.body.decode()
            assert "eval(" not in text, path
            assert not re.search(r"https?://(?!www\.w3\.org/2000/svg)", text), path


@pytest.mark.parametrize(
    "asked",
    [
        "/.//host",
        "/%2e//host",
        "//host",
        "https://host//",
        "/\\\\host",
        "/tables/..//host",
        "javascript:x",
        "/no/such",
    ],
)
def test_signing_in_leads_to_no_other_site(house: Served, asked: str) -> None:
    def told(address: str) -> str:
        return str(house.as_(NOBODY).http.get("/sign-in", params={"next": address}).text)

    assert 'data-next="/"' in told(asked)
    assert 'data-next="/tables/one?x=1"' in told("/tables/one?x=1")
    assert 'data-next="/home"' in house.as_(NOBODY).http.get("/sign-in").text


HOMES = {
    "dealer": "/staff", "auditor": "/audit", "trainer": "/school", "administrator": "/accounts", "guest": "/", "player": "/",
}  # fmt: skip


@pytest.mark.parametrize("role", [*ROLES, NOBODY])
def test_everybody_begins_where_they_work(house: Served, role: str) -> None:
    answer = house.as_(role).get("/home")
    home = HOMES.get(role, "/" if role == NOBODY else "/pit")
    assert (answer.status_code, answer.headers["location"]) == (303, home)


@pytest.mark.parametrize("address", ["/", "/rules", "/odds", "/sign-in"])
def test_public_pages_show_staff_the_way_to_their_own(house: Served, address: str) -> None:
    for role in (*ROLES, NOBODY):
        links = set(Page(house.as_(role).get(address).text).links)
        own = {place.href for place in PLACES}
        assert links & own == {place.href for place in PLACES if allowed(role, place.needs)}, role


# The installed app --------------------------------------------------------------------------------------


@pytest.mark.parametrize("lang", languages())
def test_the_manifest_says_what_a_device_installs(nobody: Asking, lang: str) -> None:
    page = Page(nobody.get(f"/?lang={lang}").text)
    link = page.one("link", rel="manifest").attributes["href"]
    answer = nobody.get(link)
    assert answer.headers["content-type"] == "application/manifest+json"
    manifest = answer.json()
    assert (manifest["start_url"], manifest["scope"], manifest["id"]) == ("/", "/", "/")
    assert manifest["description"] == words(lang).ui["app_description"]
    assert {one["purpose"] for one in manifest["icons"]} == {"any", "maskable"}
    for one in manifest["icons"]:
        icon = nobody.get(link.rpartition("/")[0] + "/" + one["src"])
        width, height = struct.unpack(">II", icon.content[16:24])
        assert (icon.headers["content-type"], f"{width}x{height}") == ("image/png", one["sizes"])
    assert page.one("meta", name="theme-color").attributes["content"] == manifest["theme_color"]


def test_the_worker_may_stand_before_every_page_and_is_asked_for_again(nobody: Asking) -> None:
    answer = nobody.get("/worker.js")
    assert answer.headers["cache-control"] == "no-cache"
    assert answer.headers["content-type"].startswith("text/javascript")


@pytest.mark.parametrize(
    ("query", "status"),
    [("t=one&t=one", 400), ("t=a&t=b&t=c&t=d&t=e", 400), ("t=nowhere", 404), ("", 200), ("t=one", 200)],
)
def test_several_tables_are_four_at_most_each_once_and_there(nobody: Asking, query: str, status: int) -> None:
    answer = nobody.get(f"/several?{query}")
    assert answer.status_code == status
    assert len(Page(answer.text).all("iframe")) == (1 if query == "t=one" else 0)
