"""Rounds named for what they show."""

BANKER_7_OVER_6 = "P 2C 4D | B 3S 4H"
PLAYER_8_OVER_7 = "P 5C 3D | B 4S 3H"
TIE_ON_7 = "P 4C 3D | B 7S KH"
TIE_ON_0 = "P KC QD JH | B KS QH JC"
TIE_ON_6 = "P 4C 2D | B 6S KH"

BANKER_6_TWO_CARDS = "P KC 2D 3H | B 4H 2S"
BANKER_6_THREE_CARDS = "P KC 2D 3H | B AH 2S 3C"
PLAYER_6_TWO_CARDS = "P 4C 2D | B 5S KH QD"
PLAYER_6_THREE_CARDS = "P KC 2D 4H | B 4S KH QD"
BANKER_7_TWO_CARDS = "P KC 2D 3H | B KS 7H"
BANKER_7_THREE_CARDS = "P KC 2D 3H | B AH 2S 4C"
PLAYER_7_TWO_CARDS = "P 4C 3D | B 5S KH QD"
PLAYER_7_THREE_CARDS = "P KC 2D 5H | B 4S KH QD"
PLAYER_1_OVER_0 = "P KC QD AH | B KS QH JC"

PLAYER_PAIR = "P TC TD 6H | B KS 7H"
BANKER_PAIR = "P 9C KD | B KS KH"
PAIRS_OF_TWO_RANKS = "P KC KD 3H | B 3C 3S"
PAIRS_OF_ONE_RANK = "P 3C 3D | B 3H 3S"
THIRD_CARDS_MATCH = "P 2C 3D 2H | B KS 4H 4D"  # no hand starts with a pair

BANKER_CHAR_SIU = {  # by cards; no round of five has 9 over 8
    4: (BANKER_7_OVER_6, "P 4C 3D | B 5S 3H", "P 5C 3D | B 5S 4H"),
    5: ("P KC 2D 4H | B KS 7H", "P 4C 3D | B 5S KH 3C"),
    6: ("P KC 2D 4H | B 4S KH 3C", "P KC 2D 5H | B 4S KH 4C", "P KC 2D 6H | B 4S KH 5C"),
}
PLAYER_CHAR_SIU = {
    4: ("P 5C 2D | B 4S 2H", PLAYER_8_OVER_7, "P 5C 4D | B 5S 3H"),
    5: ("P 4C 3D | B 5S KH AC", "P KC 2D 6H | B KS 7H"),
    6: ("P KC 2D 5H | B 4S KH 2C", "P KC 2D 6H | B 4S KH 3C", "P KC 2D 7H | B 4S KH 4C"),
}

# Insurance
PLAYER_7_BANKER_DRAWS = "P 4C 3D | B 2S KH 6D"  # 7 against 2; Banker wins 8 to 7
PLAYER_7_TIED = "P 4C 3D | B 2S KH 5D"
BANKER_6_PLAYER_DRAWS = "P KC 2D 9H | B 3S 3H"  # 6 against 2, then 1; Banker wins 6 to 1
PLAYER_INSURED_TWICE = "P 2C 3D 4H | B 4S KH 9C"  # 5 against 4, then 9 against 4; Player wins 9 to 3
PLAYER_DRAWS_TO_9_TIED = "P 2C 3D 4H | B 4S KH 5C"  # 5 against 4, then 9 against 4, then 9 each
BANKER_DRAWS_TO_0_TIED = "P KC 3D 7H | B 4S KH 6C"  # 3 against 4, then 0 against 4, then 0 each
BANKER_STANDS_ON_3 = "P KC 2D 8H | B AH 2S"  # 0 against 3 after the Player's 8
BANKER_THEN_PLAYER_INSURED = "P KC 2D 4H | B 5S KH 2C"  # 2 against 5, then 6 against 5; Banker wins 7 to 6
BANKER_STANDS_ON_5 = "P KC 3D 3H | B 5S KH"  # 6 against 5 after the Player's 3
BANKER_4_PLAYER_3 = "P KC AD 2H | B 4S KH 5C"  # 1 against 4, then 3 against 4
