"""The documents as data, from the package or from anywhere."""

from thirdcard.rulebook.forms import digest_of
from thirdcard.rulebook.load import Which, load, named, slugs
from thirdcard.rulebook.model import Rulebook

__all__ = ["Rulebook", "Which", "digest_of", "load", "named", "slugs"]
