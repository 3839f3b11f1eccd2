"""What is one's own around the tables: ways and wallet, seat and table that one waits for, chips, odds, languages."""

import re
from collections.abc import Iterator

import msgspec
import pytest
from playwright.sync_api import Page, ViewportSize, expect

from browser.eyes import PHONE, Eyes
from browser.house import House, Opens, table, until
from browser.player import MINUS, Player, cents
from service.api.serving import Asking
from service.houses import KEY
from thirdcard.service.audit import audit_store
from thirdcard.service.log.store import open_snapshot
from thirdcard.table.state import Stake
from thirdcard.words import languages

pytestmark = pytest.mark.browser

TABLE = "tiger-buffalo"
INSURED = "6C 3D KH AS 3C "  # insurance on Player at 5 to 2, then Banker wins
NATURAL = "9C 2D KH 3S "
# Words of a page that are not names, figures or said to be of another language.
SAID = """() => {
  const foreign = "body [lang=en], body [lang=zh-Hant], script, style, code, kbd, .brand, .avatar";
  const found = [];
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walk.nextNode(); node; node = walk.nextNode()) {
    const at = node.parentElement;
    const printed = at.closest(".stage") && !/[a-z]/.test(node.data); // as the documents' layouts have it
    if (node.data.trim() && !at.closest(foreign) && !printed) found.push(node.data.trim());
  }
  for (const one of document.querySelectorAll("[aria-label], [title], [placeholder]")) {
    if (one.closest(foreign)) continue;
    found.push(...["aria-label", "title", "placeholder"].map((name) => one.getAttribute(name)).filter(Boolean));
  }
  return [document.title.replace("thirdcard", ""), ...found];
}"""
ENGLISH = re.compile(r"[A-Za-z]{2,}(?:[ ,'-]+[A-Za-z]{2,})+|^[A-Za-z]{4,}$")  # two words, or one alone
NAMES = re.compile(r"guest-\w+|Wei|SHA-256|[0-9a-f]{8,}|thirdcard")


@pytest.fixture(scope="module")
def own(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with House(tmp_path_factory.mktemp("own") / "house.db") as made:
        yield made


@pytest.mark.whole
def test_the_header_leads_everywhere_and_the_wallet_says_where_money_is(eyes: Eyes, own: House) -> None:
    player = Player.sits(eyes, own, TABLE)
    page = player.page
    expect(page.locator(".pocket [data-show=wallet]")).not_to_be_empty()
    had, lies = player.rack(), cents(page.locator(".pocket [data-show=wallet]").inner_text())
    page.locator(".pocket").click()
    page.locator("#top-up").click()
    expect(page.locator(".pocket [data-show=wallet]")).to_have_text(f"{(lies - 100_000) // 100:,}")
    assert player.rack() == player.ledger() == had + 100_000

    page.locator(".topbar a[href='/']").first.click()
    links = page.locator(".navlink").all_inner_texts()
    assert links[:6] == ["Play", "My rounds", "Learn", "School", "Odds", "Rules"]
    expect(page.locator("#kept")).to_contain_text("rounds left: 3")
    page.locator("player-purse summary").click()
    menu = page.locator(".wallet-menu")
    expect(menu).to_contain_text(f"In the wallet {(lies - 100_000) // 100:,}")
    expect(menu).to_contain_text(f"in racks {(had + 100_000) // 100:,}")
    page.keyboard.press("Escape")
    expect(menu).to_be_hidden()
    page.locator("player-purse summary").click()
    menu.get_by_role("link", name="My limits").click()
    page.wait_for_url("**/limits")
    page.get_by_role("link", name="My rounds").click()
    page.wait_for_url("**/account")
    page.get_by_role("link", name="Learn").click()
    page.wait_for_url("**/learn")
    assert page.locator(".lessons li").count() == len(own.live(TABLE).table.setup.bets)
    page.get_by_role("link", name="Play").click()
    page.get_by_role("link", name="Return to your seat").click()
    page.wait_for_url(f"**/tables/{TABLE}")
    expect(player.spot("player")).to_have_attribute("aria-disabled", "false")


@pytest.mark.whole
def test_who_waits_for_a_dealer_is_told_and_filters_and_badges_say_what_there_is(
    eyes: Eyes, own: House
) -> None:
    page = eyes.opens(f"{own.url}/")
    card = page.locator('.tcard[data-id="salon"]')
    expect(card).to_contain_text("no dealer now")
    expect(card.locator("[data-sit]")).to_have_count(0)
    card.get_by_role("button", name="Tell me").click()
    expect(card.locator("[data-tell]")).to_have_text("You will be told")
    page.locator('[data-kind="squeeze"]').click()
    assert [one.get_attribute("data-id") for one in page.locator(".tcard:visible").all()] == ["squeeze-salon"]
    page.locator('[data-kind="all"]').click()
    dealer = Asking(own, own.account("Dee", "dealer"))
    assert dealer.post("/api/tables/salon/dealer").status_code == 200
    expect(page.locator("#told")).to_contain_text("A dealer is at Hand-dealt Tiger Buffalo now.")
    expect(card.locator("[data-sit]")).to_be_visible()


@pytest.mark.whole
def test_a_run_is_a_badge_of_its_table(eyes: Eyes, opens: Opens) -> None:
    house = opens(table(TABLE), cards=NATURAL * 3)
    player = Player.sits(eyes, house, TABLE)
    for _ in range(3):
        house.ends("betting", TABLE)
        until(lambda: house.live(TABLE).table.phase == "settled")
        house.ends("result", TABLE)
        until(lambda: house.live(TABLE).table.phase == "betting")
    player.page.goto(house.url)
    expect(player.page.locator(".pattern")).to_have_text("Player 3 in a row")


def lying(house: House) -> list[Stake]:
    current = house.live(TABLE).table.round
    return list(current.stakes.values()) if current else []


@pytest.mark.whole
def test_who_watches_a_full_table_bets_behind_with_one_press(eyes: Eyes, opens: Opens) -> None:
    house = opens(table(TABLE, positions=1), cards=NATURAL)
    seated = Player.sits(eyes, house, TABLE)
    watching = eyes.opens(f"{house.url}/tables/{TABLE}")
    watching.get_by_role("button", name=f"Bet behind {seated.name}").click()
    behind = Player(watching, house, TABLE)
    expect(behind.spot("player")).to_have_attribute("aria-disabled", "false")
    watching.locator('.chipbtn[data-cents="10000"]').click()
    behind.clicks("player")
    until(lambda: lying(house))
    (stake,) = lying(house)
    assert (stake.box, stake.cents, stake.player == seated.name) == (1, 10_000, False)


@pytest.mark.whole
@pytest.mark.parametrize("viewport", [{"width": 1366, "height": 768}, PHONE], ids=["1366", "390"])
def test_an_offer_says_who_wins_and_what_that_brings(
    viewport: ViewportSize, eyes: Eyes, opens: Opens
) -> None:
    house = opens(table(TABLE), cards=INSURED)
    player = Player.sits(eyes, house, TABLE, viewport=viewport)
    player.bets("player", 100)
    house.ends("betting", TABLE)
    lines = player.page.locator("insurance-prompt .what li")
    expect(lines).to_have_count(3)
    told = [" ".join(one.inner_text().split()) for one in lines.all()]
    assert re.fullmatch(r"Banker wins [\d.]+% \+125", told[0])
    assert re.fullmatch(r"tie [\d.]+% back", told[1])
    assert re.fullmatch(rf"Player wins [\d.]+% {MINUS}50", told[2])


@pytest.mark.whole
def test_chips_of_the_rack_have_the_order_that_i_want_and_marks_the_shapes(eyes: Eyes, own: House) -> None:
    player = Player.sits(eyes, own, "tiger")
    page = player.page

    def rack() -> list[str | None]:
        return [one.get_attribute("data-cents") for one in page.locator(".chipbtn").all()]

    before = rack()
    page.locator('[data-act="chips"]').click()
    page.get_by_role("button", name="Move the chip of 10 to the left").click()
    after = [before[1], before[0], *before[2:]]
    until(lambda: rack() == after)
    page.reload()
    expect(player.spot("player")).to_have_attribute("aria-disabled", "false")
    until(lambda: rack() == after)
    page.keyboard.press("1")
    expect(page.locator(".chipbtn[aria-checked=true]")).to_have_attribute("data-cents", after[0] or "")

    page.keyboard.press("g")
    shapes = page.get_by_role("button", name="Shapes")
    expect(shapes).to_have_attribute("aria-pressed", "false")
    shapes.click()
    page.reload()
    expect(page.locator("html")).to_have_class(re.compile("shapes"))


@pytest.mark.whole
def test_a_house_may_keep_the_odds_of_a_shoe_to_itself(eyes: Eyes, opens: Opens) -> None:
    hidden = msgspec.structs.replace(table(TABLE), live_odds=False)
    house = opens(hidden)
    player = Player.sits(eyes, house, TABLE)
    page = player.page
    page.keyboard.press("o")
    expect(page.locator('[data-lesson="odds"]').first).to_be_hidden()
    page.locator(".pocket").click()
    expect(page.locator("#menu")).to_contain_text("How the bets work")
    expect(page.locator("#menu [data-lesson=odds]")).to_be_hidden()
    expect(page.locator("shoe-odds")).to_be_hidden()
    assert page.request.get(f"{house.url}/api/tables/{TABLE}/odds").status == 403


@pytest.mark.whole
def test_a_bet_that_favours_nobody_is_said_to(eyes: Eyes, own: House) -> None:
    """Such a shoe is rare: what the server says of it is put in its place."""
    page = eyes.opens(f"{own.url}/tables/{TABLE}")
    expect(page.locator("table-purse .watching")).to_be_visible()
    exact = page.evaluate(f"fetch('/api/tables/{TABLE}/odds').then((one) => one.json())")

    def shows(edge: str, approximately: float, told: str) -> None:
        changed = exact | {"bets": {**exact["bets"]}}
        changed["bets"]["tie"] = {
            **exact["bets"]["tie"],
            "house_edge": edge,
            "house_edge_approx": approximately,
        }
        page.route("**/odds", lambda route: route.fulfill(json=changed))
        page.keyboard.press("o")
        expect(page.locator("shoe-odds .fine")).to_have_text(re.compile(f"^{re.escape(told)}"))
        page.keyboard.press("o")
        expect(page.locator("shoe-odds")).to_be_hidden()
        page.unroute("**/odds")

    shows("0", 0.0, "Tie favours nobody now: what it pays is what it is worth.")
    shows("-1/50", -0.02, "Tie favours you now by 2.00%")
    shows("1/5000", 0.0002, "Every bet still favours the house. Best now: Tie, 0.02%.")


def test_wallet_and_racks_are_the_ledger_after_a_restart(eyes: Eyes, opens: Opens) -> None:
    eyes.expects("ERR_CONNECTION_REFUSED|WebSocket connection to .* failed")
    house = opens(table(TABLE), cards=NATURAL * 2)
    player = Player.sits(eyes, house, TABLE)
    player.bets("player", 100)
    house.ends("betting", TABLE)
    until(lambda: house.live(TABLE).table.phase == "settled")
    won = player.rack()
    assert won == player.ledger()
    wallet = player.page.request.get(f"{house.url}/api/me/wallet").json()
    house.stop()
    with open_snapshot(str(house.path)) as snapshot:
        assert not audit_store(snapshot, (), KEY).problems
    again = opens(again=house)
    kept = Player(player.page, again, TABLE)
    kept.page.reload()
    until(lambda: kept.rack() == won)
    assert kept.page.request.get(f"{again.url}/api/me/wallet").json() == wallet
    assert again.rack(TABLE, kept.name) == won


def sentences(page: Page) -> list[str]:
    return [one for one in page.evaluate(SAID) if ENGLISH.search(NAMES.sub("", one).strip())]


@pytest.mark.whole
@pytest.mark.parametrize("lang", [one for one in languages() if one != "en"])
def test_no_page_for_players_says_anything_in_english(lang: str, eyes: Eyes, opens: Opens) -> None:
    """Titles, labels and refusals too; 简体 has no character that only 繁體 has."""
    eyes.expects("status of 4")
    house = opens(table(TABLE), cards=INSURED)
    locale = {"zh": "zh-HK"}.get(lang, "zh-CN")
    player = Player.from_lobby(eyes, house, TABLE, locale=locale)
    page, found = player.page, dict[str, list[str]]()
    player.takes_chip(5)
    player.clicks("player")
    expect(page.locator(".toast")).to_be_visible()
    found["refusal"] = sentences(page)
    player.bets("player", 100)
    page.locator(".pocket").click()
    found["menu"] = sentences(page)
    page.keyboard.press("Escape")
    expect(page.locator("#menu")).to_be_hidden()
    for name in ("saved", "times"):
        page.locator(f'[data-act="{name}"]').first.click()
        found[name] = sentences(page)
    house.ends("betting", TABLE)
    expect(page.locator("insurance-prompt .what")).to_be_visible()
    found["insurance"] = sentences(page)
    page.locator("[data-act=decline]").click()
    player.statement()
    found["statement"] = sentences(page)
    for path in ("/", "/account?span=all", "/limits", "/learn", "/sign-in", f"/tables/{TABLE}/shoes/1", "/offline",
                 "/several", "/no-such-page"):  # fmt: skip
        page.goto(f"{house.url}{path}")
        page.wait_for_load_state("networkidle")
        found[path] = sentences(page)
        if lang == "zh-Hans":
            written = {
                letter for one in page.evaluate(SAID) for letter in one if "\u4e00" <= letter <= "\u9fff"
            }
            assert "".join(sorted(written - set("曱甴繁體"))).encode("gb2312"), path
    assert not any(found.values()), {name: told for name, told in found.items() if told}
