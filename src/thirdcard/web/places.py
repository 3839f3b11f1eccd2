"""Where staff work: the pages that each role may open, and the one where it begins."""

from typing import NamedTuple

from thirdcard.service.people.roles import Permission, allowed


class StaffPage(NamedTuple):
    """A page of staff; `name` is what its phrase and its template call it."""

    name: str
    href: str
    needs: Permission


PLACES = (
    StaffPage("pit", "/pit", "staff"),
    StaffPage("shift", "/staff/shift", "shift"),
    StaffPage("tables", "/staff", "deal"),
    StaffPage("setup", "/staff/tables/new", "create-table"),
    StaffPage("accounts", "/accounts", "manage-accounts"),
    StaffPage("rulebooks", "/staff/rulebooks", "add-rulebook"),
    StaffPage("audit", "/audit", "read-log"),
    StaffPage("protect", "/protect", "protect"),
)
HOMES = {"dealer": "/staff", "auditor": "/audit", "trainer": "/school", "administrator": "/accounts"}
LOBBY = "/"


def places(role: str) -> list[StaffPage]:
    """The pages of staff that this role may open."""
    return [place for place in PLACES if allowed(role, place.needs)]


def home_of(role: str) -> str:
    """Where somebody of this role begins; players and strangers do in the lobby."""
    return HOMES.get(role, "/pit" if allowed(role, "staff") else LOBBY)
