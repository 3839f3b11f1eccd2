"""Storms over the service: nothing goes wrong, a seed is a storm, and what was put wrong on purpose is found."""

import os
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from simulator.planted import PLANTED
from simulator.storm import KINDS, plan

pytestmark = pytest.mark.slow

TESTS = Path(__file__).parents[1]


def simulated(*arguments: str) -> "subprocess.CompletedProcess[str]":
    """In a process of its own, which nothing has been imported or patched in."""
    command = [sys.executable, "-m", "simulator", *arguments]
    env = os.environ | {"PYTHONHASHSEED": "0"}  # which it would start itself again for
    return subprocess.run(command, cwd=TESTS, env=env, capture_output=True, text=True, check=False)


@pytest.mark.whole  # the gate has a shorter one by `make soak SMALLEST=1`
@pytest.mark.parametrize("seed", ["2", "6"])  # three processes of one store, one that has its store to itself
def test_nothing_goes_wrong(seed: str) -> None:
    done = simulated("--seed", seed, "--seconds", "60", "--json")
    found, counted, _ = msgspec.json.decode(done.stdout, type=tuple[str, dict[str, int], str])
    assert not found, done.stderr[-3000:]
    assert counted["stakes"] > 100, "people bet"
    assert counted["paid"] > 10
    assert counted["refunded"] > 0


@pytest.mark.whole
def test_a_seed_is_a_storm() -> None:
    told = [simulated("--seed", "1", "--seconds", "10", "--json").stdout for _ in range(2)]
    found, counted, _ = msgspec.json.decode(told[0], type=tuple[str, dict[str, int], str])
    assert not found
    assert counted["events"] > 100
    assert told[0] == told[1]


@pytest.mark.whole
@pytest.mark.parametrize("name", ["answer-not-kept", "wallet-spent-twice"])  # make storms plants them all
def test_a_planted_fault_is_found(name: str) -> None:
    done = simulated("--plant", name, "--search", "--seconds", "120")
    assert not done.returncode, done.stdout + done.stderr


def test_there_are_enough_planted_faults() -> None:
    assert len(PLANTED) >= 10


def test_every_kind_of_fault_befalls_some_storm() -> None:
    faults = [fault for seed in range(30) for fault in plan(str(seed)).faults]
    assert {fault.kind for fault in faults} == set(KINDS)
