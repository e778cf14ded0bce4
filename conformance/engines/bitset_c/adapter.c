/* Puts hearts.c behind the adapter protocol: one JSON request a line on standard input,
 * one answer a line on standard output.
 *
 *     cc -std=c11 -O2 -o adapter adapter.c
 */

#define _POSIX_C_SOURCE 200809L

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "hearts.c"

/* --- how an answer can go wrong ------------------------------------------------------- */

static jmp_buf give_up;
static const char *verdict; /* "error" or "unsupported" */
static char reason[200];

_Noreturn static void leave(const char *as, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(reason, sizeof reason, format, arguments);
    va_end(arguments);
    for (char *c = reason; *c; c++)
        if (*c == '"' || *c == '\\' || (unsigned char)*c < ' ' || (unsigned char)*c > '~')
            *c = *c == '"' ? '\'' : '?';
    verdict = as;
    longjmp(give_up, 1);
}

#define fail(...) leave("error", __VA_ARGS__)
#define decline(...) leave("unsupported", __VA_ARGS__)

/* --- JSON ------------------------------------------------------------------------------ */

enum kind { OBJECT, LIST, TEXT, NUMBER, TRUE, FALSE, NOTHING };

struct json {
    enum kind kind;
    const char *key;   /* in an object */
    const char *text;  /* a text, decoded */
    long number;
    struct json *first, *next;
};

static const char *at;     /* where the reader is */
static struct json *nodes; /* of the line being read */
static size_t used, room;
static char *texts;
static size_t texts_used;

static void blank(void)
{
    while (*at == ' ' || *at == '\t' || *at == '\r' || *at == '\n')
        at++;
}

static void expect(char c)
{
    if (*at != c)
        fail("bad JSON: '%c' expected", c);
    at++;
}

static unsigned hex4(void)
{
    unsigned value = 0;
    for (int i = 0; i < 4; i++, at++) {
        char c = *at;
        if (c >= '0' && c <= '9')
            value = value * 16 + (unsigned)(c - '0');
        else if ((c | 32) >= 'a' && (c | 32) <= 'f')
            value = value * 16 + (unsigned)((c | 32) - 'a' + 10);
        else
            fail("bad JSON: an escape");
    }
    return value;
}

static void put(unsigned byte)
{
    texts[texts_used++] = (char)byte;
}

static void put_code(unsigned code)
{
    if (code < 0x80) {
        put(code);
    } else if (code < 0x800) {
        put(0xc0 | code >> 6);
        put(0x80 | (code & 0x3f));
    } else if (code < 0x10000) {
        put(0xe0 | code >> 12);
        put(0x80 | (code >> 6 & 0x3f));
        put(0x80 | (code & 0x3f));
    } else {
        put(0xf0 | code >> 18);
        put(0x80 | (code >> 12 & 0x3f));
        put(0x80 | (code >> 6 & 0x3f));
        put(0x80 | (code & 0x3f));
    }
}

static void read_escape(void)
{
    static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
    char c = *at++;
    if (c == 'u') {
        unsigned code = hex4();
        if (code >= 0xd800 && code < 0xdc00) {
            expect('\\');
            expect('u');
            unsigned low = hex4();
            if (low < 0xdc00 || low > 0xdfff)
                fail("bad JSON: half a pair");
            code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
        } else if (code == 0 || (code >= 0xdc00 && code < 0xe000)) {
            fail("bad JSON: no such character");
        }
        put_code(code);
        return;
    }
    const char *found = c ? strchr(from, c) : NULL;
    if (!found)
        fail("bad JSON: an escape");
    put((unsigned char)to[found - from]);
}

static const char *read_text(void)
{
    const char *start = texts + texts_used;
    expect('"');
    while (*at != '"') {
        if ((unsigned char)*at < ' ')
            fail("bad JSON: a text is not closed");
        if (*at == '\\') {
            at++;
            read_escape();
        } else {
            put((unsigned char)*at++);
        }
    }
    at++;
    put(0);
    return start;
}

static long read_number(void)
{
    char *end;
    const char *digits = *at == '-' ? at + 1 : at;
    if (*digits < '0' || *digits > '9' || (*digits == '0' && digits[1] >= '0' && digits[1] <= '9'))
        fail("bad JSON: a number");
    long number = strtol(at, &end, 10);
    if (*end == '.' || *end == 'e' || *end == 'E' || number < -2147483648L || number > 2147483647L)
        fail("bad JSON: whole numbers of 32 bits only");
    at = end;
    return number;
}

static bool word(const char *name)
{
    size_t n = strlen(name);
    if (strncmp(at, name, n) != 0)
        return false;
    at += n;
    return true;
}

static struct json *read_value(int depth)
{
    if (depth > 16 || used == room)
        fail("bad JSON: too deep");
    struct json *value = &nodes[used++], **last = &value->first;
    *value = (struct json){ .kind = NOTHING };
    blank();
    if (*at == '{' || *at == '[') {
        char close = *at == '{' ? '}' : ']';
        value->kind = *at == '{' ? OBJECT : LIST;
        at++;
        blank();
        while (*at != close) {
            const char *key = NULL;
            if (value->first) {
                expect(',');
                blank();
            }
            if (value->kind == OBJECT) {
                key = read_text();
                for (struct json *other = value->first; other; other = other->next)
                    if (strcmp(other->key, key) == 0)
                        fail("bad JSON: a key stands twice");
                blank();
                expect(':');
            }
            *last = read_value(depth + 1);
            (*last)->key = key;
            last = &(*last)->next;
            blank();
        }
        at++;
    } else if (*at == '"') {
        value->kind = TEXT;
        value->text = read_text();
    } else if (word("true")) {
        value->kind = TRUE;
    } else if (word("false")) {
        value->kind = FALSE;
    } else if (!word("null")) {
        value->kind = NUMBER;
        value->number = read_number();
    }
    return value;
}

/* Every value takes at least one character of the line, and a text never grows. */
static struct json *read_line(const char *line)
{
    size_t length = strlen(line);
    if (length + 1 > room) {
        room = length + 1;
        nodes = realloc(nodes, room * sizeof *nodes);
        texts = realloc(texts, room);
        if (!nodes || !texts)
            exit(1);
    }
    used = texts_used = 0;
    at = line;
    struct json *value = read_value(1);
    blank();
    if (*at)
        fail("bad JSON: more than one value");
    return value;
}

static struct json *get(const struct json *object, const char *key)
{
    for (struct json *value = object && object->kind == OBJECT ? object->first : NULL; value; value = value->next)
        if (strcmp(value->key, key) == 0)
            return value;
    return NULL;
}

static struct json *need(const struct json *object, const char *key, enum kind kind)
{
    struct json *value = get(object, key);
    if (!value || value->kind != kind)
        fail("%s is missing, or is not what it should be", key);
    return value;
}

static int length(const struct json *list)
{
    int n = 0;
    for (struct json *value = list->first; value; value = value->next)
        n++;
    return n;
}

/* A value as it is written without blanks, for comparing options. */
static char *write_value(const struct json *value, char *to, char *end)
{
#define WRITE(...) to += snprintf(to, (size_t)(end - to), __VA_ARGS__); if (to >= end) fail("a value is too long")
    if (value->kind == TEXT) {
        WRITE("\"%s\"", value->text);
    } else if (value->kind == NUMBER) {
        WRITE("%ld", value->number);
    } else if (value->kind == LIST) {
        WRITE("[");
        for (struct json *entry = value->first; entry; entry = entry->next) {
            to = write_value(entry, to, end);
            if (entry->next) {
                WRITE(",");
            }
        }
        WRITE("]");
    } else {
        WRITE("%s", value->kind == TRUE ? "true" : value->kind == FALSE ? "false" : "?");
    }
#undef WRITE
    return to;
}

/* --- cards ----------------------------------------------------------------------------- */

static const char ranks[] = "23456789TJQKA", suits[] = "CDSH";

static cards read_cards(const char *text)
{
    cards set = 0;
    while (*text) {
        const char *rank = strchr(ranks, text[0]);
        const char *suit = rank && text[1] ? strchr(suits, text[1]) : NULL;
        if (!suit || (text[2] && (text[2] != ' ' || !text[3])))
            fail("no such card: %.12s", text);
        cards card = CARD(suit - suits, rank - ranks);
        if (set & card)
            fail("a card stands twice in a set");
        set |= card;
        text += text[2] ? 3 : 2;
    }
    return set;
}

static void print_cards(cards set)
{
    bool first = true;
    putchar('"');
    for (int bit = 0; bit < 52; bit++)
        if (set >> bit & 1) {
            printf("%s%c%c", first ? "" : " ", ranks[bit % 13], suits[bit / 13]);
            first = false;
        }
    putchar('"');
}

static void print_sequence(const cards *list, int n)
{
    putchar('"');
    for (int i = 0; i < n; i++)
        for (int bit = 0; bit < 52; bit++)
            if (list[i] >> bit & 1)
                printf("%s%c%c", i ? " " : "", ranks[bit % 13], suits[bit / 13]);
    putchar('"');
}

/* --- what the engine plays ------------------------------------------------------------- */

struct option {
    const char *name, *value; /* no value: it has no effect beside the others */
    bool stated;              /* every edition of the rules names it */
};

static const struct option options[] = {
    { "direction", "\"clockwise\"", true },
    { "undealt", "\"none\"", true },
    { "pass_count", "3", true },
    { "pass_cycle", "[\"left\",\"right\",\"across\",\"hold\"]", true },
    { "pass_unseen", "false", true },
    { "opening_leader", "\"lowest_club\"", true },
    { "opening_card", "\"lowest_club\"", true },
    { "heart_leads", "\"when_broken\"", true },
    { "queen_breaks_hearts", "false", true },
    { "hearts_or_queen_leader", "\"queen\"", true },
    { "first_trick_points", "\"barred\"", true },
    { "queen_duty", "\"no\"", true },
    { "heart_points", "1", true },
    { "queen_points", "13", true },
    { "bonus_card", "\"JD\"", true },
    { "bonus_points", "-10", true },
    { "moon", "\"others_plus\"", true },
    { "sun_points", "0", true },
    { "no_trick_points", "0", true },
    { "revokes", "\"rejected\"", true },
    { "limit", "100", true },
    { "limit_rule", "\"reach\"", true },
    { "exact_limit_becomes", "\"none\"", true },
    { "ties", "\"shared\"", true },
    { "queen_waits", "\"no\"", false },
    { "moon_needs_bonus", "false", false },
    { "deal_ends", "\"all_played\"", false },
    { "king_points", "0", false },
    { "ace_points", "0", false },
    /* no stock, no kitty, no revokes, a limit, and thirteen cards each as found */
    { "hand_size", NULL, true },
    { "removal", NULL, true },
    { "mix_kitty", NULL, true },
    { "all_hearts_leader", NULL, true },
    { "survivor_takes_stock", NULL, true },
    { "no_survivor_stock", NULL, true },
    { "revoke_until", NULL, true },
    { "revoke_points", NULL, true },
    { "revoke_ends_deal", NULL, true },
    { "deals", NULL, true },
    { "kitty_to", NULL, false },
};

static void check_options(const struct json *given)
{
    enum { N = sizeof options / sizeof *options };
    for (int i = 0; i < N; i++)
        if (options[i].stated && !get(given, options[i].name))
            decline("option %s is not stated", options[i].name);
    for (struct json *value = given->first; value; value = value->next) {
        int i = 0;
        if (strncmp(value->key, "x-", 2) == 0)
            continue;
        while (i < N && strcmp(options[i].name, value->key) != 0)
            i++;
        if (i == N)
            decline("option %s is not known", value->key);
        char written[200];
        if (options[i].value) {
            write_value(value, written, written + sizeof written);
            if (strcmp(written, options[i].value) != 0)
                decline("%s is always %s", value->key, options[i].value);
        }
    }
}

/* --- the conversation ------------------------------------------------------------------ */

static struct hearts game;
static bool opened;
static int trick_leader = -1; /* of the trick that the last act completed */

static const char hello[] =
    "{\"protocol\":1,\"name\":\"bitset hearts\",\"version\":\"1.0\",\"language\":\"c\",\"profiles\":\"any\","
    "\"players\":[4],\"capabilities\":[\"step\",\"legal\",\"probe\",\"observe\",\"pass\"],\"deviations\":[],"
    "\"tables\":[{\"profile\":\"estmesh-hearts\",\"players\":[4],\"options\":{\"first_trick_points\":\"barred\","
    "\"moon\":\"others_plus\",\"bonus_card\":\"JD\"},\"hands\":\"full\",\"starts\":[\"deal\"]}]}";

static void open_game(const struct json *request)
{
    opened = false;
    const struct json *setup = get(request, "setup"), *ruleset = need(request, "ruleset", OBJECT);
    if (!setup)
        decline("single deals only, no matches");
    if (need(ruleset, "players", NUMBER)->number != SEATS)
        decline("four players only");
    check_options(need(ruleset, "options", OBJECT));
    if (get(setup, "phase"))
        decline("whole deals only, no positions");
    if ((get(setup, "stock") && *need(setup, "stock", TEXT)->text) || (get(setup, "kitty") && *need(setup, "kitty", TEXT)->text))
        decline("no stock and no kitty");
    if (get(setup, "limit_reached") && get(setup, "limit_reached")->kind != FALSE)
        decline("ties are not played on");

    cards hands[SEATS] = { 0 }, all = 0;
    const struct json *list = need(setup, "hands", LIST);
    int seat = 0;
    if (length(list) != SEATS)
        decline("four hands only");
    for (struct json *hand = list->first; hand; hand = hand->next, seat++) {
        if (hand->kind != TEXT)
            fail("a hand is no text");
        hands[seat] = read_cards(hand->text);
        all |= hands[seat];
        if (count(hands[seat]) != HAND)
            decline("thirteen cards each only");
    }
    if (count(all) != SEATS * HAND)
        decline("the whole pack only");

    int totals[SEATS] = { 0 };
    if (get(setup, "totals")) {
        list = need(setup, "totals", LIST);
        if (length(list) != SEATS)
            fail("totals for four seats are wanted");
        seat = 0;
        for (struct json *total = list->first; total; total = total->next) {
            if (total->kind != NUMBER)
                fail("a total is no number");
            totals[seat++] = (int)total->number;
        }
    }
    long dealer = need(setup, "dealer", NUMBER)->number, deal = need(setup, "deal", NUMBER)->number;
    if (dealer < 0 || dealer >= SEATS || deal < 1)
        fail("no such dealer, or no such deal");
    memcpy(game.total, totals, sizeof totals);
    hearts_deal(&game, (int)dealer, (int)deal, hands);
    opened = true;
    trick_leader = -1;
    fputs("{\"ok\":{}", stdout);
}

/* Any act but a pass of plain cards and a play is a move that this game does not have. */
static bool try_act(struct hearts *on, const struct json *request)
{
    long seat = need(request, "seat", NUMBER)->number;
    const struct json *act = need(request, "act", OBJECT), *value;
    if (seat < 0 || seat >= SEATS)
        fail("no such seat");
    if ((value = get(act, "pass")))
        return value->kind == TEXT && hearts_pass(on, (int)seat, read_cards(value->text));
    if ((value = get(act, "play"))) {
        cards card = read_cards(need(act, "play", TEXT)->text);
        if (count(card) != 1)
            fail("one card is played");
        return hearts_play(on, (int)seat, card);
    }
    return false;
}

static void step(const struct json *request, bool probing)
{
    struct hearts copy = game;
    int leader = game.leader, tricks = game.trick;
    bool done = try_act(probing ? &copy : &game, request);
    if (done && !probing)
        trick_leader = game.trick > tricks ? leader : -1;
    fputs(done ? "{\"ok\":{}" : "{\"refused\":{}", stdout);
}

static void print_turn(void)
{
    bool first = true;
    printf("\"turn\":[");
    for (int seat = 0; seat < SEATS; seat++)
        if (game.phase == PASSING ? !game.packet[seat] : game.phase == PLAYING && game.turn == seat) {
            printf("%s%d", first ? "" : ",", seat);
            first = false;
        }
    printf("]");
}

/* The engine lists no passes: every set of cards of the hand is tried. */
static int ways_to_pass(void)
{
    int ways = 0, seat = 0;
    while (game.packet[seat])
        seat++;
    cards hand = game.hand[seat], packet = 0;
    do {
        struct hearts copy = game;
        if (hearts_pass(&copy, seat, packet))
            ways++;
        packet = (packet - hand) & hand;
    } while (packet);
    return ways;
}

static void legal(void)
{
    fputs("{\"ok\":{", stdout);
    if (game.phase == OVER)
        fputs("\"over\":true", stdout);
    else if (game.phase == PASSING)
        printf("\"pass\":%d", ways_to_pass());
    else {
        fputs("\"play\":", stdout);
        print_cards(hearts_legal(&game, game.turn));
    }
    putchar(',');
    print_turn();
    putchar('}');
}

static void print_sets(const char *key, const cards sets[SEATS])
{
    printf(",\"%s\":[", key);
    for (int seat = 0; seat < SEATS; seat++) {
        if (seat)
            putchar(',');
        print_cards(sets[seat]);
    }
    putchar(']');
}

static void print_numbers(const char *key, const int numbers[SEATS])
{
    printf(",\"%s\":[%d,%d,%d,%d]", key, numbers[0], numbers[1], numbers[2], numbers[3]);
}

static void observe(const struct json *request)
{
    if (get(request, "seat"))
        decline("no views");
    bool over = game.phase == OVER;
    unsigned winners = over ? hearts_winners(&game) : 0;
    printf("{\"ok\":{\"phase\":\"%s\",", over ? "over" : game.phase == PASSING ? "pass" : "play");
    print_turn();
    printf(",\"dealer\":%d,\"deal\":%d", game.dealer, game.deal);
    printf(",\"hearts_broken\":%s,\"over\":%s", game.broken ? "true" : "false", over ? "true" : "false");
    print_sets("hands", game.hand);
    print_sets("taken", game.won);
    print_numbers("tricks", game.tricks);
    print_numbers("points", game.points);
    print_numbers("totals", game.total);
    printf(",\"match\":{\"over\":%s", winners ? "true" : "false");
    if (winners) {
        const char *comma = "";
        printf(",\"winners\":[");
        for (int seat = 0; seat < SEATS; seat++)
            if (winners >> seat & 1) {
                printf("%s%d", comma, seat);
                comma = ",";
            }
        putchar(']');
    }
    putchar('}');
    if (over)
        print_numbers("score", game.score);
    if (game.phase == PLAYING) {
        printf(",\"table\":{\"leader\":%d,\"cards\":", game.leader);
        print_sequence(game.table, game.on_table);
        putchar('}');
    }
    if (trick_leader >= 0) {
        printf(",\"trick\":{\"leader\":%d,\"cards\":", trick_leader);
        print_sequence(game.table, SEATS);
        printf(",\"winner\":%d}", game.leader);
    }
    putchar('}');
}

static void answer(const struct json *request)
{
    const char *op = need(request, "op", TEXT)->text;
    if (strcmp(op, "hello") == 0) {
        printf("{\"ok\":%s", hello);
        return;
    }
    if (strcmp(op, "open") == 0) {
        open_game(request);
        return;
    }
    bool is_step = strcmp(op, "step") == 0, is_probe = strcmp(op, "probe") == 0;
    bool is_legal = strcmp(op, "legal") == 0, is_observe = strcmp(op, "observe") == 0;
    if (!is_step && !is_probe && !is_legal && !is_observe)
        decline("no such request here");
    if (!opened)
        fail("no game is open");
    if (is_legal)
        legal();
    else if (is_observe)
        observe(request);
    else
        step(request, is_probe);
}

/* Whatever can fail does so before a single character of the answer is printed. */
int main(void)
{
    char *line = NULL;
    size_t size = 0;
    while (getline(&line, &size, stdin) > 0) {
        volatile long seq = 0;
        if (setjmp(give_up) == 0) {
            const struct json *request = read_line(line);
            if (get(request, "seq") && get(request, "seq")->kind == NUMBER)
                seq = get(request, "seq")->number;
            if (strcmp(need(request, "op", TEXT)->text, "bye") == 0)
                break;
            answer(request);
        } else {
            printf("{\"%s\":\"%s\"", verdict, reason);
        }
        printf(",\"seq\":%ld}\n", seq);
        fflush(stdout);
    }
    free(line);
    free(nodes);
    free(texts);
    return 0;
}
