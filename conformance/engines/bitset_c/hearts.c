/* Omnibus Hearts for four. A set of cards is a 64-bit word: bit suit * 13 + rank,
 * suits C D S H, ranks 2 (0) to ace (12). */

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

typedef uint64_t cards;

enum { SEATS = 4, HAND = 13, PASSED = 3, LIMIT = 100, MOON = 26, JACK_BONUS = -10 };
enum suit { CLUBS, DIAMONDS, SPADES, HEARTS };
enum phase { PASSING, PLAYING, OVER };

#define CARD(suit, rank) ((cards)1 << ((suit) * 13 + (rank)))
#define SUIT(suit) ((cards)0x1fff << ((suit) * 13))
#define TWO_OF_CLUBS CARD(CLUBS, 0)
#define JACK CARD(DIAMONDS, 9)
#define QUEEN CARD(SPADES, 10)
#define POINTS (SUIT(HEARTS) | QUEEN)

/* left, right, across, hold */
static const int pass_step[4] = { 1, 3, 2, 0 };

struct hearts {
    int dealer, deal;
    enum phase phase;
    int total[SEATS], score[SEATS];
    cards hand[SEATS], packet[SEATS], won[SEATS];
    int points[SEATS], bonus[SEATS], tricks[SEATS];
    int leader, turn;
    cards table[SEATS]; /* one card each, in the order played */
    int on_table;
    int trick; /* how many tricks are complete */
    bool broken;
};

static int count(cards set)
{
    int n = 0;
    for (; set; set &= set - 1)
        n++;
    return n;
}

static cards suit_of(cards card)
{
    for (int suit = CLUBS; suit < HEARTS; suit++)
        if (card & SUIT(suit))
            return SUIT(suit);
    return SUIT(HEARTS);
}

static int points_of(cards set)
{
    return count(set & SUIT(HEARTS)) + (set & QUEEN ? 13 : 0);
}

/* How many seats to the left the cards go; 0 when nobody passes. */
static int pass_to(const struct hearts *g)
{
    return pass_step[(g->deal - 1) % 4];
}

static void start_play(struct hearts *g)
{
    g->phase = PLAYING;
    for (int seat = 0; seat < SEATS; seat++)
        if (g->hand[seat] & TWO_OF_CLUBS)
            g->leader = g->turn = seat;
}

/* Totals go on from the deal before; everything else begins anew. */
void hearts_deal(struct hearts *g, int dealer, int deal, const cards hands[SEATS])
{
    g->dealer = dealer;
    g->deal = deal;
    g->on_table = g->trick = 0;
    g->broken = false;
    for (int seat = 0; seat < SEATS; seat++) {
        g->hand[seat] = hands[seat];
        g->packet[seat] = g->won[seat] = 0;
        g->points[seat] = g->bonus[seat] = g->tricks[seat] = g->score[seat] = 0;
    }
    g->phase = PASSING;
    if (pass_to(g) == 0)
        start_play(g);
}

bool hearts_pass(struct hearts *g, int seat, cards packet)
{
    if (g->phase != PASSING || g->packet[seat])
        return false;
    if (count(packet) != PASSED || (packet & ~g->hand[seat]))
        return false;
    g->packet[seat] = packet;
    for (int s = 0; s < SEATS; s++)
        if (!g->packet[s])
            return true;
    for (int s = 0; s < SEATS; s++) {
        int to = (s + pass_to(g)) % SEATS;
        g->hand[s] &= ~g->packet[s];
        g->hand[to] |= g->packet[s];
    }
    start_play(g);
    return true;
}

static cards may_lead(const struct hearts *g, cards hand)
{
    if (g->trick == 0)
        return hand & TWO_OF_CLUBS;
    if (!g->broken && (hand & ~SUIT(HEARTS)))
        return hand & ~SUIT(HEARTS);
    return hand;
}

/* What a seat may play when it is its turn. */
cards hearts_legal(const struct hearts *g, int seat)
{
    cards hand = g->hand[seat];
    if (g->on_table == 0)
        return may_lead(g, hand);
    cards follow = hand & suit_of(g->table[0]);
    if (follow)
        return follow;
    if (g->trick == 0 && (hand & ~POINTS))
        return hand & ~POINTS;
    return hand;
}

static void score_deal(struct hearts *g)
{
    int shooter = -1;
    for (int seat = 0; seat < SEATS; seat++)
        if (g->points[seat] == MOON)
            shooter = seat;
    for (int seat = 0; seat < SEATS; seat++) {
        g->score[seat] = g->points[seat];
        if (shooter >= 0)
            g->score[seat] = seat == shooter ? 0 : MOON;
        g->score[seat] += g->bonus[seat];
        g->total[seat] += g->score[seat];
    }
    g->phase = OVER;
}

static void take_trick(struct hearts *g)
{
    cards led = suit_of(g->table[0]), trick = 0, best = 0;
    int winner = g->leader;
    for (int i = 0; i < SEATS; i++) {
        trick |= g->table[i];
        if ((g->table[i] & led) > best) {
            best = g->table[i];
            winner = (g->leader + i) % SEATS;
        }
    }
    g->won[winner] |= trick;
    g->points[winner] += points_of(trick);
    if (trick & JACK)
        g->bonus[winner] += JACK_BONUS;
    g->tricks[winner]++;
    g->trick++;
    g->on_table = 0;
    g->leader = g->turn = winner;
    if (g->trick == HAND)
        score_deal(g);
}

bool hearts_play(struct hearts *g, int seat, cards card)
{
    if (g->phase != PLAYING || seat != g->turn)
        return false;
    if (!(hearts_legal(g, seat) & card))
        return false;
    g->hand[seat] &= ~card;
    g->table[g->on_table++] = card;
    if (card & SUIT(HEARTS))
        g->broken = true;
    g->turn = (seat + 1) % SEATS;
    if (g->on_table == SEATS)
        take_trick(g);
    return true;
}

/* The seats that have won the match, as bits; 0 while it goes on. */
unsigned hearts_winners(const struct hearts *g)
{
    bool reached = false;
    int low = g->total[0];
    unsigned winners = 0;
    for (int seat = 0; seat < SEATS; seat++) {
        if (g->total[seat] >= LIMIT)
            reached = true;
        if (g->total[seat] < low)
            low = g->total[seat];
    }
    for (int seat = 0; seat < SEATS; seat++)
        if (reached && g->total[seat] == low)
            winners |= 1u << seat;
    return winners;
}
