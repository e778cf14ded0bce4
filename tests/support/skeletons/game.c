// A tiny engine that takes the passes card by card.
enum { HFR_MATCHES = true };

typedef struct {
    bool match;
    int dealer, deal, totals[4]; // the totals before the deal
    char holder[52], taker[52]; // of each card: a seat, or -1
    int chosen[4][3], number_chosen[4];
    int table[4], lying, leader, tricks[4];
    bool passing, broken;
} HfrGame;

static const char RANKS[] = "23456789TJQKA", SUITS[] = "CDSH";

static int number_of(const char *card) {
    const char *rank = strchr(RANKS, card[0]), *suit = strchr(SUITS, card[1]);
    return (int)(suit - SUITS) * 13 + (int)(rank - RANKS);
}

static int worth(int card) { return card / 13 == 3 ? 1 : card == 36 ? 13 : 0; }

static HfrResult begin(HfrGame *game, const HfrSetup *setup, const int totals[4]) {
    memset(game, 0, sizeof *game);
    memset(game->taker, -1, 52);
    memcpy(game->totals, totals, sizeof game->totals);
    game->match = setup->match;
    game->dealer = setup->dealer;
    game->deal = setup->deal;
    for (int seat = 0; seat < 4; seat++)
        for (int at = 0; at < 13; at++)
            game->holder[number_of(setup->hands[seat].cards[at])] = (char)seat;
    game->leader = game->holder[0];
    game->passing = game->deal % 4 != 0;
    return HFR_DONE;
}

static HfrResult hfr_open(HfrGame *game, const HfrSetup *setup) {
    printf("a new deal\n");
    if (setup->deal == 99) return hfr_unsupported("deal %d", setup->deal);
    return begin(game, setup, setup->totals);
}

static void hfr_close(HfrGame *game) { (void)game; }

static int tricks_done(const HfrGame *game) {
    return game->tricks[0] + game->tricks[1] + game->tricks[2] + game->tricks[3];
}

static int turn(const HfrGame *game) { return (game->leader + game->lying) % 4; }

static bool allowed(const HfrGame *game, int card) {
    int seat = turn(game), first = tricks_done(game) == 0, suits = 0, safe = 0;
    if (game->holder[card] != seat) return false;
    if (first && !game->lying) return card == 0;
    for (int other = 0; other < 52; other++)
        if (game->holder[other] == seat) {
            suits |= 1 << other / 13;
            safe |= worth(other) == 0;
        }
    if (game->lying) {
        int led = game->table[0] / 13;
        if (suits & 1 << led) return card / 13 == led;
        return !first || !safe || worth(card) == 0;
    }
    return game->broken || suits == 8 || card / 13 != 3;
}

static void score(const HfrGame *game, int score[4]) {
    int shooter = -1;
    memset(score, 0, 4 * sizeof *score);
    for (int card = 0; card < 52; card++)
        if (game->taker[card] >= 0) score[(int)game->taker[card]] += worth(card);
    for (int seat = 0; seat < 4; seat++)
        if (score[seat] == 26) shooter = seat;
    for (int seat = 0; shooter >= 0 && seat < 4; seat++)
        score[seat] = seat == shooter ? 0 : 26;
}

static bool totals_now(const HfrGame *game, int totals[4]) {
    int most = 0;
    score(game, totals);
    for (int seat = 0; seat < 4; seat++) {
        totals[seat] += game->totals[seat];
        if (totals[seat] > most) most = totals[seat];
    }
    return most >= atoi(hfr_option("limit")); // whether the match is over
}

static HfrResult hfr_deal(HfrGame *game, const HfrSetup *setup) {
    int totals[4];
    if (tricks_done(game) < 13 || totals_now(game, totals)) return HFR_REFUSED;
    return begin(game, setup, totals);
}

static HfrResult hfr_due(const HfrGame *game, HfrDue *due) {
    int totals[4];
    bool goes_on = game->match && !totals_now(game, totals);
    due->kind = game->passing ? "pass" : "play";
    if (tricks_done(game) == 13) due->kind = goes_on ? "deal" : "over";
    due->count = 3;
    due->seat = tricks_done(game) == 13 ? (game->dealer + 1) % 4 : turn(game);
    for (int card = 0; card < 52; card++)
        if (!game->passing && allowed(game, card)) {
            char *text = due->cards.cards[due->cards.count++];
            text[0] = RANKS[card % 13], text[1] = SUITS[card / 13];
        }
    return HFR_DONE;
}

static HfrResult choose(HfrGame *game, int seat, int card) {
    if (!game->passing || game->holder[card] != seat) return HFR_REFUSED;
    for (int at = 0; at < game->number_chosen[seat]; at++)
        if (game->chosen[seat][at] == card) return HFR_REFUSED;
    if (game->number_chosen[seat] == 3) return HFR_REFUSED;
    game->chosen[seat][game->number_chosen[seat]++] = card;
    return HFR_DONE;
}

static HfrResult hfr_pass_all(HfrGame *game, const HfrCards packets[HFR_PLAYERS]) {
    static const int steps[] = {0, 1, 3, 2};
    for (int seat = 0; seat < 4; seat++) {
        for (int at = 0; at < packets[seat].count; at++)
            if (choose(game, seat, number_of(packets[seat].cards[at])) != HFR_DONE) return HFR_REFUSED;
        if (game->number_chosen[seat] != 3) return HFR_REFUSED;
    }
    for (int seat = 0; seat < 4; seat++)
        for (int at = 0; at < 3; at++)
            game->holder[game->chosen[seat][at]] = (char)((seat + steps[game->deal % 4]) % 4);
    game->passing = false;
    game->leader = game->holder[0];
    return HFR_DONE;
}

static HfrResult hfr_play(HfrGame *game, int seat, const char *card) {
    int number = number_of(card), best = 0;
    if (game->passing || seat != turn(game) || !allowed(game, number)) return HFR_REFUSED;
    game->holder[number] = -1;
    game->table[game->lying++] = number;
    game->broken = game->broken || number / 13 == 3;
    if (game->lying < 4) return HFR_DONE;
    for (int at = 1; at < 4; at++)
        if (game->table[at] / 13 == game->table[0] / 13 && game->table[at] > game->table[best])
            best = at;
    game->leader = (game->leader + best) % 4;
    game->tricks[game->leader]++;
    for (int at = 0; at < 4; at++) game->taker[game->table[at]] = (char)game->leader;
    game->lying = 0;
    return HFR_DONE;
}

static HfrResult hfr_other(HfrGame *game, int seat, const char *act) {
    (void)game;
    return strstr(act, "claim") ? hfr_fail("seat %d \"claims\"\x01", seat) : HFR_REFUSED;
}

static void say_piles(HfrText *fields, const char *name, const char owner[52]) {
    hfr_say(fields, ",\"%s\":[", name);
    for (int seat = 0; seat < 4; seat++) {
        HfrCards pile = {0};
        for (int card = 0; card < 52; card++)
            if (owner[card] == seat) {
                char *text = pile.cards[pile.count++];
                text[0] = RANKS[card % 13], text[1] = SUITS[card / 13];
            }
        if (seat) hfr_say(fields, ",");
        hfr_say_cards(fields, &pile);
    }
    hfr_say(fields, "]");
}

static void say_four(HfrText *fields, const char *name, const int four[4]) {
    hfr_say(fields, ",\"%s\":[%d,%d,%d,%d]", name, four[0], four[1], four[2], four[3]);
}

static HfrResult hfr_observe(const HfrGame *game, HfrText *fields) {
    int points[4] = {0}, scored[4], totals[4], lowest = 1000;
    for (int card = 0; card < 52; card++)
        if (game->taker[card] >= 0) points[(int)game->taker[card]] += worth(card);
    say_piles(fields, "hands", game->holder);
    say_piles(fields, "taken", game->taker);
    say_four(fields, "tricks", game->tricks);
    say_four(fields, "points", points);
    hfr_say(fields, ",\"hearts_broken\":%s", game->broken ? "true" : "false");
    if (tricks_done(game) < 13) return HFR_DONE;
    bool over = totals_now(game, totals);
    score(game, scored);
    say_four(fields, "score", scored);
    say_four(fields, "totals", totals);
    for (int seat = 0; seat < 4; seat++)
        if (totals[seat] < lowest) lowest = totals[seat];
    hfr_say(fields, ",\"match\":{\"over\":%s", over ? "true,\"winners\":[" : "false}");
    const char *comma = "";
    for (int seat = 0; over && seat < 4; seat++)
        if (totals[seat] == lowest) hfr_say(fields, "%s%d", comma, seat), comma = ",";
    if (over) hfr_say(fields, "]}");
    return HFR_DONE;
}
