"""Felt, cards and chips as SVG text: no scripts, no inline styles, no outside references."""

from thirdcard.web.draw.card_faces import card_svg, sprite, squeeze_sprite
from thirdcard.web.draw.felt import felt_svg
from thirdcard.web.draw.spots import Spot, spots
from thirdcard.web.draw.stage import FeltStage

__all__ = ["FeltStage", "Spot", "card_svg", "felt_svg", "spots", "sprite", "squeeze_sprite"]
