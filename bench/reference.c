/* The loop that the simulator is measured against: plain C, one card after the other, as one writes it well.

   The same work: 8 decks, cut card 14 from the end, a uniform card at every draw, and every outcome class
   counted. xoroshiro128+ gives two draws a word; a draw is a multiplication and a shift, and the division that
   makes it unbiased is met once in millions; cards are laid as they are drawn, so that none is shuffled that
   nobody sees; the Banker's rule is a table of bits.
   Usage: reference ROUNDS; prints seconds of processor time and the rounds won by Player, Banker and nobody. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { DECKS = 8, CARDS = 52 * DECKS, CUT = 14, CLASSES = 2000, HIGHEST = 18 };

static const uint8_t POINTS[14] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 0, 0, 0};
static const uint16_t DRAWS[8] = {0x3FF, 0x3FF, 0x3FF, 0x2FF, 0x0FC, 0x0F0, 0x0C0, 0}; /* bit: the Player's third card */
static uint8_t units[2 * HIGHEST]; /* a sum of points without its ten */
static uint8_t shoe[CARDS];        /* ranks, 1 to 13 */
static uint64_t tally[CLASSES];

typedef struct {
    uint64_t one, two, spare;
    int halves;
} Chance;

static inline uint64_t rotated(uint64_t x, int k) { return (x << k) | (x >> (64 - k)); }

static inline uint64_t word(Chance *chance) { /* xoroshiro128+ */
    uint64_t one = chance->one, two = chance->two, result = one + two;
    two ^= one;
    chance->one = rotated(one, 24) ^ two ^ (two << 16);
    chance->two = rotated(two, 37);
    return result;
}

static inline uint32_t half(Chance *chance) {
    if (chance->halves ^= 1) {
        chance->spare = word(chance);
        return (uint32_t)(chance->spare >> 32);
    }
    return (uint32_t)chance->spare;
}

static inline uint32_t below(Chance *chance, uint32_t bound) {
    uint64_t product = (uint64_t)half(chance) * bound;
    if (__builtin_expect((uint32_t)product < bound, 0)) {
        uint32_t floor = -bound % bound;
        while ((uint32_t)product < floor) product = (uint64_t)half(chance) * bound;
    }
    return (uint32_t)(product >> 32);
}

static inline int draw(Chance *chance, int at) {
    int other = at + (int)below(chance, (uint32_t)(CARDS - at)), rank = shoe[other];
    shoe[other] = shoe[at];
    shoe[at] = (uint8_t)rank;
    return rank;
}

static int play(Chance *chance, int at) { /* where the next round begins */
    int p1 = draw(chance, at), b1 = draw(chance, at + 1), p2 = draw(chance, at + 2), b2 = draw(chance, at + 3);
    int player = units[POINTS[p1] + POINTS[p2]], banker = units[POINTS[b1] + POINTS[b2]];
    int player_third = 0, banker_third = 0;
    int player_pair = p1 == p2, banker_pair = b1 == b2;
    int pairs = player_pair + 2 * banker_pair + (player_pair & banker_pair & (p1 == b1));
    at += 4;
    if (player < 8 && banker < 8) {
        if (player <= 5) {
            int third = POINTS[draw(chance, at++)];
            player = units[player + third];
            player_third = 1;
            banker_third = DRAWS[banker] >> third & 1;
        } else {
            banker_third = banker <= 5;
        }
        if (banker_third) banker = units[banker + POINTS[draw(chance, at++)]];
    }
    tally[(((player * 10 + banker) * 2 + player_third) * 2 + banker_third) * 5 + pairs]++;
    return at;
}

/* The benchmark calls this in turns with the simulator, in one process. */
void deal(long long rounds) {
    static Chance kept = {1, 0x9E3779B97F4A7C15, 0, 0};
    Chance chance = kept;
    if (!shoe[0]) {
        for (int k = 0; k < 2 * HIGHEST; k++) units[k] = (uint8_t)(k % 10);
        for (int k = 0; k < CARDS; k++) shoe[k] = (uint8_t)(k % 13 + 1);
    }
    for (int at = 0; rounds > 0; rounds--) at = play(&chance, at > CARDS - CUT ? 0 : at);
    kept = chance;
}

int main(int count, char **arguments) {
    struct timespec begin, end;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &begin);
    deal(count > 1 ? atoll(arguments[1]) : 10000000);
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &end);
    uint64_t won[3] = {0, 0, 0};
    for (int k = 0; k < CLASSES; k++) {
        int player = k / 200, banker = k / 20 % 10;
        won[player > banker ? 0 : banker > player ? 1 : 2] += tally[k];
    }
    printf("%.6f %llu %llu %llu\n", end.tv_sec - begin.tv_sec + (end.tv_nsec - begin.tv_nsec) / 1e9,
           (unsigned long long)won[0], (unsigned long long)won[1], (unsigned long long)won[2]);
    return 0;
}
