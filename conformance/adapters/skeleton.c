// Puts a Hearts engine behind the adapter protocol: JSON lines in, JSON lines out.
//
// Write the functions under "Your engine", and nothing else has to change; every name here
// begins with hfr, so that yours stay free. Run it with
//     cc -std=c11 -o my_adapter THIS_FILE && refengine conform run -- ./my_adapter
// What you have not written is answered with `unsupported` and scores nothing, except
// for the acts that `hfr_other` is for: those are refused. The skeleton needs C11 and
// POSIX, and no library.
#define _POSIX_C_SOURCE 200809L
#include <fcntl.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// <table>
// The edition of the book whose clauses the adapter names.
#define HFR_SPEC ""
// The table: what your engine plays, filled in by `refengine adapter`. A game in which
// an option has another value is declined with `unsupported`.
#define HFR_PROFILE ""
#define HFR_PLAYERS 4
// Cards dealt to each seat; 0 if your engine plays smaller deals as well.
#define HFR_HAND_SIZE 0
// The value of each option, as JSON.
static const char *const HFR_OPTIONS[][2] = {{NULL, NULL}};
// Which of these differ from the profile.
static const char *const HFR_CHANGED[] = {NULL};
// Those without effect given the others, so that any value will do.
static const char *const HFR_NO_EFFECT[] = {NULL};
// What can be asked; docs/adapters.md lists them all.
static const char *const HFR_CAPABILITIES[] = {NULL};
// </table>

#define HFR_NAME "my-hearts"
#define HFR_VERSION "0.1.0"
#define HFR_LANGUAGE "C"

// What a function of the engine returns: the act is done; it is done and was a revoke, where
// the rules let it happen; your engine does not allow it, and nothing has changed; your
// engine cannot do what is asked, as in `return hfr_unsupported("dealer %d", dealer)`; or it
// failed, as in `return hfr_fail("no hand %d", seat)`. The last two are never scored, and
// only the last is a mistake.
typedef enum { HFR_DONE, HFR_REVOKED, HFR_REFUSED, HFR_UNSUPPORTED, HFR_FAILED } HfrResult;

typedef struct {
    int count;
    char cards[52][3]; // a card is its rank and its suit: "2C", "TD", "QS", "AH"
} HfrCards;

typedef struct {
    bool match;       // whether it is a deal of a match
    int dealer, deal; // seats count from 0, seat s + 1 is to the left of seat s; deals from 1
    int totals[HFR_PLAYERS]; // before the deal; not given in a match
    HfrCards hands[HFR_PLAYERS], stock, kitty;
} HfrSetup;

// What is due now: the kind is "pass" (count cards), "play" (cards), "over", after a deal
// of a match that goes on "deal" (the seat deals), or else the name of the act, such as
// "moon" or "draw", with what the protocol adds to it, as JSON.
typedef struct {
    const char *kind;
    int seat, count;
    HfrCards cards;
    const char *other;
} HfrDue;

typedef struct {
    char *text;
    size_t size, room;
} HfrText;

static HfrResult hfr_fail(const char *format, ...);
static HfrResult hfr_unsupported(const char *format, ...);
static void hfr_say(HfrText *out, const char *format, ...); // adds text, like printf
static void hfr_say_cards(HfrText *out, const HfrCards *cards); // adds "2C 9D", quoted
static const char *hfr_option(const char *name); // its value in the table, as JSON

// ---- Your engine
// One deal in your engine, or one match, if it plays matches.
typedef struct {
    int nothing_yet;
} HfrGame;

// Make it true once hfr_deal is written: then whole matches are asked for.
enum { HFR_MATCHES = false };

// Deals; in a match, it is the first deal.
static HfrResult hfr_open(HfrGame *game, const HfrSetup *setup) {
    (void)game, (void)setup;
    return hfr_unsupported("not written yet");
}

// The next deal of a match.
static HfrResult hfr_deal(HfrGame *game, const HfrSetup *setup) {
    (void)game, (void)setup;
    return hfr_unsupported("matches");
}

static void hfr_close(HfrGame *game) { (void)game; }

static HfrResult hfr_due(const HfrGame *game, HfrDue *due) {
    (void)game, (void)due;
    return hfr_unsupported("not written yet");
}

// The cards that each seat passes. If your engine takes them seat by seat or card by
// card, loop over them here.
static HfrResult hfr_pass_all(HfrGame *game, const HfrCards packets[HFR_PLAYERS]) {
    (void)game, (void)packets;
    return hfr_unsupported("not written yet");
}

static HfrResult hfr_play(HfrGame *game, int seat, const char *card) {
    (void)game, (void)seat, (void)card;
    return hfr_unsupported("not written yet");
}

// Any other act as JSON, such as {"moon":"self_minus"} or {"draw":1}: refused, since your
// engine cannot make it, until you write how it does.
static HfrResult hfr_other(HfrGame *game, int seat, const char *act) {
    (void)game, (void)seat, (void)act;
    return HFR_REFUSED;
}

// Adds what your engine knows, each field with a comma before it:
// hfr_say(fields, ",\"tricks\":[%d,%d,%d,%d]", ...). What you leave out is not tested.
// For each seat: hands and taken (lists of "2C 9D ..."), tricks, points, totals and,
// when a deal is over, score (lists of numbers). Of the deal: hearts_broken, dealer,
// deal, kitty ("2C 9D"), table ({"leader": 0, "cards": "2C 9D"}, in the order played)
// and trick, if one was just completed (like table, with "winner": 2 as well). If there
// is a stock: stock and drew ("2C 9D", top first), and out (seats without cards,
// [1, 3]). If revokes are penalised: revokes ([{"seat": 1, "trick": 3, "state":
// "open"}]). Whether the match is over at these totals: match ({"over": false} or
// {"over": true, "winners": [0, 2]}). Between two deals of a match, dealer and deal
// belong to the next one, and everything else to the last.
static HfrResult hfr_observe(const HfrGame *game, HfrText *fields) {
    (void)game, (void)fields;
    return HFR_DONE;
}
// ---- The protocol: nothing from here on has to change

// ---- Text

static void *hfr_grown(void *old, size_t size) {
    void *found = realloc(old, size);
    if (!found) {
        fputs("no memory\n", stderr);
        exit(1);
    }
    return found;
}

static void hfr_add(HfrText *out, const char *bytes, size_t size) {
    if (out->size + size + 1 > out->room) {
        out->room = 2 * (out->size + size + 1);
        out->text = hfr_grown(out->text, out->room);
    }
    memcpy(out->text + out->size, bytes, size);
    out->size += size;
    out->text[out->size] = '\0';
}

static void hfr_say_all(HfrText *out, const char *format, va_list values) {
    va_list again;
    va_copy(again, values);
    int size = vsnprintf(NULL, 0, format, again);
    va_end(again);
    if (size < 0) return;
    char *text = hfr_grown(NULL, (size_t)size + 1);
    vsnprintf(text, (size_t)size + 1, format, values);
    hfr_add(out, text, (size_t)size);
    free(text);
}

static void hfr_say(HfrText *out, const char *format, ...) {
    va_list values;
    va_start(values, format);
    hfr_say_all(out, format, values);
    va_end(values);
}

static void hfr_say_string(HfrText *out, const char *text) {
    hfr_say(out, "\"");
    for (; *text; text++) {
        unsigned char byte = (unsigned char)*text;
        if (byte == '"' || byte == '\\') hfr_say(out, "\\%c", byte);
        else if (byte < 0x20) hfr_say(out, "\\u%04x", (unsigned)byte);
        else hfr_add(out, text, 1);
    }
    hfr_say(out, "\"");
}

static void hfr_say_cards(HfrText *out, const HfrCards *cards) {
    hfr_say(out, "\"");
    for (int at = 0; at < cards->count; at++)
        hfr_say(out, "%s%s", at ? " " : "", cards->cards[at]);
    hfr_say(out, "\"");
}

static HfrText hfr_trouble; // what went wrong, or why something is unsupported

static HfrResult hfr_fail(const char *format, ...) {
    va_list values;
    va_start(values, format);
    hfr_trouble.size = 0;
    hfr_say_all(&hfr_trouble, format, values);
    va_end(values);
    return HFR_FAILED;
}

static HfrResult hfr_unsupported(const char *format, ...) {
    va_list values;
    va_start(values, format);
    hfr_trouble.size = 0;
    hfr_say_all(&hfr_trouble, format, values);
    va_end(values);
    return HFR_UNSUPPORTED;
}

// ---- JSON: a strict reader of what the protocol has; numbers are whole

typedef enum {
    HFR_NULL, HFR_FALSE, HFR_TRUE, HFR_NUMBER, HFR_STRING, HFR_ARRAY, HFR_OBJECT
} HfrKind;

typedef struct HfrValue {
    HfrKind kind;
    long number;
    char *text;
    char *key;           // in an object
    struct HfrValue *first; // of an array or an object
    struct HfrValue *next;
} HfrValue;

enum { HFR_DEEPEST = 32 };

static const char *hfr_input; // where the reader stands

static HfrValue *hfr_read_value(int depth);

static void hfr_drop(HfrValue *value) {
    while (value) {
        HfrValue *next = value->next;
        hfr_drop(value->first);
        free(value->text);
        free(value->key);
        free(value);
        value = next;
    }
}

static void hfr_skip_space(void) { hfr_input += strspn(hfr_input, " \t\r\n"); }

static bool hfr_took(const char *word) {
    size_t size = strlen(word);
    if (strncmp(hfr_input, word, size) != 0) return false;
    hfr_input += size;
    return true;
}

static long hfr_read_hex(void) {
    long found = 0;
    for (int digit = 0; digit < 4; digit++, hfr_input++) {
        const char *digits = "0123456789abcdef0123456789ABCDEF";
        const char *at = *hfr_input ? strchr(digits, *hfr_input) : NULL;
        if (!at) return -1;
        found = 16 * found + (at - digits) % 16;
    }
    return found;
}

static void hfr_add_utf8(HfrText *out, long code) {
    static const int marks[] = {0, 0xC0, 0xE0, 0xF0};
    int more = code < 0x80 ? 0 : code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
    char bytes[4] = {(char)(marks[more] | (code >> (6 * more)))};
    for (int at = 1; at <= more; at++)
        bytes[at] = (char)(0x80 | ((code >> (6 * (more - at))) & 0x3F));
    hfr_add(out, bytes, (size_t)more + 1);
}

static bool hfr_read_escape(HfrText *out) {
    static const char marks[] = "\"\\/bfnrt", meant[] = "\"\\/\b\f\n\r\t";
    const char *at = *hfr_input ? strchr(marks, *hfr_input) : NULL;
    if (at) {
        hfr_input++;
        hfr_add(out, &meant[at - marks], 1);
        return true;
    }
    if (!hfr_took("u")) return false;
    long code = hfr_read_hex();
    if (code >= 0xD800 && code < 0xDC00) { // the first half of a pair
        if (!hfr_took("\\u")) return false;
        long low = hfr_read_hex();
        if (low < 0xDC00 || low > 0xDFFF) return false;
        code = 0x10000 + (code - 0xD800) * 0x400 + (low - 0xDC00);
    } else if (code <= 0 || (code >= 0xDC00 && code < 0xE000)) {
        return false; // no C string can hold the character 0
    }
    hfr_add_utf8(out, code);
    return true;
}

// How many bytes follow this one in UTF-8; -1 if no character begins with it.
static int hfr_bytes_after(unsigned char first) {
    if (first < 0x80) return 0;
    if (first < 0xC2 || first > 0xF4) return -1;
    return first < 0xE0 ? 1 : first < 0xF0 ? 2 : 3;
}

// Take one character that is not escaped: no control character, and well-formed UTF-8.
static bool hfr_read_plain(HfrText *out) {
    const unsigned char *at = (const unsigned char *)hfr_input;
    int more = hfr_bytes_after(at[0]);
    if (more < 0 || at[0] < 0x20) return false;
    for (int byte = 1; byte <= more; byte++)
        if ((at[byte] & 0xC0) != 0x80) return false;
    if ((at[0] == 0xE0 && at[1] < 0xA0) || (at[0] == 0xED && at[1] > 0x9F)) return false;
    if ((at[0] == 0xF0 && at[1] < 0x90) || (at[0] == 0xF4 && at[1] > 0x8F)) return false;
    hfr_add(out, hfr_input, (size_t)more + 1);
    hfr_input += more + 1;
    return true;
}

static char *hfr_read_string(void) {
    HfrText out = {0};
    hfr_add(&out, "", 0);
    if (!hfr_took("\"")) goto wrong;
    while (!hfr_took("\""))
        if (!(hfr_took("\\") ? hfr_read_escape(&out) : hfr_read_plain(&out))) goto wrong;
    return out.text;
wrong:
    free(out.text);
    return NULL;
}

static bool hfr_read_number(long *found) {
    bool negative = hfr_took("-");
    size_t digits = strspn(hfr_input, "0123456789");
    if (digits == 0 || digits > 10 || (digits > 1 && *hfr_input == '0')) return false;
    long value = strtol(hfr_input, NULL, 10);
    hfr_input += digits;
    *found = negative ? -value : value;
    return *hfr_input != '.' && *hfr_input != 'e' && *hfr_input != 'E';
}

static bool hfr_has_key(const HfrValue *object, const char *key) {
    for (const HfrValue *one = object->first; one; one = one->next)
        if (strcmp(one->key, key) == 0) return true;
    return false;
}

static bool hfr_read_items(HfrValue *whole, int depth) {
    const char *end = whole->kind == HFR_ARRAY ? "]" : "}";
    HfrValue **last = &whole->first;
    hfr_skip_space();
    if (hfr_took(end)) return true;
    do {
        char *key = NULL;
        hfr_skip_space();
        if (whole->kind == HFR_OBJECT) {
            key = hfr_read_string();
            hfr_skip_space();
            if (!key || hfr_has_key(whole, key) || !hfr_took(":")) {
                free(key);
                return false;
            }
        }
        HfrValue *item = hfr_read_value(depth);
        if (!item) {
            free(key);
            return false;
        }
        item->key = key;
        *last = item;
        last = &item->next;
        hfr_skip_space();
    } while (hfr_took(","));
    return hfr_took(end);
}

static HfrValue *hfr_read_value(int depth) {
    HfrValue *value = hfr_grown(NULL, sizeof *value);
    *value = (HfrValue){.kind = HFR_NULL};
    hfr_skip_space();
    bool good = depth < HFR_DEEPEST;
    if (!good) {
    } else if (*hfr_input == '"') {
        value->kind = HFR_STRING;
        value->text = hfr_read_string();
        good = value->text != NULL;
    } else if (hfr_took("[") || hfr_took("{")) {
        value->kind = hfr_input[-1] == '[' ? HFR_ARRAY : HFR_OBJECT;
        good = hfr_read_items(value, depth + 1);
    } else if (hfr_took("true")) {
        value->kind = HFR_TRUE;
    } else if (hfr_took("false")) {
        value->kind = HFR_FALSE;
    } else if (!hfr_took("null")) {
        value->kind = HFR_NUMBER;
        good = hfr_read_number(&value->number);
    }
    if (good) return value;
    hfr_drop(value);
    return NULL;
}

static HfrValue *hfr_read_line(const char *line) {
    hfr_input = line;
    HfrValue *value = hfr_read_value(0);
    hfr_skip_space();
    if (value && (*hfr_input || value->kind != HFR_OBJECT)) {
        hfr_drop(value);
        value = NULL;
    }
    return value;
}

static const HfrValue *hfr_get(const HfrValue *object, const char *key, HfrKind kind) {
    if (object && object->kind == HFR_OBJECT)
        for (const HfrValue *one = object->first; one; one = one->next)
            if (strcmp(one->key, key) == 0 && one->kind == kind) return one;
    return NULL;
}

static void hfr_say_value(HfrText *out, const HfrValue *value) {
    static const char *const words[] = {"null", "false", "true"};
    if (value->kind <= HFR_TRUE) hfr_say(out, "%s", words[value->kind]);
    else if (value->kind == HFR_NUMBER) hfr_say(out, "%ld", value->number);
    else if (value->kind == HFR_STRING) hfr_say_string(out, value->text);
    else {
        bool object = value->kind == HFR_OBJECT;
        hfr_say(out, object ? "{" : "[");
        for (const HfrValue *one = value->first; one; one = one->next) {
            if (object) hfr_say_string(out, one->key), hfr_say(out, ":");
            hfr_say_value(out, one);
            if (one->next) hfr_say(out, ",");
        }
        hfr_say(out, object ? "}" : "]");
    }
}

// ---- Setups and acts

static bool hfr_read_cards(HfrCards *cards, const HfrValue *value) {
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
static bool hfr_read_deal(HfrSetup *setup, const HfrValue *given) {
    const HfrValue *hands = hfr_get(given, "hands", HFR_ARRAY);
    const HfrValue *totals = hfr_get(given, "totals", HFR_ARRAY);
    const HfrValue *hand = hands ? hands->first : NULL, *total = totals ? totals->first : NULL;
    for (int seat = 0; seat < HFR_PLAYERS; seat++) {
        if (!hand || hand->kind != HFR_STRING) return false;
        if (!hfr_read_cards(&setup->hands[seat], hand)) return false;
        hand = hand->next;
        if (total) setup->totals[seat] = (int)total->number, total = total->next;
    }
    return !hand && hfr_read_cards(&setup->stock, hfr_get(given, "stock", HFR_STRING)) &&
           hfr_read_cards(&setup->kitty, hfr_get(given, "kitty", HFR_STRING));
}

static bool hfr_read_setup(HfrSetup *setup, const HfrValue *given) {
    const HfrValue *dealer = hfr_get(given, "dealer", HFR_NUMBER);
    const HfrValue *deal = hfr_get(given, "deal", HFR_NUMBER);
    if (!dealer || !deal) return false;
    *setup = (HfrSetup){.dealer = (int)dealer->number, .deal = (int)deal->number};
    return hfr_read_deal(setup, given);
}

typedef struct {
    enum { HFR_PLAY, HFR_PASS, HFR_DEAL, HFR_OTHER } what;
    int seat;
    HfrCards cards;            // the card played, or those passed
    HfrCards packets[HFR_PLAYERS]; // once all have passed
    HfrSetup setup;            // of a deal
    HfrText json;              // any other act
} HfrAct;

static bool hfr_read_act(HfrAct *act, const HfrValue *request) {
    const HfrValue *seat = hfr_get(request, "seat", HFR_NUMBER);
    const HfrValue *given = hfr_get(request, "act", HFR_OBJECT);
    if (!seat || !given || !given->first || given->first->next) return false;
    if (seat->number < 0 || seat->number >= HFR_PLAYERS) return false;
    const HfrValue *passed = hfr_get(given, "pass", HFR_STRING);
    const HfrValue *played = hfr_get(given, "play", HFR_STRING);
    const HfrValue *dealt = hfr_get(given, "deal", HFR_OBJECT);
    *act = (HfrAct){.what = passed ? HFR_PASS : played ? HFR_PLAY : dealt ? HFR_DEAL : HFR_OTHER};
    act->seat = (int)seat->number;
    if (dealt) return hfr_read_deal(&act->setup, dealt);
    if (passed) return hfr_read_cards(&act->cards, passed);
    if (played) return hfr_read_cards(&act->cards, played) && act->cards.count == 1;
    hfr_say_value(&act->json, given);
    return true;
}

// ---- The open game, the acts done in it, and the passes that wait for the others

typedef struct {
    bool begun; // by its first deal
    HfrGame game;
} HfrPlayed;

static struct {
    bool is_open;
    HfrSetup setup; // of the last deal; before the first of a match it names the dealer
    HfrPlayed played;
    HfrAct *done;
    size_t count;
    bool passed[HFR_PLAYERS];
    HfrCards packets[HFR_PLAYERS];
} hfr_now;

static const char *hfr_option(const char *name) {
    for (int at = 0; HFR_OPTIONS[at][0]; at++)
        if (strcmp(HFR_OPTIONS[at][0], name) == 0) return HFR_OPTIONS[at][1];
    return "";
}

static HfrResult hfr_give(HfrPlayed *played, const HfrAct *act) {
    HfrGame *game = &played->game;
    if (!played->begun) {
        if (act->what != HFR_DEAL) return HFR_REFUSED;
        HfrResult found = hfr_open(game, &act->setup);
        played->begun = found == HFR_DONE;
        return found;
    }
    if (act->what == HFR_DEAL) return hfr_deal(game, &act->setup);
    if (act->what == HFR_PLAY) return hfr_play(game, act->seat, act->cards.cards[0]);
    if (act->what == HFR_PASS) return hfr_pass_all(game, act->packets);
    return hfr_other(game, act->seat, act->json.text);
}

static bool hfr_is_done(HfrResult result) { return result == HFR_DONE || result == HFR_REVOKED; }

// What is due; before the first deal of a match, that deal.
static HfrResult hfr_due_now(HfrDue *due) {
    if (hfr_now.played.begun) return hfr_due(&hfr_now.played.game, due);
    *due = (HfrDue){.kind = "deal", .seat = hfr_now.setup.dealer};
    return HFR_DONE;
}

// A deal, with what the engine is told of it: who deals, and which deal it is.
static HfrResult hfr_complete(HfrAct *act) {
    if (act->what != HFR_DEAL) return HFR_DONE;
    HfrDue due = {.kind = ""};
    HfrResult found = hfr_due_now(&due);
    if (found != HFR_DONE) return found;
    if (strcmp(due.kind, "deal") != 0 || due.seat != act->seat) return HFR_REFUSED;
    act->setup.match = true;
    act->setup.dealer = act->seat;
    act->setup.deal = hfr_now.setup.deal + 1;
    if (HFR_HAND_SIZE && act->setup.hands[0].count != HFR_HAND_SIZE)
        return hfr_unsupported("hands of another size");
    return HFR_DONE;
}

// Try an act on a game made anew, so that the open one does not change.
static HfrResult hfr_try_act(const HfrAct *act) {
    HfrPlayed anew = {.begun = false};
    HfrResult found = HFR_DONE;
    for (size_t at = 0; at < hfr_now.count && hfr_is_done(found); at++)
        found = hfr_give(&anew, &hfr_now.done[at]);
    if (hfr_is_done(found)) found = hfr_give(&anew, act);
    if (anew.begun) hfr_close(&anew.game);
    return found;
}

// For the seats that have not passed yet, the first cards of their hands stand in, so
// that your engine judges a packet before the last seat has passed.
static HfrResult hfr_try_pass(HfrAct *act) {
    int count = atoi(hfr_option("pass_count"));
    if (hfr_now.passed[act->seat] || !hfr_now.played.begun) return HFR_REFUSED;
    for (int seat = 0; seat < HFR_PLAYERS; seat++) {
        HfrCards *packet = &act->packets[seat];
        *packet = hfr_now.passed[seat] ? hfr_now.packets[seat] : hfr_now.setup.hands[seat];
        if (!hfr_now.passed[seat] && packet->count > count) packet->count = count;
    }
    act->packets[act->seat] = act->cards;
    return hfr_try_act(act);
}

static HfrResult hfr_probe(HfrAct *act) {
    if (act->what == HFR_PASS) return hfr_try_pass(act);
    HfrResult found = hfr_complete(act);
    return found == HFR_DONE ? hfr_try_act(act) : found;
}

// Apply an act to the open game.
static HfrResult hfr_do_act(HfrAct *act) {
    HfrResult found = hfr_give(&hfr_now.played, act);
    if (!hfr_is_done(found)) return found;
    if (act->what == HFR_DEAL) hfr_now.setup = act->setup;
    memset(hfr_now.passed, 0, sizeof hfr_now.passed);
    hfr_now.done = hfr_grown(hfr_now.done, (hfr_now.count + 1) * sizeof *hfr_now.done);
    hfr_now.done[hfr_now.count++] = *act;
    act->json.text = NULL; // it belongs to the list now
    return found;
}

static HfrResult hfr_step(HfrAct *act) {
    if (act->what == HFR_PASS) {
        HfrResult found = hfr_try_pass(act);
        if (!hfr_is_done(found)) return found;
        hfr_now.passed[act->seat] = true;
        hfr_now.packets[act->seat] = act->cards;
        for (int seat = 0; seat < HFR_PLAYERS; seat++)
            if (!hfr_now.passed[seat]) return HFR_DONE;
        memcpy(act->packets, hfr_now.packets, sizeof hfr_now.packets);
    }
    HfrResult found = hfr_complete(act);
    return found == HFR_DONE ? hfr_do_act(act) : found;
}

static void hfr_close_game(void) {
    if (hfr_now.played.begun) hfr_close(&hfr_now.played.game);
    for (size_t at = 0; at < hfr_now.count; at++) free(hfr_now.done[at].json.text);
    free(hfr_now.done);
    memset(&hfr_now, 0, sizeof hfr_now);
}

static void hfr_say_turn(HfrText *out, const HfrDue *due) {
    const char *comma = "";
    hfr_say(out, "\"turn\":[");
    if (strcmp(due->kind, "pass") == 0) {
        for (int seat = 0; seat < HFR_PLAYERS; seat++)
            if (!hfr_now.passed[seat]) hfr_say(out, "%s%d", comma, seat), comma = ",";
    } else if (strcmp(due->kind, "over") != 0) {
        hfr_say(out, "%d", due->seat);
    }
    hfr_say(out, "]");
}

static HfrResult hfr_legal(HfrText *out) {
    HfrDue due = {.kind = ""};
    HfrResult found = hfr_due_now(&due);
    if (found != HFR_DONE) return found;
    hfr_say(out, "{");
    hfr_say_turn(out, &due);
    hfr_say(out, ",\"%s\":", due.kind);
    if (strcmp(due.kind, "over") == 0) {
        hfr_say(out, "true");
    } else if (strcmp(due.kind, "pass") == 0) {
        long long ways = 1;
        int size = hfr_now.setup.hands[0].count;
        for (int k = 1; k <= due.count; k++) ways = ways * (size + 1 - k) / k;
        hfr_say(out, "%lld", ways);
    } else if (strcmp(due.kind, "play") == 0) {
        hfr_say_cards(out, &due.cards);
    } else {
        hfr_say(out, "%s", due.other ? due.other : "1");
    }
    hfr_say(out, "}");
    return HFR_DONE;
}

static HfrResult hfr_told(HfrText *out) {
    HfrDue due = {.kind = ""};
    HfrResult found = hfr_due_now(&due);
    if (found != HFR_DONE) return found;
    bool over = strcmp(due.kind, "over") == 0;
    const char *phase = strcmp(due.kind, "draw") == 0 ? "play" : due.kind;
    hfr_say(out, "{\"phase\":\"%s\",\"over\":%s,", phase, over ? "true" : "false");
    hfr_say_turn(out, &due);
    if (hfr_now.played.begun) found = hfr_observe(&hfr_now.played.game, out);
    hfr_say(out, "}");
    return found;
}

// ---- The conversation

static bool hfr_is_in(const char *const *names, const char *name) {
    for (; *names; names++)
        if (strcmp(*names, name) == 0) return true;
    return false;
}

static HfrResult hfr_open_match(const HfrValue *match) {
    const HfrValue *dealer = hfr_get(match, "dealer", HFR_NUMBER);
    if (!HFR_MATCHES || !dealer || hfr_has_key(match, "pack"))
        return hfr_unsupported("such a match");
    hfr_now.setup = (HfrSetup){.match = true, .dealer = (int)dealer->number};
    hfr_now.is_open = true;
    return HFR_DONE;
}

static HfrResult hfr_open_game(const HfrValue *request) {
    const HfrValue *ruleset = hfr_get(request, "ruleset", HFR_OBJECT);
    const HfrValue *options = hfr_get(ruleset, "options", HFR_OBJECT);
    const HfrValue *players = hfr_get(ruleset, "players", HFR_NUMBER);
    const HfrValue *setup = hfr_get(request, "setup", HFR_OBJECT);
    HfrText given = {0};
    bool same = options && players;
    hfr_close_game();
    if (!same) return hfr_fail("open: no ruleset, or not every option");
    for (const HfrValue *one = options->first; one && same; one = one->next) {
        given.size = 0;
        hfr_say_value(&given, one);
        same = hfr_is_in(HFR_NO_EFFECT, one->key) || strcmp(given.text, hfr_option(one->key)) == 0;
        if (!same) hfr_unsupported("the option %s=%s", one->key, given.text);
    }
    free(given.text);
    if (!same) return HFR_UNSUPPORTED;
    if (players->number != HFR_PLAYERS) return hfr_unsupported("another number of players");
    if (!setup) return hfr_open_match(hfr_get(request, "match", HFR_OBJECT));
    if (hfr_has_key(setup, "leader")) return hfr_unsupported("a position in the middle of a deal");
    if (hfr_get(setup, "limit_reached", HFR_TRUE)) return hfr_unsupported("a match played on after a tie");
    HfrAct first = {.what = HFR_DEAL};
    if (!hfr_read_setup(&first.setup, setup)) return hfr_fail("open: not a setup for this table");
    if (HFR_HAND_SIZE && first.setup.hands[0].count != HFR_HAND_SIZE)
        return hfr_unsupported("hands of another size");
    HfrResult found = hfr_do_act(&first);
    hfr_now.is_open = found == HFR_DONE;
    return found;
}

static void hfr_say_names(HfrText *out, const char *const *names, const char *more) {
    hfr_say(out, "[");
    for (int at = 0; names[at]; at++) hfr_say(out, "%s\"%s\"", at ? "," : "", names[at]);
    hfr_say(out, "%s]", more);
}

static HfrResult hfr_hello(HfrText *out) {
    hfr_say(out, "{\"protocol\":1,\"name\":\"%s\",\"version\":\"%s\"", HFR_NAME, HFR_VERSION);
    hfr_say(out, ",\"language\":\"%s\",\"spec\":\"%s\"", HFR_LANGUAGE, HFR_SPEC);
    hfr_say(out, ",\"profiles\":[\"%s\"]", HFR_PROFILE);
    hfr_say(out, ",\"players\":[%d],\"capabilities\":", HFR_PLAYERS);
    hfr_say_names(out, HFR_CAPABILITIES, HFR_MATCHES ? ",\"match\"" : "");
    hfr_say(out, ",\"tables\":[{\"profile\":\"%s\",\"players\":[%d]", HFR_PROFILE, HFR_PLAYERS);
    hfr_say(out, ",\"options\":{");
    for (int at = 0; HFR_CHANGED[at]; at++)
        hfr_say(out, "%s\"%s\":%s", at ? "," : "", HFR_CHANGED[at], hfr_option(HFR_CHANGED[at]));
    hfr_say(out, "},\"hands\":\"%s\",\"starts\":[\"deal\"", HFR_HAND_SIZE ? "full" : "any");
    hfr_say(out, "%s]}]}", HFR_MATCHES ? ",\"match-dealer\"" : "");
    return HFR_DONE;
}

// How a request came out, and in `out` the value of its answer.
static HfrResult hfr_answer(const HfrValue *request, const char *op, HfrText *out) {
    if (strcmp(op, "hello") == 0) return hfr_hello(out);
    if (strcmp(op, "open") == 0) return hfr_open_game(request);
    bool acts = strcmp(op, "step") == 0 || strcmp(op, "probe") == 0;
    if (!acts && strcmp(op, "legal") != 0 && strcmp(op, "observe") != 0)
        return hfr_unsupported("the op %s", op);
    if (!hfr_now.is_open) return hfr_fail("no game is open");
    if (!acts && hfr_has_key(request, "seat")) return hfr_unsupported("what one seat knows");
    if (!acts) return strcmp(op, "legal") == 0 ? hfr_legal(out) : hfr_told(out);
    HfrAct act = {.what = HFR_OTHER};
    if (!hfr_read_act(&act, request)) {
        free(act.json.text);
        return hfr_fail("%s: not an act", op);
    }
    HfrResult found = strcmp(op, "step") == 0 ? hfr_step(&act) : hfr_probe(&act);
    free(act.json.text);
    return found;
}

static void hfr_say_answer(HfrText *out, const HfrValue *request) {
    const HfrValue *seq = hfr_get(request, "seq", HFR_NUMBER);
    const HfrValue *op = hfr_get(request, "op", HFR_STRING);
    HfrText found = {0};
    HfrResult result = seq && op ? hfr_answer(request, op->text, &found) : hfr_fail("no request");
    out->size = 0;
    hfr_say(out, "{");
    if (seq) hfr_say(out, "\"seq\":%ld,", seq->number);
    if (result == HFR_REFUSED) hfr_say(out, "\"refused\":{}");
    else if (result == HFR_REVOKED) hfr_say(out, "\"ok\":{\"breaks\":[\"5.3\"]}");
    else if (result == HFR_DONE) hfr_say(out, "\"ok\":%s", found.size ? found.text : "{}");
    else {
        hfr_say(out, result == HFR_FAILED ? "\"error\":" : "\"unsupported\":");
        hfr_say_string(out, hfr_trouble.text);
    }
    hfr_say(out, "}\n");
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
    HfrText out = {0};
    bool running = true;
    while (running && getline(&line, &room, requests) > 0) {
        HfrValue *request = hfr_read_line(line);
        const HfrValue *op = hfr_get(request, "op", HFR_STRING);
        running = !op || strcmp(op->text, "bye") != 0;
        if (running) {
            hfr_say_answer(&out, request);
            fwrite(out.text, 1, out.size, answers);
            running = fflush(answers) == 0;
        }
        hfr_drop(request);
    }
    hfr_close_game();
    free(line);
    free(out.text);
    free(hfr_trouble.text);
    return 0;
}
