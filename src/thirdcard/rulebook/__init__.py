"""The documents as data."""

from thirdcard.rulebook.load import load, slugs
from thirdcard.rulebook.model import Rulebook

__all__ = ["Rulebook", "load", "slugs"]
