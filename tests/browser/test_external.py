"""Tables by rulebooks that others brought, in a browser: bets without words, very many of them, and giving one."""

import re
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from playwright.sync_api import ViewportSize, expect

from browser.eyes import DESKTOP, PHONE, Eyes
from browser.house import PACE, House, Opens
from browser.player import Player
from browser.test_felts import CLICKS
from browser.test_pages import AXE, CHECK, SETTLED, WIDE
from thirdcard.rulebook import digest_of, named
from thirdcard.service.tables.hall import NewTable
from thirdcard.table import Setup
from thirdcard.table.setup import Limit
from thirdcard.words import words
from web.books import found, text

pytestmark = pytest.mark.browser

EZ, STRESS = "ez-baccarat", "stress"
DRAGON = "KH 2D 6S KC 5H"  # Player 6 stands; Banker wins on 7 with three cards
VIEWPORTS = pytest.mark.parametrize("viewport", [DESKTOP, PHONE], ids=["desktop", "phone"])


@pytest.fixture(autouse=True)
def books() -> Iterator[None]:
    with found(text(40, 60), text(14, 30, slug="middling"), text(2, 3, slug="two")):
        yield


def table(slug: str, positions: int = 6) -> NewTable:
    setup = Setup(
        rulebook=slug,
        layout=next(iter(named(slug).layouts)),
        positions=positions,
        limits={"*": Limit(min=5_00, max=5_000_00)},
    )
    title = named(slug).document.title
    return NewTable(id=slug, title=title, dealer="automatic", setup=setup, pace=PACE)


def ends(player: Player) -> None:
    player.house.ends("betting", player.table)
    expect(player.page.locator("round-net:visible")).to_be_visible()


@pytest.mark.whole
@VIEWPORTS
def test_a_bet_that_no_words_know_is_placed_and_settled(
    eyes: Eyes, opens: Opens, viewport: ViewportSize
) -> None:
    house = opens(table(EZ), cards=DRAGON)
    player = Player.sits(eyes, house, EZ, viewport=viewport)
    player.bets("dragon-7", 10)
    player.bets("banker", 50)
    assert "Dragon 7, pays 40 to 1" in (player.spot("dragon-7").text_content() or "")
    ends(player)
    assert player.came_to() == 400_00
    expect(player.spot("dragon-7")).to_have_class(re.compile(r"\bwin\b"))
    stated = player.statement()
    expect(stated.locator("tbody tr", has_text="Dragon 7")).to_contain_text("40 to 1")
    expect(stated.locator("tbody tr", has_text="Banker")).to_contain_text(words("en").ui["live_came_push"])
    assert player.rack() == player.ledger()


@pytest.mark.whole
@VIEWPORTS
def test_one_of_forty_bets_is_placed_and_settled(eyes: Eyes, opens: Opens, viewport: ViewportSize) -> None:
    house = opens(table(STRESS, positions=9), cards=DRAGON)
    player = Player.sits(eyes, house, STRESS, viewport=viewport)
    assert player.page.evaluate(WIDE) == []
    player.bets("side-16", 10)  # the Banker's first card is an ace or king and its third a nine: it loses
    player.bets("side-38", 5)  # at least one hand pairs: it loses too
    ends(player)
    assert player.came_to() == -15_00
    expect(player.statement()).to_contain_text(named(STRESS).bets["side-38"].name)
    assert player.rack() == player.ledger()


@pytest.mark.whole
@pytest.mark.parametrize("path", ["/tables/stress", "/tables/stress/board", "/rules/stress", "/rules"])
def test_pages_of_other_books_fit_and_have_no_serious_fault(eyes: Eyes, opens: Opens, path: str) -> None:
    page = eyes.opens(f"{opens(table(STRESS, positions=16)).url}{path}", viewport=DESKTOP)
    page.locator("h1").first.wait_for(state="attached")
    page.evaluate(AXE.read_text(encoding="utf-8"))
    for viewport in (DESKTOP, PHONE):
        page.set_viewport_size(viewport)
        page.wait_for_function(SETTLED)
        assert page.evaluate(WIDE) == [], viewport
        faults = page.wait_for_function(CHECK).json_value()
        assert not faults, "\n".join(faults)


@pytest.mark.whole
def test_every_own_spot_of_any_layout_can_be_clicked(eyes: Eyes, opens: Opens) -> None:
    page = eyes.opens(f"{opens(table(EZ)).url}/tables/{EZ}")
    page.locator("table-felt svg").wait_for()
    felts = [
        f"/felt/{slug}/Long/{count}/{own}.svg"
        for slug in (STRESS, "middling", "two")
        for count in (1, 6, 16)
        for own in sorted({1, (count + 1) // 2, count})
    ]
    came = page.wait_for_function(CLICKS, arg=felts).json_value()  # unlike evaluate, it ends in time
    assert not came["missed"], "\n".join(came["missed"])
    assert came["spots"] == 7 * (40 + 14 + 2)


def test_a_rulebook_is_given_mended_and_played(eyes: Eyes, opens: Opens, tmp_path: Path) -> None:
    """Refused with all its faults in a table, the text stays; mended it is taken, and a table opened by it."""
    eyes.expects("status of 422")
    house = opens(table(EZ))
    page = eyes.opens(f"{house.url}/staff/rulebooks", token=house.account("Ada", "administrator"))
    expect(page.locator(f'#books tr[data-slug="{EZ}"]')).to_contain_text("ez-baccarat.toml")
    file = tmp_path / "mine.toml"
    file.write_text(text(4, 20, slug="mine").replace('odds = "2 to 1"', 'odds = "two"'), encoding="utf-8")
    page.locator("#chosen").set_input_files(file)
    expect(page.locator("[name=file]")).to_have_value("mine.toml")
    page.locator("#give button[type=submit]").click()
    faults = page.locator("#findings tbody tr")
    expect(faults.first).to_contain_text("bets.side-1")
    given = page.locator("[name=text]")
    assert 'odds = "two"' in given.input_value()
    given.fill(given.input_value().replace('odds = "two"', 'odds = "2 to 1"'))
    page.locator("#give button[type=submit]").click()
    expect(page.locator("#outcome")).to_contain_text("The house has mine now")
    expect(page.locator('#books tr[data-slug="mine"]')).to_contain_text("this server")
    pit = eyes.opens(f"{house.url}/staff/tables/new", token=house.account("Pam", "pit-manager"))
    pit.locator("[name=rulebook]").select_option("mine")
    expect(pit.locator("#from")).to_contain_text("this server: mine.toml")
    pit.locator("[name=title]").fill("Mine")
    pit.locator("#go [type=submit]").click()
    pit.wait_for_url("**/staff/tables/mine/setup")
    expect(pit.locator("#bets tbody tr").first).to_be_visible()
    assert house.live("mine").table.rulebook is named("mine")


@pytest.mark.whole
def test_a_dropped_file_is_read(eyes: Eyes, opens: Opens) -> None:
    house: House = opens(table(EZ))
    page = eyes.opens(f"{house.url}/staff/rulebooks", token=house.account("Ada", "administrator"))
    dropped = page.evaluate_handle(
        """() => {
          const carried = new DataTransfer();
          carried.items.add(new File(['slug = "dropped"'], "dropped.toml"));
          return carried;
        }"""
    )
    page.locator("#drop").dispatch_event("drop", {"dataTransfer": dropped})
    expect(page.locator("[name=text]")).to_have_value('slug = "dropped"')
    expect(page.locator("[name=file]")).to_have_value("dropped.toml")


@pytest.mark.whole
def test_a_table_moves_to_another_rulebook_and_open_pages_follow(eyes: Eyes, opens: Opens) -> None:
    house = opens(msgspec.structs.replace(table(EZ), dealer="staff"))
    dealer = house.as_("dealer")
    dealer.does("new-shoe", EZ)
    watching = eyes.opens(f"{house.url}/tables/{EZ}")
    watching.locator('.spot[data-bet="dragon-7"]').first.wait_for()
    pit = eyes.opens(f"{house.url}/staff/tables/{EZ}/setup", token=house.token("shift-manager"))
    panel = pit.locator("#rulebook")
    expect(pit.locator("#game")).to_contain_text(f"The table plays by {EZ}")
    panel.locator("[name=rulebook]").select_option(f"dragon-bonus@{digest_of(named('dragon-bonus'))}")
    panel.locator("[type=submit]").click()
    expect(pit.locator("#game")).to_contain_text("The table plays by dragon-bonus")
    dealer.does("open", EZ)
    bonus = next(bet for bet in named("dragon-bonus").bets if bet not in named(EZ).bets)
    expect(watching.locator(f'.spot[data-bet~="{bonus}"]').first).to_be_attached()
    expect(watching.locator("header .title")).to_contain_text(named("dragon-bonus").document.title)
