"""What all tests rely on, and the tier that each belongs to."""

import gc
import itertools
import signal
import sys
from collections.abc import Iterator
from copy import copy
from importlib import import_module
from pathlib import Path

import hypothesis
import pytest

# A shell that starts a command in the background has it ignore Ctrl-C, and programs started from here would
# inherit that; the tests that interrupt something need it to be noticed.
signal.signal(signal.SIGINT, signal.default_int_handler)

# A busy machine makes no test fail: nothing here depends on speed.
hypothesis.settings.register_profile("patient", deadline=None)
hypothesis.settings.load_profile("patient")

# What checks for several tests, wherever it is imported from first.
pytest.register_assert_rewrite(
    "irregularities.checks",
    "irregularities.checks_cards",
    "irregularities.every_case",
    "irregularities.situations",
    "rules.checks",
    "rules.insurance_checks",
    "table.tables",
)

sources = import_module("thirdcard.rulebook.sources")

POSTGRES = {"postgres", "server"}  # fixtures, or their parameters, that start one
# Folders, files and single tests by tier, the first that fits; what is not here is quick.
TIERS = {
    "browser": ("browser",),
    "server": (
        "cli/test_service.py",
        "service/api",
        "service/store/test_sqlite.py::test_one_process_at_a_time_serves_a_file",
        "service/test_cluster.py",
        "service/test_wallets.py",
        "service/test_covered.py",
        "service/test_kill.py",
        "service/test_races.py",
        "simulate/test_cluster.py",
        "web/test_external.py",
        "web/test_site.py",
        "web/test_staff_pages.py",
    ),
    "slow": (
        "cli",
        "counts",
        "law",
        "odds/test_counting.py",
        "odds/test_kernel.py",
        "protect",
        "service/store/test_power.py",
        "service/test_audit.py",
        "service/test_backup.py",
        "service/test_heads.py",
        "service/test_start.py",
        "simulate",
        "simulator",
        "table/test_legal.py",
        "table/test_machine.py",
        "test_docs.py",
        "test_layers.py",
        "test_newcomer.py",
        "test_site.py",
        "test_wheel.py",
        "transcripts/table",
        "transcripts/test_transcripts.py",
    ),
}

# What `make test` leaves to `make whole`: tests of tests, long walks by chance, and the same for more documents, screens
# and stores. Beside each what `make test` has of it all the same: the cases whose names begin so.
LEFT_TO_WHOLE = {
    "browser/test_cases.py": ("rws-tiger-buffalo-commission-v2-neglected",),
    "browser/test_desk_steps.py::test_the_later_steps_fit_the_screen": ("en",),
    "browser/test_evening.py::test_an_evening_by_touch_alone": (),
    "browser/test_external.py::test_a_bet_that_no_words_know_is_placed_and_settled": ("desktop",),
    "browser/test_external.py::test_one_of_forty_bets_is_placed_and_settled": ("phone",),
    "browser/test_external.py::test_pages_of_other_books_fit_and_have_no_serious_fault": ("/tables/stress",),
    "browser/test_felts.py::test_own_spots_can_be_clicked": ("rws-tiger-buffalo-commission",),
    "browser/test_games.py::test_a_round_by_keyboard": ("rws-commission",),
    "browser/test_games.py::test_a_scanner_that_types_ahead": ("mbs",),
    "browser/test_keyboard.py::test_keyboard_alone_plays_a_round": (),
    "browser/test_lessons.py::test_help_in_every_language_and_for_who_only_watches": (),
    "browser/test_lessons.py::test_help_on_a_spot_by_press_menu_and_key": ("390",),
    "browser/test_lessons.py::test_the_coach_has_three_steps_goes_on_with_what_one_does_and_comes_once": ("390",),
    "browser/test_lessons.py::test_the_odds_of_the_shoe_are_those_of_the_api_and_cover_nothing": ("1440",),
    "browser/test_lessons.py::test_the_roads_in_large_and_what_a_win_would_write": ("390",),
    "browser/test_motion.py::test_moving_skipped_and_still_tables_end_the_same_and_nothing_is_heard": (),
    "browser/test_own_side.py::test_an_offer_says_who_wins_and_what_that_brings": ("390",),
    "browser/test_own_side.py::test_no_page_for_players_says_anything_in_english": ("zh-Hans",),
    "browser/test_pages.py::test_no_serious_fault_for_axe_in_what_a_table_opens": ("odds", "tools"),
    "browser/test_people.py::test_less_motion": (),
    "browser/test_pit.py::test_the_pit_speaks_chinese_without_an_english_word_of_ours": ("/pit/salon",),
    "browser/test_practice.py::test_troubles_are_dealt_with_at_the_desk_by_keyboard": (),
    "browser/test_print.py::test_pages_print_light_and_whole_with_a_foot": (),
    "browser/test_protect_pages.py::test_every_view_and_the_report_print_whole": (),
    "browser/test_protect_pages.py::test_every_view_is_whole": ("viewport0",),
    "browser/test_protect_pages.py::test_the_radar_is_opened_with_a_reason_and_shows_who_stands_out": (),
    "browser/test_rounds.py": ("commission-insurance", "tiger-buffalo-390"),
    "browser/test_school.py::test_every_drill_is_answered_on_a_phone_without_scrolling": ("en",),
    "browser/test_several.py::test_as_many_tables_as_the_screen_takes": (),
    "browser/test_sizes.py": ("boxes-6",),
    "browser/test_staffed.py::test_the_whole_desk_fits_the_screen": ("en",),
    "browser/test_whole_floor.py": (),
    "cli/test_anywhere.py::test_a_house_is_served_without_what_only_unix_has": (),
    "cli/test_anywhere.py::test_a_missing_extra_is_told_in_a_sentence": ("modules1-", "modules9", "modules12", "modules13", "modules14", "modules15"),
    "cli/test_anywhere.py::test_a_narrow_terminal_shows_every_word_that_a_wide_one_does": ("odds mbs", "protect known", "roads", "rules", "settle"),
    "cli/test_anywhere.py::test_commands_need_nothing_that_only_unix_has": ("arguments0", "arguments1"),
    "cli/test_rules.py::test_people_get_text_that_fits_eighty_columns": ("arguments0", "arguments1", "arguments6"),
    "cli/test_service.py::test_a_second_signal_ends_it_at_once": (),
    "cli/test_service.py::test_an_event_of_a_newer_release_is_one_sentence": (),
    "cli/test_service.py::test_codes_of_staff_are_asked_for_and_reset_beside_a_running_server": (),
    "cli/test_service.py::test_names_do_nothing_to_the_terminal": (),
    "cli/test_service.py::test_other_machines_are_served_by_the_name_they_use": (),
    "law/test_mutants.py::test_planted_survivors_are_found": (),
    "odds/test_closer_look.py::test_any_bet_equals_the_slow_enumeration": ("0", "1"),
    "odds/test_counting.py::test_larger_shoes_equal_the_slow_enumeration": ("0", "1", "5"),
    "odds/test_counting.py::test_nearly_empty_shoes_equal_the_slow_enumeration": ("0", "1"),
    "odds/test_kernel.py::test_the_kernel_compiles_where_nothing_can_be_kept": (),
    "protect/test_known_cards.py::test_known_cards_of_a_small_shoe": ("mbs",),
    "protect/test_protect.py::test_other_published_counts_are_met_too": ("tie", "lucky-6 from 7"),
    "protect/test_protect.py::test_perfect_play_and_counts_are_those_of_a_plain_model": ("nothing-one", "3-cut"),
    "service/api/test_json.py::test_a_number_that_is_none_of_this_world": ("place", "insure", "buy-in", "choose", "sit"),
    "service/api/test_privacy.py::test_face_down_cards_are_told_to_nobody": ("cbi",),
    "service/api/test_privacy.py::test_the_search_finds_what_is_told": (),
    "service/api/test_schemathesis.py::test_whatever_is_sent": (),
    "service/api/test_sizes.py::test_much_nonsense_over_the_socket_stops_nothing": (),
    "service/api/test_sizes.py::test_two_thousand_sockets_come_and_go": (),
    "service/api/test_unseen.py::test_a_planted_leak_is_found": (),
    "service/api/test_unseen.py::test_nobody_is_told_of_a_card_that_nobody_has_seen": ("mbs", "rws-commission"),
    "service/store/test_postgres.py::test_without_a_sync_at_commit_it_would_lose_some": (),
    "service/test_audit.py::test_a_lie_in_perfect_order_is_found_without_the_anchor": ("paid more", "other odds", "a void"),
    "service/test_audit.py::test_a_random_edit_is_found": ("0", "1"),
    "service/test_audit.py::test_tables_where_everything_goes_wrong_are_clean": ("mbs",),
    "service/test_audit.py::test_two_shoes_of_people_at_random_are_clean": ("MBS method B", "CBI", "TBC face down without"),
    "service/test_audit.py::test_whatever_is_told_of_a_shoe_otherwise_than_it_was_is_found": ("another", "decks"),
    "service/test_cluster.py::test_a_deadline_that_only_a_bystander_thought_missed_interrupts_nothing_later": (),
    "service/test_cluster.py::test_when_the_process_that_deals_hangs_another_takes_over_and_it_goes_on_nowhere_when_it_wakes": (),
    "service/test_cluster.py::test_who_asks_while_postgresql_stays_away_is_told_so": (),
    "service/test_covered.py::test_every_column_is_covered_or_listed": ("sqlite",),
    "service/test_kill.py::test_a_server_that_answers_before_it_commits_is_found_out": (),
    "service/test_practice.py::test_who_deals_with_every_trouble_as_it_is_has_all_points": ("mbs-tiger-v2-down", "rws-tiger-buffalo-commission-v2-up"),
    "simulate/test_cli_simulate.py::test_an_install_with_no_place_for_compiled_code_still_runs": (),
    "simulate/test_closer_look.py::test_sessions_to_the_cent": ("flat", "martingale", "labouchere"),
    "simulate/test_cluster.py::test_a_cluster_without_workers": (),
    "simulate/test_cluster.py::test_a_lost_scheduler_is_said_and_what_is_done_is_kept": (),
    "simulate/test_cluster.py::test_workers_play_by_the_text_of_a_file_that_they_never_saw": (),
    "simulator/test_simulator.py::test_a_planted_fault_is_found": (),
    "simulator/test_simulator.py::test_a_seed_is_a_storm": (),
    "simulator/test_simulator.py::test_nothing_goes_wrong": ("2",),
    "table/test_legal.py::test_what_is_listed_is_exactly_what_is_accepted": ("insurance", "settled", "face down", "final"),
    "table/test_machine.py::test_a_planted_fault_in_a_fold_is_found": (),
    "table/test_machine.py::test_a_planted_fault_is_found": (),
    "table/test_machine.py::test_every_layout": ("mbs", "rws-commission"),
    "table/test_machine.py::test_walks_come_to_everything_that_can_happen": (),
    "table/test_machine.py::test_whatever_people_do": ("mbs", "rws-tiger-buffalo-commission"),
    "test_layers.py::test_a_planted_violation_is_found": (),
    "test_newcomer.py::test_each_extra_brings_what_it_needs": ("serve",),
    "test_site.py::test_a_broken_link_is_an_error": (),
}  # fmt: skip

QUICK_TURN = 3
SECONDS = (8.0, 2.5, 0.7)  # that a test takes, by its turn: about

# Tests of ten seconds and more, which come before all others.
LONGEST = (
    "browser/test_whole_floor.py",
    "law/test_mutants.py",
    "rulebook/test_contract.py::test_a_missing_part",
    "service/api/test_privacy.py",
    "service/api/test_schemathesis.py",
    "service/test_audit.py",
    "service/test_covered.py",
    "service/test_kill.py",
    "simulate/test_cluster.py",
    "simulate/test_work.py",
    "simulator",
    "table/test_legal.py",
    "table/test_machine.py",
)


@pytest.fixture(scope="module", autouse=True)
def rulebooks_of_a_file_stay_in_it() -> Iterator[None]:
    """Folders searched and books taken by servers in this process are not found by the tests of other files."""
    with pytest.MonkeyPatch.context() as patch:
        for name in ("_folders", "_taken"):
            patch.setattr(sources, name, copy(getattr(sources, name)))
        yield


def listed(name: str) -> str | None:
    """The tier that a folder, file or test is listed in."""
    for tier, places in TIERS.items():
        if any(name == place or name.startswith((f"{place}/", f"{place}::")) for place in places):
            return tier
    return None


def left_to_whole(name: str, case: str) -> bool:
    """Whether `make test` leaves this case of a test to `make whole`."""
    kept = LEFT_TO_WHOLE.get(name, LEFT_TO_WHOLE.get(name.partition("::")[0]))
    return kept is not None and not case.startswith(kept)


def tier_of(item: pytest.Item) -> str:
    """The tier of a test, by where it stands and by what it asks for."""
    name, _, case = item.nodeid.removeprefix("tests/").partition("[")
    if left_to_whole(name, case):
        return "whole"
    if tier := listed(name):
        return tier
    parameters = item.callspec.params.values() if hasattr(item, "callspec") else ()
    asked = {*getattr(item, "fixturenames", ()), *(one for one in parameters if isinstance(one, str))}
    return "server" if asked & POSTGRES else "quick"


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Who asks for the quick tier does not wait until the others are read."""
    name = collection_path.relative_to(Path(__file__).parent).as_posix()
    return True if config.getoption("-m") == "quick" and listed(name) else None


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Long tests come first, and each process has its share of them."""
    for item in items:
        item.add_marker(tier_of(item))
    if config.args == config.getini("testpaths"):
        _check_whole(items)
    items.sort(key=_turn)
    processes = getattr(config, "workerinput", {}).get("workercount", 1)
    if processes > 1:
        items[:] = shared_out(items, processes)


def _check_whole(items: list[pytest.Item]) -> None:
    """Of all tests: a case that was renamed must not be left to `make whole` unnoticed."""
    names = [item.nodeid.removeprefix("tests/").partition("[")[::2] for item in items]
    for place, kept in LEFT_TO_WHOLE.items():
        cases = [case for name, case in names if name == place or name.startswith(f"{place}::")]
        gone = [one for one in kept if not any(case.startswith(one) for case in cases)]
        if gone or not cases:
            raise pytest.UsageError(f"LEFT_TO_WHOLE in tests/conftest.py: {place} has no case {gone}")


def _turn(item: pytest.Item) -> int:
    name = item.nodeid.removeprefix("tests/")
    if name.startswith(LONGEST):
        return 0
    if item.get_closest_marker("browser"):
        return 1
    return QUICK_TURN if item.get_closest_marker("quick") else 2


def shared_out(items: list[pytest.Item], processes: int) -> list[pytest.Item]:
    """One part for each process, of the same number of tests and of about the same time.

    That is how xdist hands them out at first, before who is done takes from the others. A file stays together,
    for what its tests share, but for the quick ones, which make the parts equal.
    """
    files: dict[str, list[pytest.Item]] = {}
    for item in items:
        if _turn(item) < QUICK_TURN:
            files.setdefault(item.nodeid.partition("::")[0], []).append(item)
    quick = [item for item in items if _turn(item) == QUICK_TURN]
    parts: list[list[pytest.Item]] = [[] for _ in range(processes)]
    load = [0.0] * processes
    seconds = {file: sum(SECONDS[_turn(item)] for item in those) for file, those in files.items()}
    for file in sorted(files, key=lambda file: -seconds[file]):
        least = load.index(min(load))
        parts[least] += files[file]
        load[least] += seconds[file]
    left = len(items)
    for place, part in enumerate(parts):
        size = left // (processes - place)
        room = max(0, size - len(part))
        part.sort(key=_turn)
        part.extend(quick[:room])
        del quick[:room]
        left -= size
    return [*itertools.chain(*parts), *quick]


def pytest_runtest_setup(item: pytest.Item) -> None:
    """No browser runs beside a test that has none."""
    if not item.get_closest_marker("browser"):
        _close_browser()


def pytest_sessionfinish() -> None:
    _close_browser()


def _close_browser() -> None:
    if running := sys.modules.get("browser.running"):
        running.close()


def pytest_collection_finish() -> None:
    """Thousands of tests and their modules stay to the end: going through them again and again takes time."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 50)
