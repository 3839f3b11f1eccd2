"""What the public reads of what goes wrong: a sentence of a fixed list, and never why."""

from service.houses import DEE, PAM, SAM, WEI, bet, betting, cards, did, made, running, same, timed
from service.test_paying import BANKER_WINS, PLAYER_WINS, code, dealt, live_of
from thirdcard.cards import parse_card
from thirdcard.service.log.floor_events import PublicSentence
from thirdcard.service.log.store.sqlite import MemoryStore
from thirdcard.service.people.roles import Person
from thirdcard.service.tables import floor_plans
from thirdcard.service.tables.draft import Plan
from thirdcard.service.tables.engine import Answer, Engine
from thirdcard.service.tables.live import recover
from thirdcard.service.tables.publish import own, public
from thirdcard.table import commands
from thirdcard.words import languages, words

PIA = Person(name="Pia", role="pit-supervisor")


async def says(engine: Engine, sentence: str) -> Answer:
    return await engine.ask("one", floor_plans.say_in_public(PAM, sentence), actor="Pam")  # type: ignore[arg-type]


def read(engine: Engine) -> str:
    """What everybody reads now."""
    found: str = public(live_of(engine))["house"].saying
    return found


async def report(engine: Engine) -> None:
    """A card slipped: bets are closed and one has been drawn."""
    await did(engine, DEE, commands.Close(by="Dee"))
    await did(engine, DEE, commands.Draw(by="Dee", card=parse_card("2C")))
    await did(engine, DEE, commands.Report(by="Dee", case="other-dealing-error", note="slipped"))


def test_every_sentence_is_there_in_every_language() -> None:
    keys = PublicSentence.__args__  # type: ignore[attr-defined]
    for language in languages():
        assert all(words(language).ui[f"public_{key}"] for key in keys)


@timed
async def test_while_a_case_is_open_the_public_is_asked_for_a_moment() -> None:
    store = MemoryStore()
    async with running(store) as engine:
        await made(engine)
        await betting(engine)
        assert read(engine) == ""
        await did(engine, WEI, bet())
        await report(engine)
        assert read(engine) == "moment"
        assert live_of(engine).stopped_at == store.read("one")[-1].at
        assert (await says(engine, "card-checked")).refusal is None
        assert code(await says(engine, "card-checked")) == "wrong-phase"
        assert read(engine) == "card-checked"
        assert (await says(engine, "")).refusal is None
        assert read(engine) == "moment"
        assert (await says(engine, "card-checked")).refusal is None
        await did(engine, PAM, commands.Dismiss(by="Pam", reason="nothing was wrong"))
        assert (read(engine), live_of(engine).stopped_at, live_of(engine).cases) == ("", 0, ())
        assert same(recover("one", store.read("one")), live_of(engine))


@timed
async def test_who_publishes_and_when_it_is_so() -> None:
    """By who deals there and the pit; that a round is void only of one that is."""
    async with running(MemoryStore()) as engine:
        await made(engine)
        await betting(engine)
        await did(engine, WEI, bet())
        await report(engine)
        other = Person(name="Dan", role="dealer")
        told = await engine.ask("one", floor_plans.say_in_public(other, "moment"), actor="Dan")
        assert code(told) == "wrong-rank"
        assert code(await says(engine, "round-void")) == "condition-not-met"
        assert code(await says(engine, "result-corrected")) == "condition-not-met"
        await did(engine, PAM, commands.Dismiss(by="Pam", reason="nothing was wrong"))
        await did(engine, SAM, commands.Void(by="Sam", reason="not shuffled"))
        assert (await says(engine, "round-void")).refusal is None


@timed
async def test_what_came_of_it_is_read_until_the_next_round() -> None:
    async with running(MemoryStore()) as engine:
        await made(engine)
        await betting(engine)
        await dealt(engine, BANKER_WINS)
        await did(engine, PAM, commands.Correct(by="Pam", cards=tuple(cards(PLAYER_WINS)), reason="swapped"))
        assert (await says(engine, "result-corrected")).refusal is None
        assert read(engine) == "result-corrected"
        await did(engine, DEE, commands.Open(by="Dee"))
        assert read(engine) == ""


@timed
async def test_of_a_record_that_is_checked_the_public_reads_that_it_is() -> None:
    async with running(MemoryStore()) as engine:
        await made(engine)
        await betting(engine)
        await did(engine, DEE, commands.Close(by="Dee"))
        for card in cards(BANKER_WINS):
            await did(engine, DEE, commands.Draw(by="Dee", card=card))
        await did(engine, DEE, commands.Amend(by="Dee", cards=tuple(cards(PLAYER_WINS)), reason="misread"))
        live = live_of(engine)
        everybody = public(live)
        assert read(engine) == "moment"
        assert (everybody["amendment"].cards, everybody["amendment"].reason) == ((), "")
        assert "amendment" not in own(live, "Wei", everybody)
        assert own(live, "Dee", everybody)["amendment"].reason == "misread"
        assert own(live, "Pia", everybody) == own(live, "Pia", everybody, "auditor") == {}
        assert (
            own(live, "Pia", everybody, "pit-supervisor")["amendment"].reason == "misread"
        )  # for the first time
        await did(engine, PAM, commands.ConfirmAmendment(by="Pam"))
        assert (read(engine), live_of(engine).stopped_at) == ("", 0)


@timed
async def test_cases_are_taken_and_passed_up_and_end_with_the_table() -> None:
    store = MemoryStore()

    async def asks(plan: Plan, by: str = "Pam") -> Answer:
        return await engine.ask("one", plan, actor=by)

    async with running(store) as engine:
        await made(engine)
        await betting(engine)
        await did(engine, WEI, bet())
        assert code(await asks(floor_plans.take_case(PAM, "other-dealing-error"))) == "unknown-case"
        await report(engine)
        await did(engine, DEE, commands.Report(by="Dee", case="not-covered"))
        assert [one.case for one in live_of(engine).cases] == ["other-dealing-error", "not-covered"]
        assert code(await asks(floor_plans.take_case(DEE, "other-dealing-error"), "Dee")) == "wrong-rank"
        assert code(await asks(floor_plans.take_case(PAM, "not-covered"))) == "wrong-rank"
        assert (await asks(floor_plans.take_case(PIA, "other-dealing-error"), "Pia")).refusal is None
        assert (await asks(floor_plans.take_case(PAM, "other-dealing-error"))).refusal is None, (
            "stands higher"
        )
        assert code(await asks(floor_plans.take_case(PIA, "other-dealing-error"), "Pia")) == "wrong-rank"
        assert code(await asks(floor_plans.take_case(PAM, "other-dealing-error"))) == "wrong-phase"
        assert (await asks(floor_plans.take_case(SAM, "not-covered"), "Sam")).refusal is None
        first, second = live_of(engine).cases
        assert (first.taken_by, second.taken_by, second.by) == ("Pam", "Sam", "Dee")
        passed = floor_plans.pass_case("not-covered", "shift-manager", "beyond me")
        assert (await asks(passed)).refusal is None
        assert code(await asks(passed)) == "wrong-phase"
        second = live_of(engine).cases[1]
        assert (second.taken_by, second.passed_to, second.passed_by) == ("", "shift-manager", "Pam")
        await did(engine, PAM, commands.Dismiss(by="Pam", reason="nothing"))
        assert live_of(engine).cases == (second,)
        assert live_of(engine).stopped_at
        assert same(recover("one", store.read("one")), live_of(engine))
