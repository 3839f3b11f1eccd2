/* The loop that the simulator is measured against: plain C, one card after the other.

   The same work: 8 decks, cut card 14 from the end, unbiased draws, and every outcome class counted.
   Usage: reference ROUNDS; prints seconds and the rounds won by Player, Banker and nobody. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { DECKS = 8, CARDS = 52 * DECKS, CUT = 14, CLASSES = 2000 };

static uint64_t state[4] = {1, 2, 3, 4};
static uint8_t shoe[CARDS]; /* ranks, 1 to 13 */
static uint64_t tally[CLASSES];
static int at;

static uint64_t rotated(uint64_t x, int k) { return (x << k) | (x >> (64 - k)); }

static uint64_t word(void) { /* xoshiro256** */
    uint64_t result = rotated(state[1] * 5, 7) * 9, t = state[1] << 17;
    state[2] ^= state[0];
    state[3] ^= state[1];
    state[1] ^= state[2];
    state[0] ^= state[3];
    state[2] ^= t;
    state[3] = rotated(state[3], 45);
    return result;
}

static uint32_t below(uint32_t bound) {
    uint64_t product = (word() >> 32) * bound;
    if ((uint32_t)product < bound) {
        uint32_t floor = -bound % bound;
        while ((uint32_t)product < floor) product = (word() >> 32) * bound;
    }
    return product >> 32;
}

static int draw(void) {
    int other = at + below(CARDS - at), rank = shoe[other];
    shoe[other] = shoe[at];
    shoe[at++] = rank;
    return rank;
}

static int points(int rank) { return rank < 10 ? rank : 0; }

static int banker_draws(int banker, int third) {
    switch (banker) {
        case 3: return third != 8;
        case 4: return third >= 2 && third <= 7;
        case 5: return third >= 4 && third <= 7;
        case 6: return third == 6 || third == 7;
        case 7: return 0;
        default: return 1;
    }
}

static void play(void) {
    int p1 = draw(), b1 = draw(), p2 = draw(), b2 = draw();
    int player = (points(p1) + points(p2)) % 10, banker = (points(b1) + points(b2)) % 10;
    int player_third = 0, banker_third = 0, pairs = 0;
    if (p1 == p2) pairs = 1;
    if (b1 == b2) pairs += p1 == b1 && pairs ? 3 : 2;
    if (player < 8 && banker < 8) {
        if (player <= 5) {
            int third = points(draw());
            player = (player + third) % 10;
            player_third = 1;
            banker_third = banker_draws(banker, third);
        } else {
            banker_third = banker <= 5;
        }
        if (banker_third) banker = (banker + points(draw())) % 10;
    }
    tally[(((player * 10 + banker) * 2 + player_third) * 2 + banker_third) * 5 + pairs]++;
}

int main(int count, char **arguments) {
    long long rounds = count > 1 ? atoll(arguments[1]) : 10000000;
    for (int k = 0; k < CARDS; k++) shoe[k] = k % 13 + 1;
    struct timespec begin, end;
    clock_gettime(CLOCK_MONOTONIC, &begin);
    for (long long k = 0; k < rounds; k++) {
        if (at > CARDS - CUT) at = 0;
        play();
    }
    clock_gettime(CLOCK_MONOTONIC, &end);
    uint64_t won[3] = {0, 0, 0};
    for (int k = 0; k < CLASSES; k++) {
        int player = k / 200, banker = k / 20 % 10;
        won[player > banker ? 0 : banker > player ? 1 : 2] += tally[k];
    }
    printf("%.6f %llu %llu %llu\n", end.tv_sec - begin.tv_sec + (end.tv_nsec - begin.tv_nsec) / 1e9,
           (unsigned long long)won[0], (unsigned long long)won[1], (unsigned long long)won[2]);
    return 0;
}
