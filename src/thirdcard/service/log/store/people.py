"""What a store keeps of people: accounts, sessions, names, wallets, and what they have set for themselves."""
# ruff: noqa: S608 - what is put into a statement's text are our own names

import unicodedata
from collections.abc import Collection

from thirdcard.service.log.store.model import Account, KnownAs, Personal, Session, Wallet
from thirdcard.service.log.store.reading import Changing, marks
from thirdcard.service.log.store.tables import ACCOUNTS, NAMES, PERSONAL, SESSIONS, WALLETS

WHOSE = "SELECT account FROM names WHERE key = ? UNION ALL SELECT name FROM accounts WHERE key = ?"
FREE_NAME = "DELETE FROM names WHERE account = ? AND (use = ? OR key = ?) RETURNING key"
DROP_NAME = "DELETE FROM names WHERE account = ? AND use = ? RETURNING account"
CHANGE_ACCOUNT = (
    f"UPDATE accounts SET ({ACCOUNTS.own}) = ({marks(ACCOUNTS.fields)}) WHERE key = ? RETURNING name"
)
LAST_OF_FEW = """SELECT coalesce(max(key), '') FROM (
SELECT key FROM accounts WHERE key > ? ORDER BY key LIMIT ?) AS few"""
FORGET_GUESTS = """DELETE FROM accounts WHERE role = 'guest' AND created < ? AND key > ? AND key <= ?
AND NOT EXISTS (SELECT 1 FROM sessions WHERE account_key = accounts.key)
AND NOT EXISTS (SELECT 1 FROM personal WHERE personal.key = accounts.key)
AND NOT EXISTS (SELECT 1 FROM wallets WHERE wallets.name = accounts.name)
AND NOT EXISTS (SELECT 1 FROM names WHERE names.account = accounts.name)
AND NOT EXISTS (SELECT 1 FROM streams JOIN event_index USING (stream)
WHERE event_index.key = 'rack:' || accounts.name) RETURNING name"""
DROP_SESSIONS = "DELETE FROM sessions WHERE account_key = ? OR seen < ? RETURNING token_hash"


def fold(name: str) -> str:
    """The same for names that people take for the same: whatever the case or the encoding of letters."""
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())


def account_changed(name: str) -> str:
    return f"account {name}"


def _session_ended(token_hash: bytes) -> str:
    return f"session {token_hash.hex()}"


class PeopleStore(Changing):
    """People by their names, in whatever case.

    >>> from thirdcard.service.log.store import open_store
    >>> store = open_store("memory:")
    >>> store.add_account(Account(name="Dee", role="dealer", created=0))
    True
    >>> store.add_account(Account(name="dee", role="player", created=0))  # somebody goes by it
    False
    >>> store.account("DEE").role
    'dealer'
    >>> store.close()
    """

    def account(self, name: str) -> Account | None:
        return self.first(ACCOUNTS, ACCOUNTS.at_key, fold(name))

    def accounts(self, roles: Collection[str] = ()) -> list[Account]:
        """All, or those with one of the roles."""
        where = f"role IN ({marks(roles)})" if roles else "true"
        return list(self.every(ACCOUNTS, f"{where} ORDER BY key", *roles))

    def accounts_of(self, names: Collection[str]) -> list[Account]:
        """Those of these names that there are."""
        keys = {fold(name) for name in names}
        return list(self.every(ACCOUNTS, f"key IN ({marks(keys)}) ORDER BY key", *keys)) if keys else []

    def add_account(self, account: Account) -> bool:
        """False if the name is taken; also if somebody goes by it."""
        key = fold(account.name)
        with self._writing() as writing:
            if account.role != "guest":  # nobody goes by a guest's name
                writing.lock(NAMES)
                if writing.ask("SELECT key FROM names WHERE key = ?", (key,)):
                    return False
            if not writing.ask(f"{ACCOUNTS.insert} RETURNING key", ACCOUNTS.values(account, key)):
                return False
            writing.tell(account_changed(account.name))
        return True

    def change_account(self, account: Account) -> None:
        row = ACCOUNTS.values(account, fold(account.name))
        if not self._change(CHANGE_ACCOUNT, (*row[1:], row[0]), account_changed):
            raise KeyError(account.name)

    def forget_guests(self, *, after: str, created_before: int, limit: int) -> str:
        """Look through so many accounts that follow a key; the last one's key, empty if none are left.

        Guests of before that time go who have no session, have set nothing and have never had money.
        """
        (last,) = self._ask_one(LAST_OF_FEW, (after, limit))
        self._change(FORGET_GUESTS, (created_before, after, last), account_changed)
        return str(last)

    def wallet(self, name: str) -> Wallet | None:
        """None of who has never had any money in the house."""
        return self.first(WALLETS, WALLETS.at_key, name)

    # Names that they go by

    def found_by(self, name: str, use: str) -> KnownAs | None:
        """Whose name that is beside the account's own."""
        return self.first(NAMES, "key = ? AND use = ?", fold(name), use)

    def name_of(self, account: str, use: str) -> KnownAs | None:
        """What an account goes by."""
        return self.first(NAMES, "account = ? AND use = ?", account, use)

    def claim_name(self, wanted: KnownAs) -> bool:
        """Let an account go by that name, in place of the one before; False if it is anybody else's."""
        key = fold(wanted.name)
        with self._writing() as writing:
            writing.lock(NAMES)
            if any(whose != wanted.account for (whose,) in writing.ask(WHOSE, (key, key))):
                return False
            writing.ask(FREE_NAME, (wanted.account, wanted.use, key))
            writing.put(NAMES, [NAMES.values(wanted, key)])
            writing.tell(account_changed(wanted.account))
        return True

    def drop_name(self, account: str, use: str) -> None:
        self._change(DROP_NAME, (account, use), account_changed)

    # What they have set for themselves

    def personal(self, name: str, kind: str) -> bytes | None:
        """What a person has set, of one kind."""
        kept = self.first(PERSONAL, PERSONAL.at_key, fold(name), kind)
        return None if kept is None else kept.body

    def personal_of(self, kind: str) -> list[tuple[str, bytes]]:
        """Whatever is kept of one kind, by whose it is."""
        return [(kept.key, kept.body) for kept in self.every(PERSONAL, "kind = ? ORDER BY key", kind)]

    def put_personal(self, name: str, kind: str, body: bytes) -> None:
        row = PERSONAL.values(Personal(fold(name), kind, body))
        self._change(f"{PERSONAL.insert} RETURNING key", row, account_changed)

    def drop_personal(self, name: str, kind: str) -> None:
        self._drop(PERSONAL, fold(name), kind, telling=account_changed)

    # Sessions

    def session(self, token_hash: bytes) -> Session | None:
        return self.first(SESSIONS, SESSIONS.at_key, token_hash)

    def put_session(self, session: Session) -> None:
        self._change(f"{SESSIONS.insert} RETURNING seen", SESSIONS.values(session, fold(session.account)))

    def touch_session(self, token_hash: bytes, seen: int) -> bool:
        """Note when a session was last used; False if it has been ended."""
        return bool(
            self._change(
                "UPDATE sessions SET seen = ? WHERE token_hash = ? RETURNING seen", (seen, token_hash)
            )
        )

    def drop_session(self, token_hash: bytes) -> None:
        self._drop(SESSIONS, token_hash, telling=_session_ended)

    def drop_sessions(self, *, account: str | None = None, seen_before: int | None = None) -> None:
        """Those of an account, or those last seen before a time."""
        key = None if account is None else fold(account)
        self._change(DROP_SESSIONS, (key, seen_before), _session_ended)
