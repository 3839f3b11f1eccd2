"""A page as a test reads it: its ids, links, tables and words. Reading refuses what is not well formed."""

from collections import Counter
from functools import cached_property
from html.parser import HTMLParser

VOID = frozenset(("meta", "link", "input", "br", "wbr"))
# A colon in an attribute of these would reach outside the page's own address.
REACHING = ("href", "src", "action")


class Element:
    """One element with its attributes and the words inside it."""

    def __init__(self, tag: str, attributes: dict[str, str], inside: "Element | None") -> None:
        self.tag, self.attributes, self.inside = tag, attributes, inside
        self.children: list[Element] = []
        self._words: list[str] = []

    def write(self, data: str) -> None:
        self._words.append(data)
        if self.inside:
            self.inside.write(data)

    @property
    def text(self) -> str:
        return " ".join("".join(self._words).split())

    def all(self, tag: str, **attributes: str) -> list["Element"]:
        """Every element inside with that tag and those attributes; `_class` has to be among its classes."""
        found = []
        for child in self.children:
            if child.tag == tag and child.has(attributes):
                found.append(child)
            found += child.all(tag, **attributes)
        return found

    def has(self, wanted: dict[str, str]) -> bool:
        return all(
            value in self.attributes.get("class", "").split()
            if name == "_class"
            else self.attributes.get(name.replace("_", "-")) == value
            for name, value in wanted.items()
        )


class Page(HTMLParser):
    """The whole page; raises where a tag is not closed in its order."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.root = self._open = Element("", {}, None)
        self.elements: list[Element] = []
        self.feed(text)
        self.close()
        assert self._open is self.root, f"<{self._open.tag}> is never closed"

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        names = [name for name, _ in attrs]
        assert len(names) == len(set(names)), f"<{tag}> has an attribute twice: {names}"
        element = Element(tag, {name: value or "" for name, value in attrs}, self._open)
        self._open.children.append(element)
        self.elements.append(element)
        if tag not in VOID:
            self._open = element

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.handle_endtag(tag)

    def handle_endtag(self, tag: str) -> None:
        assert tag == self._open.tag, f"</{tag}> closes <{self._open.tag}>"
        assert self._open.inside is not None
        self._open = self._open.inside

    def handle_data(self, data: str) -> None:
        self._open.write(data)

    def all(self, tag: str, **attributes: str) -> list[Element]:
        return self.root.all(tag, **attributes)

    def one(self, tag: str, **attributes: str) -> Element:
        (found,) = self.all(tag, **attributes)
        return found

    @cached_property
    def ids(self) -> list[str]:
        return [element.attributes["id"] for element in self.elements if "id" in element.attributes]

    @property
    def links(self) -> list[str]:
        return [element.attributes["href"] for element in self.all("a")]

    def faults(self) -> list[str]:
        """What a strict Content-Security-Policy would refuse, what reaches outside, ids that come twice."""
        found = [f"id {one} comes twice" for one, count in Counter(self.ids).items() if count > 1]
        for element in self.elements:
            if element.tag == "style" or (element.tag == "script" and "src" not in element.attributes):
                found.append(f"inline <{element.tag}>")
            for name, value in element.attributes.items():
                if name == "style" or name.startswith("on"):
                    found.append(f"{name} on <{element.tag}>")
                if name in REACHING and (":" in value or value.startswith("//")):
                    found.append(f"{name}={value}")
        return found
