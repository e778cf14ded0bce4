// Puts an engine of Hearts behind the adapter protocol: JSON lines in, JSON lines out.
//
// Write the functions of Game, and nothing else has to change. Run it with
//     cc -std=c11 -o my_adapter THIS_FILE && refengine conform run -- ./my_adapter
// What is not written is answered with `unsupported`, and scores nothing. It needs C11
// and POSIX, and no library.
#define _POSIX_C_SOURCE 200809L
#include <fcntl.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// <table>
#define SPEC ""
#define PROFILE ""
#define PLAYERS 4
#define HAND_SIZE 0
static const char *const OPTIONS[][2] = {{NULL, NULL}};
static const char *const CHANGED[] = {NULL};
static const char *const NO_EFFECT[] = {NULL};
static const char *const CAPABILITIES[] = {NULL};
// </table>

#define NAME "my-hearts"
#define VERSION "0.1.0"
#define LANGUAGE "C"

// What a function of Game returns: the act is done; it is done and was a revoke, where
// the rules let it happen; your engine does not allow it, and nothing has changed; your
// engine cannot do what is asked, as in `return unsupported("dealer %d", dealer)`; or it
// failed, as in `return fail("no hand %d", seat)`. The last two are never scored, and
// only the last is a mistake.
typedef enum { DONE, REVOKED, REFUSED, UNSUPPORTED, FAILED } Result;

typedef struct {
    int count;
    char cards[52][3]; // a card is its rank and its suit: "2C", "TD", "QS", "AH"
} Cards;

typedef struct {
    bool match;       // whether it is a deal of a match
    int dealer, deal; // seats count from 0, seat s + 1 is to the left of seat s; deals from 1
    int totals[PLAYERS]; // before the deal; not given in a match
    Cards hands[PLAYERS], stock, kitty;
} Setup;

// What is due now: the kind is "pass" (count cards), "play" (cards), "over", after a deal
// of a match that goes on "deal" (the seat deals), or else the name of the act, such as
// "moon" or "draw", with what the protocol says beside it, as JSON.
typedef struct {
    const char *kind;
    int seat, count;
    Cards cards;
    const char *other;
} Due;

typedef struct {
    char *text;
    size_t size, room;
} Text;

static Result fail(const char *format, ...);
static Result unsupported(const char *format, ...);
static void say(Text *out, const char *format, ...); // adds text, like printf
static void say_cards(Text *out, const Cards *cards); // adds "2C 9D" with the quotes
static const char *option(const char *name); // its value in the table, as JSON

// ---- Your engine
// One deal in your engine, or one match, if it plays matches.
typedef struct {
    int nothing_yet;
} Game;

// Make it true once game_deal is written: then whole matches are asked for.
enum { MATCHES = false };

// Deals; in a match, it is the first deal.
static Result game_open(Game *game, const Setup *setup) {
    (void)game, (void)setup;
    return unsupported("not written yet");
}

// The next deal of a match.
static Result game_deal(Game *game, const Setup *setup) {
    (void)game, (void)setup;
    return unsupported("matches");
}

static void game_close(Game *game) { (void)game; }

static Result game_due(const Game *game, Due *due) {
    (void)game, (void)due;
    return unsupported("not written yet");
}

// The cards that each seat passes. If your engine takes them seat by seat or card by
// card, loop over them here.
static Result game_pass_all(Game *game, const Cards packets[PLAYERS]) {
    (void)game, (void)packets;
    return unsupported("not written yet");
}

static Result game_play(Game *game, int seat, const char *card) {
    (void)game, (void)seat, (void)card;
    return unsupported("not written yet");
}

// Any other act as JSON, such as {"moon":"self_minus"} or {"draw":1}: refused, since your
// engine cannot make it, until you write how it does.
static Result game_other(Game *game, int seat, const char *act) {
    (void)game, (void)seat, (void)act;
    return REFUSED;
}

// What your engine knows, any of: hands and taken (lists of "2C 9D ..."), tricks, points,
// totals and, when a deal is over, score (lists of numbers), hearts_broken, dealer, deal,
// table and trick ({"leader": 0, "cards": "2C 9D"} in the order played); match,
// {"over": false} or {"over": true, "winners": [0, 2]}, by the totals; with a stock, stock
// and drew ("2C 9D", top first), and out ([1, 3], who has no cards); kitty ("2C 9D");
// revokes ([{"seat": 1, "trick": 3, "state": "open"}]). Each has a comma before it:
// say(fields, ",\"tricks\":[%d,%d,%d,%d]", ...). What you leave out is not covered.
// Between two deals of a match, dealer and deal are those of the next one, and all else is
// of the last.
static Result game_observe(const Game *game, Text *fields) {
    (void)game, (void)fields;
    return DONE;
}
// ---- The protocol: nothing from here on has to change

// ---- Text

static void *grown(void *old, size_t size) {
    void *found = realloc(old, size);
    if (!found) {
        fputs("no memory\n", stderr);
        exit(1);
    }
    return found;
}

static void add(Text *out, const char *bytes, size_t size) {
    if (out->size + size + 1 > out->room) {
        out->room = 2 * (out->size + size + 1);
        out->text = grown(out->text, out->room);
    }
    memcpy(out->text + out->size, bytes, size);
    out->size += size;
    out->text[out->size] = '\0';
}

static void say_all(Text *out, const char *format, va_list values) {
    va_list again;
    va_copy(again, values);
    int size = vsnprintf(NULL, 0, format, again);
    va_end(again);
    if (size < 0) return;
    char *text = grown(NULL, (size_t)size + 1);
    vsnprintf(text, (size_t)size + 1, format, values);
    add(out, text, (size_t)size);
    free(text);
}

static void say(Text *out, const char *format, ...) {
    va_list values;
    va_start(values, format);
    say_all(out, format, values);
    va_end(values);
}

static void say_string(Text *out, const char *text) {
    say(out, "\"");
    for (; *text; text++) {
        unsigned char byte = (unsigned char)*text;
        if (byte == '"' || byte == '\\') say(out, "\\%c", byte);
        else if (byte < 0x20) say(out, "\\u%04x", (unsigned)byte);
        else add(out, text, 1);
    }
    say(out, "\"");
}

static void say_cards(Text *out, const Cards *cards) {
    say(out, "\"");
    for (int at = 0; at < cards->count; at++)
        say(out, "%s%s", at ? " " : "", cards->cards[at]);
    say(out, "\"");
}

static Text trouble; // what went wrong, or why something is unsupported

static Result fail(const char *format, ...) {
    va_list values;
    va_start(values, format);
    trouble.size = 0;
    say_all(&trouble, format, values);
    va_end(values);
    return FAILED;
}

static Result unsupported(const char *format, ...) {
    va_list values;
    va_start(values, format);
    trouble.size = 0;
    say_all(&trouble, format, values);
    va_end(values);
    return UNSUPPORTED;
}

// ---- JSON: a strict reader of what the protocol has; numbers are whole

typedef enum {
    JSON_NULL, JSON_FALSE, JSON_TRUE, JSON_NUMBER, JSON_STRING, JSON_ARRAY, JSON_OBJECT
} Kind;

typedef struct Value {
    Kind kind;
    long number;
    char *text;
    char *key;           // in an object
    struct Value *first; // of an array or an object
    struct Value *next;
} Value;

enum { DEEPEST = 32 };

static const char *input; // where the reader stands

static Value *read_value(int depth);

static void drop(Value *value) {
    while (value) {
        Value *next = value->next;
        drop(value->first);
        free(value->text);
        free(value->key);
        free(value);
        value = next;
    }
}

static void skip_space(void) { input += strspn(input, " \t\r\n"); }

static bool took(const char *word) {
    size_t size = strlen(word);
    if (strncmp(input, word, size) != 0) return false;
    input += size;
    return true;
}

static long read_hex(void) {
    long found = 0;
    for (int digit = 0; digit < 4; digit++, input++) {
        const char *digits = "0123456789abcdef0123456789ABCDEF";
        const char *at = *input ? strchr(digits, *input) : NULL;
        if (!at) return -1;
        found = 16 * found + (at - digits) % 16;
    }
    return found;
}

static void add_utf8(Text *out, long code) {
    static const int marks[] = {0, 0xC0, 0xE0, 0xF0};
    int more = code < 0x80 ? 0 : code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
    char bytes[4] = {(char)(marks[more] | (code >> (6 * more)))};
    for (int at = 1; at <= more; at++)
        bytes[at] = (char)(0x80 | ((code >> (6 * (more - at))) & 0x3F));
    add(out, bytes, (size_t)more + 1);
}

static bool read_escape(Text *out) {
    static const char marks[] = "\"\\/bfnrt", meant[] = "\"\\/\b\f\n\r\t";
    const char *at = *input ? strchr(marks, *input) : NULL;
    if (at) {
        input++;
        add(out, &meant[at - marks], 1);
        return true;
    }
    if (!took("u")) return false;
    long code = read_hex();
    if (code >= 0xD800 && code < 0xDC00) { // the first half of a pair
        if (!took("\\u")) return false;
        long low = read_hex();
        if (low < 0xDC00 || low > 0xDFFF) return false;
        code = 0x10000 + (code - 0xD800) * 0x400 + (low - 0xDC00);
    } else if (code <= 0 || (code >= 0xDC00 && code < 0xE000)) {
        return false; // no C string can hold the character 0
    }
    add_utf8(out, code);
    return true;
}

// How many bytes follow this one in UTF-8; -1 if no character begins with it.
static int bytes_after(unsigned char first) {
    if (first < 0x80) return 0;
    if (first < 0xC2 || first > 0xF4) return -1;
    return first < 0xE0 ? 1 : first < 0xF0 ? 2 : 3;
}

// Take one character that is not escaped: no control character, and well-formed UTF-8.
static bool read_plain(Text *out) {
    const unsigned char *at = (const unsigned char *)input;
    int more = bytes_after(at[0]);
    if (more < 0 || at[0] < 0x20) return false;
    for (int byte = 1; byte <= more; byte++)
        if ((at[byte] & 0xC0) != 0x80) return false;
    if ((at[0] == 0xE0 && at[1] < 0xA0) || (at[0] == 0xED && at[1] > 0x9F)) return false;
    if ((at[0] == 0xF0 && at[1] < 0x90) || (at[0] == 0xF4 && at[1] > 0x8F)) return false;
    add(out, input, (size_t)more + 1);
    input += more + 1;
    return true;
}

static char *read_string(void) {
    Text out = {0};
    add(&out, "", 0);
    if (!took("\"")) goto wrong;
    while (!took("\""))
        if (!(took("\\") ? read_escape(&out) : read_plain(&out))) goto wrong;
    return out.text;
wrong:
    free(out.text);
    return NULL;
}

static bool read_number(long *found) {
    bool negative = took("-");
    size_t digits = strspn(input, "0123456789");
    if (digits == 0 || digits > 10 || (digits > 1 && *input == '0')) return false;
    long value = strtol(input, NULL, 10);
    input += digits;
    *found = negative ? -value : value;
    return *input != '.' && *input != 'e' && *input != 'E';
}

static bool has_key(const Value *object, const char *key) {
    for (const Value *one = object->first; one; one = one->next)
        if (strcmp(one->key, key) == 0) return true;
    return false;
}

static bool read_items(Value *whole, int depth) {
    const char *end = whole->kind == JSON_ARRAY ? "]" : "}";
    Value **last = &whole->first;
    skip_space();
    if (took(end)) return true;
    do {
        char *key = NULL;
        skip_space();
        if (whole->kind == JSON_OBJECT) {
            key = read_string();
            skip_space();
            if (!key || has_key(whole, key) || !took(":")) {
                free(key);
                return false;
            }
        }
        Value *item = read_value(depth);
        if (!item) {
            free(key);
            return false;
        }
        item->key = key;
        *last = item;
        last = &item->next;
        skip_space();
    } while (took(","));
    return took(end);
}

static Value *read_value(int depth) {
    Value *value = grown(NULL, sizeof *value);
    *value = (Value){.kind = JSON_NULL};
    skip_space();
    bool good = depth < DEEPEST;
    if (!good) {
    } else if (*input == '"') {
        value->kind = JSON_STRING;
        value->text = read_string();
        good = value->text != NULL;
    } else if (took("[") || took("{")) {
        value->kind = input[-1] == '[' ? JSON_ARRAY : JSON_OBJECT;
        good = read_items(value, depth + 1);
    } else if (took("true")) {
        value->kind = JSON_TRUE;
    } else if (took("false")) {
        value->kind = JSON_FALSE;
    } else if (!took("null")) {
        value->kind = JSON_NUMBER;
        good = read_number(&value->number);
    }
    if (good) return value;
    drop(value);
    return NULL;
}

static Value *read_line(const char *line) {
    input = line;
    Value *value = read_value(0);
    skip_space();
    if (value && (*input || value->kind != JSON_OBJECT)) {
        drop(value);
        value = NULL;
    }
    return value;
}

static const Value *get(const Value *object, const char *key, Kind kind) {
    if (object && object->kind == JSON_OBJECT)
        for (const Value *one = object->first; one; one = one->next)
            if (strcmp(one->key, key) == 0 && one->kind == kind) return one;
    return NULL;
}

static void say_value(Text *out, const Value *value) {
    static const char *const words[] = {"null", "false", "true"};
    if (value->kind <= JSON_TRUE) say(out, "%s", words[value->kind]);
    else if (value->kind == JSON_NUMBER) say(out, "%ld", value->number);
    else if (value->kind == JSON_STRING) say_string(out, value->text);
    else {
        bool object = value->kind == JSON_OBJECT;
        say(out, object ? "{" : "[");
        for (const Value *one = value->first; one; one = one->next) {
            if (object) say_string(out, one->key), say(out, ":");
            say_value(out, one);
            if (one->next) say(out, ",");
        }
        say(out, object ? "}" : "]");
    }
}

// ---- Setups and acts

static bool read_cards(Cards *cards, const Value *value) {
    cards->count = 0;
    if (!value) return true; // left out: none
    for (const char *at = value->text; *at;) {
        if (cards->count == 52 || strcspn(at, " ") != 2) return false;
        if (!strchr("23456789TJQKA", at[0]) || !strchr("CDSH", at[1])) return false;
        memcpy(cards->cards[cards->count], at, 2);
        cards->cards[cards->count++][2] = '\0';
        at += at[2] == ' ' ? 3 : 2;
    }
    return true;
}

// The cards of a deal, and the totals before it.
static bool read_deal(Setup *setup, const Value *given) {
    const Value *hands = get(given, "hands", JSON_ARRAY);
    const Value *totals = get(given, "totals", JSON_ARRAY);
    const Value *hand = hands ? hands->first : NULL, *total = totals ? totals->first : NULL;
    for (int seat = 0; seat < PLAYERS; seat++) {
        if (!hand || hand->kind != JSON_STRING) return false;
        if (!read_cards(&setup->hands[seat], hand)) return false;
        hand = hand->next;
        if (total) setup->totals[seat] = (int)total->number, total = total->next;
    }
    return !hand && read_cards(&setup->stock, get(given, "stock", JSON_STRING)) &&
           read_cards(&setup->kitty, get(given, "kitty", JSON_STRING));
}

static bool read_setup(Setup *setup, const Value *given) {
    const Value *dealer = get(given, "dealer", JSON_NUMBER);
    const Value *deal = get(given, "deal", JSON_NUMBER);
    if (!dealer || !deal) return false;
    *setup = (Setup){.dealer = (int)dealer->number, .deal = (int)deal->number};
    return read_deal(setup, given);
}

typedef struct {
    enum { PLAY, PASS, DEAL, OTHER } what;
    int seat;
    Cards cards;            // the card played, or those passed
    Cards packets[PLAYERS]; // once all have passed
    Setup setup;            // of a deal
    Text json;              // any other act
} Act;

static bool read_act(Act *act, const Value *request) {
    const Value *seat = get(request, "seat", JSON_NUMBER);
    const Value *given = get(request, "act", JSON_OBJECT);
    if (!seat || !given || !given->first || given->first->next) return false;
    if (seat->number < 0 || seat->number >= PLAYERS) return false;
    const Value *passed = get(given, "pass", JSON_STRING);
    const Value *played = get(given, "play", JSON_STRING);
    const Value *dealt = get(given, "deal", JSON_OBJECT);
    *act = (Act){.what = passed ? PASS : played ? PLAY : dealt ? DEAL : OTHER};
    act->seat = (int)seat->number;
    if (dealt) return read_deal(&act->setup, dealt);
    if (passed) return read_cards(&act->cards, passed);
    if (played) return read_cards(&act->cards, played) && act->cards.count == 1;
    say_value(&act->json, given);
    return true;
}

// ---- The open game, the acts done in it, and the passes that wait for the others

typedef struct {
    bool begun; // by its first deal
    Game game;
} Played;

static struct {
    bool is_open;
    Setup setup; // of the last deal; before the first of a match it names the dealer
    Played played;
    Act *done;
    size_t count;
    bool passed[PLAYERS];
    Cards packets[PLAYERS];
} now;

static const char *option(const char *name) {
    for (int at = 0; OPTIONS[at][0]; at++)
        if (strcmp(OPTIONS[at][0], name) == 0) return OPTIONS[at][1];
    return "";
}

static Result give(Played *played, const Act *act) {
    Game *game = &played->game;
    if (!played->begun) {
        if (act->what != DEAL) return REFUSED;
        Result found = game_open(game, &act->setup);
        played->begun = found == DONE;
        return found;
    }
    if (act->what == DEAL) return game_deal(game, &act->setup);
    if (act->what == PLAY) return game_play(game, act->seat, act->cards.cards[0]);
    if (act->what == PASS) return game_pass_all(game, act->packets);
    return game_other(game, act->seat, act->json.text);
}

static bool is_done(Result result) { return result == DONE || result == REVOKED; }

// What is due; before the first deal of a match, that deal.
static Result due_now(Due *due) {
    if (now.played.begun) return game_due(&now.played.game, due);
    *due = (Due){.kind = "deal", .seat = now.setup.dealer};
    return DONE;
}

// A deal, with what the engine is told of it: who deals, and which deal it is.
static Result complete(Act *act) {
    if (act->what != DEAL) return DONE;
    Due due = {.kind = ""};
    Result found = due_now(&due);
    if (found != DONE) return found;
    if (strcmp(due.kind, "deal") != 0 || due.seat != act->seat) return REFUSED;
    act->setup.match = true;
    act->setup.dealer = act->seat;
    act->setup.deal = now.setup.deal + 1;
    if (HAND_SIZE && act->setup.hands[0].count != HAND_SIZE)
        return unsupported("hands of another size");
    return DONE;
}

// Try an act on a game made anew, so that the open one does not change.
static Result try_act(const Act *act) {
    Played anew = {.begun = false};
    Result found = DONE;
    for (size_t at = 0; at < now.count && is_done(found); at++)
        found = give(&anew, &now.done[at]);
    if (is_done(found)) found = give(&anew, act);
    if (anew.begun) game_close(&anew.game);
    return found;
}

// For the seats that have not passed yet, the first cards of their hands stand in, so
// that your engine judges a packet before the last seat has passed.
static Result try_pass(Act *act) {
    int count = atoi(option("pass_count"));
    if (now.passed[act->seat] || !now.played.begun) return REFUSED;
    for (int seat = 0; seat < PLAYERS; seat++) {
        Cards *packet = &act->packets[seat];
        *packet = now.passed[seat] ? now.packets[seat] : now.setup.hands[seat];
        if (!now.passed[seat] && packet->count > count) packet->count = count;
    }
    act->packets[act->seat] = act->cards;
    return try_act(act);
}

static Result probe(Act *act) {
    if (act->what == PASS) return try_pass(act);
    Result found = complete(act);
    return found == DONE ? try_act(act) : found;
}

// Do an act in the open game.
static Result do_act(Act *act) {
    Result found = give(&now.played, act);
    if (!is_done(found)) return found;
    if (act->what == DEAL) now.setup = act->setup;
    memset(now.passed, 0, sizeof now.passed);
    now.done = grown(now.done, (now.count + 1) * sizeof *now.done);
    now.done[now.count++] = *act;
    act->json.text = NULL; // it belongs to the list now
    return found;
}

static Result step(Act *act) {
    if (act->what == PASS) {
        Result found = try_pass(act);
        if (!is_done(found)) return found;
        now.passed[act->seat] = true;
        now.packets[act->seat] = act->cards;
        for (int seat = 0; seat < PLAYERS; seat++)
            if (!now.passed[seat]) return DONE;
        memcpy(act->packets, now.packets, sizeof now.packets);
    }
    Result found = complete(act);
    return found == DONE ? do_act(act) : found;
}

static void close_game(void) {
    if (now.played.begun) game_close(&now.played.game);
    for (size_t at = 0; at < now.count; at++) free(now.done[at].json.text);
    free(now.done);
    memset(&now, 0, sizeof now);
}

static void say_turn(Text *out, const Due *due) {
    const char *comma = "";
    say(out, "\"turn\":[");
    if (strcmp(due->kind, "pass") == 0) {
        for (int seat = 0; seat < PLAYERS; seat++)
            if (!now.passed[seat]) say(out, "%s%d", comma, seat), comma = ",";
    } else if (strcmp(due->kind, "over") != 0) {
        say(out, "%d", due->seat);
    }
    say(out, "]");
}

static Result legal(Text *out) {
    Due due = {.kind = ""};
    Result found = due_now(&due);
    if (found != DONE) return found;
    say(out, "{");
    say_turn(out, &due);
    say(out, ",\"%s\":", due.kind);
    if (strcmp(due.kind, "over") == 0) {
        say(out, "true");
    } else if (strcmp(due.kind, "pass") == 0) {
        long long ways = 1;
        int size = now.setup.hands[0].count;
        for (int k = 1; k <= due.count; k++) ways = ways * (size + 1 - k) / k;
        say(out, "%lld", ways);
    } else if (strcmp(due.kind, "play") == 0) {
        say_cards(out, &due.cards);
    } else {
        say(out, "%s", due.other ? due.other : "1");
    }
    say(out, "}");
    return DONE;
}

static Result observe(Text *out) {
    Due due = {.kind = ""};
    Result found = due_now(&due);
    if (found != DONE) return found;
    bool over = strcmp(due.kind, "over") == 0;
    const char *phase = strcmp(due.kind, "draw") == 0 ? "play" : due.kind;
    say(out, "{\"phase\":\"%s\",\"over\":%s,", phase, over ? "true" : "false");
    say_turn(out, &due);
    if (now.played.begun) found = game_observe(&now.played.game, out);
    say(out, "}");
    return found;
}

// ---- The conversation

static bool is_in(const char *const *names, const char *name) {
    for (; *names; names++)
        if (strcmp(*names, name) == 0) return true;
    return false;
}

static Result open_match(const Value *match) {
    const Value *dealer = get(match, "dealer", JSON_NUMBER);
    if (!MATCHES || !dealer || has_key(match, "pack")) return unsupported("such a match");
    now.setup = (Setup){.match = true, .dealer = (int)dealer->number};
    now.is_open = true;
    return DONE;
}

static Result open_game(const Value *request) {
    const Value *ruleset = get(request, "ruleset", JSON_OBJECT);
    const Value *options = get(ruleset, "options", JSON_OBJECT);
    const Value *players = get(ruleset, "players", JSON_NUMBER);
    const Value *setup = get(request, "setup", JSON_OBJECT);
    Text given = {0};
    bool same = options && players;
    close_game();
    if (!same) return fail("open: no ruleset, or not every option");
    for (const Value *one = options->first; one && same; one = one->next) {
        given.size = 0;
        say_value(&given, one);
        same = is_in(NO_EFFECT, one->key) || strcmp(given.text, option(one->key)) == 0;
        if (!same) unsupported("the option %s=%s", one->key, given.text);
    }
    free(given.text);
    if (!same) return UNSUPPORTED;
    if (players->number != PLAYERS) return unsupported("another number of players");
    if (!setup) return open_match(get(request, "match", JSON_OBJECT));
    if (has_key(setup, "leader")) return unsupported("a position in the middle of a deal");
    Act first = {.what = DEAL};
    if (!read_setup(&first.setup, setup)) return fail("open: not a setup for this table");
    if (HAND_SIZE && first.setup.hands[0].count != HAND_SIZE)
        return unsupported("hands of another size");
    Result found = do_act(&first);
    now.is_open = found == DONE;
    return found;
}

static void say_names(Text *out, const char *const *names, const char *more) {
    say(out, "[");
    for (int at = 0; names[at]; at++) say(out, "%s\"%s\"", at ? "," : "", names[at]);
    say(out, "%s]", more);
}

static Result hello(Text *out) {
    say(out, "{\"protocol\":1,\"name\":\"%s\",\"version\":\"%s\"", NAME, VERSION);
    say(out, ",\"language\":\"%s\",\"spec\":\"%s\"", LANGUAGE, SPEC);
    say(out, ",\"profiles\":[\"%s\"]", PROFILE);
    say(out, ",\"players\":[%d],\"capabilities\":", PLAYERS);
    say_names(out, CAPABILITIES, MATCHES ? ",\"match\"" : "");
    say(out, ",\"tables\":[{\"profile\":\"%s\",\"players\":[%d]", PROFILE, PLAYERS);
    say(out, ",\"options\":{");
    for (int at = 0; CHANGED[at]; at++)
        say(out, "%s\"%s\":%s", at ? "," : "", CHANGED[at], option(CHANGED[at]));
    say(out, "},\"hands\":\"%s\",\"starts\":[\"deal\"", HAND_SIZE ? "full" : "any");
    say(out, "%s]}]}", MATCHES ? ",\"match-dealer\"" : "");
    return DONE;
}

// What the answer says, and in `out` what stands beside its key.
static Result answer(const Value *request, const char *op, Text *out) {
    if (strcmp(op, "hello") == 0) return hello(out);
    if (strcmp(op, "open") == 0) return open_game(request);
    bool acts = strcmp(op, "step") == 0 || strcmp(op, "probe") == 0;
    if (!acts && strcmp(op, "legal") != 0 && strcmp(op, "observe") != 0)
        return unsupported("the op %s", op);
    if (!now.is_open) return fail("no game is open");
    if (!acts && has_key(request, "seat")) return unsupported("what one seat knows");
    if (!acts) return strcmp(op, "legal") == 0 ? legal(out) : observe(out);
    Act act = {.what = OTHER};
    if (!read_act(&act, request)) {
        free(act.json.text);
        return fail("%s: not an act", op);
    }
    Result found = strcmp(op, "step") == 0 ? step(&act) : probe(&act);
    free(act.json.text);
    return found;
}

static void say_answer(Text *out, const Value *request) {
    const Value *seq = get(request, "seq", JSON_NUMBER), *op = get(request, "op", JSON_STRING);
    Text found = {0};
    Result result = seq && op ? answer(request, op->text, &found) : fail("no request");
    out->size = 0;
    say(out, "{");
    if (seq) say(out, "\"seq\":%ld,", seq->number);
    if (result == REFUSED) say(out, "\"refused\":{}");
    else if (result == REVOKED) say(out, "\"ok\":{\"breaks\":[\"5.3\"]}");
    else if (result == DONE) say(out, "\"ok\":%s", found.size ? found.text : "{}");
    else {
        say(out, result == FAILED ? "\"error\":" : "\"unsupported\":");
        say_string(out, trouble.text);
    }
    say(out, "}\n");
    free(found.text);
}

int main(void) {
    // Standard output is for answers alone: what the engine prints goes to standard error.
    FILE *requests = fdopen(dup(STDIN_FILENO), "r");
    FILE *answers = fdopen(dup(STDOUT_FILENO), "w");
    int nothing = open("/dev/null", O_RDONLY);
    if (!requests || !answers || nothing < 0) return 1;
    dup2(nothing, STDIN_FILENO);
    dup2(STDERR_FILENO, STDOUT_FILENO);
    setvbuf(stdout, NULL, _IOLBF, BUFSIZ);
    char *line = NULL;
    size_t room = 0;
    Text out = {0};
    bool running = true;
    while (running && getline(&line, &room, requests) > 0) {
        Value *request = read_line(line);
        const Value *op = get(request, "op", JSON_STRING);
        running = !op || strcmp(op->text, "bye") != 0;
        if (running) {
            say_answer(&out, request);
            fwrite(out.text, 1, out.size, answers);
            running = fflush(answers) == 0;
        }
        drop(request);
    }
    close_game();
    free(line);
    free(out.text);
    free(trouble.text);
    return 0;
}
