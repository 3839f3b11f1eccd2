"""The bill of materials as CycloneDX, written by `make docs`: what is pinned, and what pages bring along.

A part is `required` by the rules engine alone, `optional` with an extra, or `excluded`: for tests and docs.
"""

import contextlib
import json
import re
import sys
import tomllib
from importlib import metadata
from itertools import chain
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
LOCK = ROOT / "requirements.lock"
BILL = ROOT / "docs" / "bill.cdx.json"
PINNED = re.compile(r"^([A-Za-z0-9._-]+)==(\S+)", re.MULTILINE)
VENDOR = ROOT / "src" / "thirdcard" / "web" / "static" / "js" / "vendor"
VERSION = re.compile(r'Versions\?\?=\[\]\)\.push\("([\d.]+)"\)')
LICENCE = re.compile(r"SPDX-License-Identifier: (\S+)")
NEEDED = re.compile(r"^([A-Za-z0-9._-]+)(?:\[([^]]*)\])?")


def _plain(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def pinned() -> dict[str, str]:
    """What the lock file pins, name and version."""
    return {_plain(name): version for name, version in PINNED.findall(LOCK.read_text(encoding="utf-8"))}


def _parts_of(lines: list[str], found: set[str]) -> set[str]:
    """What these lines ask for, and what that needs in turn; what is of another system is not followed."""
    for line in lines:
        ((name, extras),) = NEEDED.findall(line)
        name = _plain(name)
        if name == "thirdcard" or name in found:
            continue
        found.add(name)
        with contextlib.suppress(metadata.PackageNotFoundError):
            its = [of for of in metadata.requires(name) or () if "extra ==" not in of or _is_of(of, extras)]
            _parts_of([of.partition(";")[0] for of in its], found)
    return found


def _is_of(line: str, extras: str) -> bool:
    return any(f"extra == '{one.strip()}'" in line.replace('"', "'") for one in extras.split(","))


def _licence(name: str) -> list[dict[str, Any]]:
    try:
        told = metadata.metadata(name)
    except metadata.PackageNotFoundError:
        return []
    return [{"expression": told["License-Expression"]}] if "License-Expression" in told else []


def _brought() -> list[dict[str, Any]]:
    """The libraries whose files are among the pages' scripts; each says its version and licence."""
    found = []
    for folder in sorted(one.parent for one in VENDOR.glob("*/*.js") if one.stem == one.parent.name):
        text = (folder / f"{folder.name}.js").read_text(encoding="utf-8")
        (version,), (licence,) = VERSION.findall(text), LICENCE.findall(text)[:1]
        found.append(
            {
                "type": "library",
                "name": folder.name,
                "version": version,
                "scope": "optional",
                "purl": f"pkg:npm/{folder.name}@{version}",
                "licenses": [{"expression": licence}],
            }
        )
    return found


def bill() -> dict[str, Any]:
    """The bill as CycloneDX has it; the same lock file gives the same bill."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    offered = project["optional-dependencies"].items()
    extras = [lines for extra, lines in offered if extra not in {"dev", "docs"}]
    required = _parts_of(project["dependencies"], set())
    optional = _parts_of(list(chain(*extras)), set())
    components = []
    for name, version in sorted(pinned().items()):
        scope = "required" if name in required else "optional" if name in optional else "excluded"
        component: dict[str, Any] = {
            "type": "library",
            "name": name,
            "version": version,
            "scope": scope,
            "purl": f"pkg:pypi/{name}@{version}",
        }
        if licences := _licence(name):
            component["licenses"] = licences
        components.append(component)
    this = {"type": "application", "name": "thirdcard", "version": project["version"]}
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {"component": this},
        "components": components + _brought(),
    }


if __name__ == "__main__":
    BILL.write_text(json.dumps(bill(), indent=1) + "\n", encoding="utf-8")
    sys.stdout.write(f"{BILL.relative_to(ROOT)}: {len(pinned())} parts\n")
