// Puts a Hearts engine behind the adapter protocol: JSON lines in, JSON lines out.
//
// Write the functions of Game, and nothing else has to change. Run it with
//
//	go build -o my_adapter THIS_FILE && refengine conform run -- ./my_adapter
//
// What you have not written is answered with `unsupported` and scores nothing, except
// for the acts that `other` is for: those are refused. The skeleton needs Go 1.23, and no
// other module.
package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
)

// <table>
// The edition of the book whose clauses the adapter names.
const spec = ""

// The table: what your engine plays, filled in by `refengine adapter`. A game in which
// an option has another value is declined with `unsupported`.
const profile = ""
const players = 0

// Cards dealt to each seat; 0 if your engine plays smaller deals as well.
const handSize = 0

// The value of each option, as JSON.
var options = map[string]string{}

// Which of these differ from the profile.
var changed = []string{}

// Those without effect given the others, so that any value will do.
var noEffect = []string{}

// What can be asked; docs/adapters.md lists them all.
var capabilities = []string{}
// </table>

const name, version, language = "my-hearts", "0.1.0", "Go"

// Return this where your engine does not allow an act.
var errRefused = errors.New("refused")

// Return this, with the reason, where your engine cannot do what is asked. An example
// is a dealer that it cannot choose. This is not a mistake, and is not scored.
func unsupported(format string, values ...any) error {
	return fmt.Errorf("%w: "+format, append([]any{errors.ErrUnsupported}, values...)...)
}

var errNotWritten = unsupported("not written yet")

// How a deal begins; the totals are empty if they are all 0, and in a match.
type Setup struct {
	Match    bool     `json:"-"` // whether it is a deal of a match
	Dealer   int      `json:"dealer"`
	Deal     int      `json:"deal"` // from 1
	Totals   []int    `json:"totals"`
	Hands    []string `json:"hands"` // "2C 9D ...", one for each seat
	Stock    string   `json:"stock"`
	Kitty    string   `json:"kitty"`
	Leader   *int     `json:"leader"`        // of a position in the middle of play
	PlayedOn bool     `json:"limit_reached"` // in a match played on after a tie
}

// What is due now: Kind is "pass" (Count cards), "play" (Cards), "over", after a deal of
// a match that goes on "deal" (Seat deals), or else the name of the act, such as "moon"
// or "draw", with what the protocol adds to it.
type Due struct {
	Kind  string
	Seat  int
	Count int
	Cards []string
	Other any
}

// An act by the name that the protocol gives it, such as {"moon": "self_minus"}.
type Act map[string]any

// ---- Your engine

// Game is one deal in your engine, or one match, if it plays matches. Seats count from
// 0; seat s + 1 is to the left of seat s. A card is its rank and its suit: "2C", "TD",
// "QS", "AH". A panic, or an error that is neither errRefused nor made by unsupported, is
// answered with `error`, which is never scored.
type Game struct{}

// Make it true once deal is written: then whole matches are asked for.
const matches = false

// newGame deals; in a match, it is the first deal.
func newGame(setup Setup) (*Game, error) { return nil, errNotWritten }

// deal is the next deal of a match.
func (game *Game) deal(setup Setup) error { return unsupported("matches") }

// due is what is due now.
func (game *Game) due() (Due, error) { return Due{}, errNotWritten }

// passAll passes the cards of each seat. If your engine takes them seat by seat or card
// by card, loop over them here.
func (game *Game) passAll(packets [][]string) error { return errNotWritten }

// play plays a card, or returns errRefused and changes nothing; true stands for a
// revoke, where the rules let it happen.
func (game *Game) play(seat int, card string) (bool, error) { return false, errNotWritten }

// other is any other act: refused, since your engine cannot make it, until you write how
// it does.
func (game *Game) other(seat int, act Act) error { return errRefused }

// observe returns what your engine knows; what you leave out is not tested. For each
// seat: hands and taken (lists of "2C 9D ..."), tricks, points, totals and, when a deal
// is over, score (lists of numbers). Of the deal: hearts_broken, dealer, deal, kitty
// ("2C 9D"), table (a map with "leader": 0 and "cards": "2C 9D", in the order played)
// and trick, if one was just completed (like table, with "winner": 2 as well). If there
// is a stock: stock and drew ("2C 9D", top first), and out (seats without cards,
// []int{1, 3}). If revokes are penalised: revokes (maps with "seat": 1, "trick": 3,
// "state": "open"). Whether the match is over at these totals: match (a map with "over":
// false, or true and "winners": []int{0, 2}). Between two deals of a match, dealer and
// deal belong to the next one, and everything else to the last.
func (game *Game) observe() (map[string]any, error) { return map[string]any{}, nil }

// ---- The protocol: nothing from here on has to change

type seatedAct struct {
	seat int
	act  Act
}

// The open game, the acts done in it, and the passes that wait for the others.
type conversation struct {
	setup   Setup // of the last deal; before the first of a match it names the dealer
	game    *Game // nil before that deal
	done    []seatedAct
	packets map[int][]string
}

// Two acts of our own: all packets at once, and a deal with what the engine is told of it.
const allPass, newDeal = "all pass", "new deal"

// do gives an act to the engine, and returns what to answer in `ok`.
func do(game *Game, seat int, act Act) (any, error) {
	if game == nil {
		return nil, errRefused
	}
	if setup, found := act[newDeal].(Setup); found {
		return struct{}{}, game.deal(setup)
	}
	if packets, found := act[allPass].([][]string); found {
		return struct{}{}, game.passAll(packets)
	}
	card, found := act["play"].(string)
	if !found {
		return struct{}{}, game.other(seat, act)
	}
	revoke, err := game.play(seat, card)
	if revoke {
		return map[string]any{"breaks": []string{"5.3"}}, err
	}
	return struct{}{}, err
}

// What is tried is tried on a game made anew, so that the open one does not change.
func (open *conversation) madeAnew() (*Game, error) {
	var game *Game
	var err error
	for _, one := range open.done {
		if err == nil {
			game, _, err = doFrom(game, one.seat, one.act)
		}
	}
	return game, err
}

// doFrom is do, where the first deal makes the game.
func doFrom(game *Game, seat int, act Act) (*Game, any, error) {
	if setup, found := act[newDeal].(Setup); found && game == nil {
		game, err := newGame(setup)
		return game, struct{}{}, err
	}
	found, err := do(game, seat, act)
	return game, found, err
}

// given is an act as do takes it; a deal, with who deals and which deal it is.
func (open *conversation) given(seat int, act Act) (Act, error) {
	dealt, found := act["deal"]
	if !found {
		return act, nil
	}
	due, err := open.due()
	if err != nil {
		return nil, err
	}
	if due.Kind != "deal" || due.Seat != seat {
		return nil, errRefused
	}
	setup := Setup{Match: true, Dealer: seat, Deal: open.setup.Deal + 1}
	text, err := json.Marshal(dealt)
	if err == nil {
		err = json.Unmarshal(text, &setup)
	}
	if err != nil {
		return nil, err
	}
	if size := len(strings.Fields(setup.Hands[0])); handSize != 0 && size != handSize {
		return nil, unsupported("hands of other than %d cards", handSize)
	}
	return Act{newDeal: setup}, nil
}

// do applies an act to the open game.
func (open *conversation) do(seat int, act Act) (any, error) {
	game, found, err := doFrom(open.game, seat, act)
	if err != nil {
		return nil, err
	}
	open.game = game
	if setup, dealt := act[newDeal].(Setup); dealt {
		open.setup = setup
	}
	clear(open.packets)
	open.done = append(open.done, seatedAct{seat, act})
	return found, nil
}

// due is what is due; before the first deal of a match, that deal.
func (open *conversation) due() (Due, error) {
	if open.game == nil {
		return Due{Kind: "deal", Seat: open.setup.Dealer}, nil
	}
	return open.game.due()
}

// For the seats that have not passed yet, the first cards of their hands stand in, so
// that your engine judges a packet before the last seat has passed.
func (open *conversation) tryPass(seat int, packet []string) error {
	if _, passed := open.packets[seat]; passed || open.game == nil {
		return errRefused
	}
	count, err := strconv.Atoi(options["pass_count"])
	if err != nil {
		return err
	}
	packets := make([][]string, players)
	for other := range packets {
		first := strings.Fields(open.setup.Hands[other])
		packets[other] = first[:min(count, len(first))]
		if given, passed := open.packets[other]; passed {
			packets[other] = given
		}
	}
	packets[seat] = packet
	game, err := open.madeAnew()
	if err != nil {
		return err
	}
	return game.passAll(packets)
}

func (open *conversation) probe(seat int, act Act) (any, error) {
	if cards, found := act["pass"].(string); found {
		return struct{}{}, open.tryPass(seat, strings.Fields(cards))
	}
	act, err := open.given(seat, act)
	if err != nil {
		return nil, err
	}
	game, err := open.madeAnew()
	if err != nil {
		return nil, err
	}
	_, found, err := doFrom(game, seat, act)
	return found, err
}

func (open *conversation) step(seat int, act Act) (any, error) {
	if cards, found := act["pass"].(string); found {
		packet := strings.Fields(cards)
		if err := open.tryPass(seat, packet); err != nil {
			return nil, err
		}
		open.packets[seat] = packet
		if len(open.packets) < players {
			return struct{}{}, nil
		}
		packets := make([][]string, players)
		for other := range packets {
			packets[other] = open.packets[other]
		}
		act = Act{allPass: packets}
	}
	act, err := open.given(seat, act)
	if err != nil {
		return nil, err
	}
	return open.do(seat, act)
}

func (open *conversation) legal() (map[string]any, error) {
	due, err := open.due()
	found := map[string]any{"turn": []int{due.Seat}}
	switch due.Kind {
	case "over":
		found = map[string]any{"turn": []int{}, "over": true}
	case "pass":
		size, ways := len(strings.Fields(open.setup.Hands[0])), 1
		for k := 1; k <= due.Count; k++ {
			ways = ways * (size + 1 - k) / k
		}
		turn := []int{}
		for seat := range players {
			if _, passed := open.packets[seat]; !passed {
				turn = append(turn, seat)
			}
		}
		found = map[string]any{"turn": turn, "pass": ways}
	case "play":
		found["play"] = strings.Join(due.Cards, " ")
	case "deal":
		found["deal"] = 1
	default:
		found[due.Kind] = due.Other
	}
	return found, err
}

func (open *conversation) observe(seat *int) (any, error) {
	if seat != nil {
		return nil, unsupported("what one seat knows")
	}
	legal, err := open.legal()
	if err != nil {
		return nil, err
	}
	found := map[string]any{}
	if open.game != nil {
		if found, err = open.game.observe(); err != nil {
			return nil, err
		}
	}
	for kind := range legal {
		if kind == "draw" {
			kind = "play"
		}
		if kind != "turn" {
			found["phase"], found["over"] = kind, kind == "over"
		}
	}
	found["turn"] = legal["turn"]
	return found, nil
}

type request struct {
	Seq     int    `json:"seq"`
	Op      string `json:"op"`
	Ruleset struct {
		Players int                        `json:"players"`
		Options map[string]json.RawMessage `json:"options"`
	} `json:"ruleset"`
	Setup *Setup `json:"setup"`
	Match *struct {
		Dealer *int   `json:"dealer"`
		Pack   string `json:"pack"`
	} `json:"match"`
	Seat *int `json:"seat"`
	Act  Act  `json:"act"`
}

// lacking is why a game cannot be played at this table; empty if it can.
func lacking(asked request) string {
	for _, name := range slices.Sorted(maps.Keys(asked.Ruleset.Options)) {
		var given, ours bytes.Buffer
		_ = json.Compact(&given, asked.Ruleset.Options[name])
		_ = json.Compact(&ours, []byte(options[name]))
		if !slices.Contains(noEffect, name) && given.String() != ours.String() {
			return fmt.Sprintf("the option %s=%s", name, given.String())
		}
	}
	if asked.Ruleset.Players != players {
		return fmt.Sprintf("%d players", asked.Ruleset.Players)
	}
	if asked.Setup == nil {
		if matches && asked.Match.Dealer != nil && asked.Match.Pack == "" {
			return ""
		}
		return "such a match"
	}
	if asked.Setup.Leader != nil {
		return "a position in the middle of a deal"
	}
	if asked.Setup.PlayedOn {
		return "a match played on after a tie"
	}
	if size := len(strings.Fields(asked.Setup.Hands[0])); handSize != 0 && size != handSize {
		return fmt.Sprintf("hands of other than %d cards", handSize)
	}
	return ""
}

func hello() any {
	given := map[string]json.RawMessage{}
	for _, name := range changed {
		given[name] = json.RawMessage(options[name])
	}
	hands := "full"
	if handSize == 0 {
		hands = "any"
	}
	starts, able := []string{"deal"}, slices.Clone(capabilities)
	if matches {
		starts, able = append(starts, "match-dealer"), append(able, "match")
	}
	table := map[string]any{"profile": profile, "players": []int{players},
		"options": given, "hands": hands, "starts": starts}
	return map[string]any{"protocol": 1, "name": name, "version": version,
		"language": language, "spec": spec, "profiles": []string{profile},
		"players": []int{players}, "capabilities": able, "tables": []any{table}}
}

var open *conversation

// answer is the key in the answer next to `seq`, and its value.
func answer(asked request) (key string, found any) {
	defer func() {
		if trouble := recover(); trouble != nil {
			key, found = "error", fmt.Sprint(trouble)
		}
	}()
	found, err := ask(asked)
	switch {
	case errors.Is(err, errRefused):
		return "refused", struct{}{}
	case errors.Is(err, errors.ErrUnsupported):
		return "unsupported", strings.TrimPrefix(err.Error(), "unsupported operation: ")
	case err != nil:
		return "error", err.Error()
	}
	return "ok", found
}

func ask(asked request) (any, error) {
	switch asked.Op {
	case "hello":
		return hello(), nil
	case "open":
		open = nil
		if reason := lacking(asked); reason != "" {
			return nil, unsupported("%s", reason)
		}
		begun := &conversation{packets: map[int][]string{}}
		if asked.Setup == nil {
			begun.setup.Dealer = *asked.Match.Dealer
		} else if _, err := begun.do(asked.Setup.Dealer, Act{newDeal: *asked.Setup}); err != nil {
			return nil, err
		}
		open = begun
		return struct{}{}, nil
	case "step", "probe", "legal", "observe":
	default:
		return nil, unsupported("the op %s", asked.Op)
	}
	if open == nil {
		return nil, errors.New("no game is open")
	}
	switch asked.Op {
	case "step":
		return open.step(*asked.Seat, asked.Act)
	case "probe":
		return open.probe(*asked.Seat, asked.Act)
	case "legal":
		return open.legal()
	}
	return open.observe(asked.Seat)
}

func main() {
	// Standard output is for answers alone: what the engine prints goes to standard error.
	answers := os.Stdout
	os.Stdout = os.Stderr
	requests := bufio.NewReader(os.Stdin)
	for {
		line, err := requests.ReadBytes('\n')
		if err != nil {
			return
		}
		var asked request
		key, found := "error", any("")
		if err := json.Unmarshal(line, &asked); err != nil {
			found = err.Error()
		} else if asked.Op == "bye" {
			return
		} else {
			key, found = answer(asked)
		}
		text, err := json.Marshal(map[string]any{"seq": asked.Seq, key: found})
		if err != nil {
			text, _ = json.Marshal(map[string]any{"seq": asked.Seq, "error": err.Error()})
		}
		if _, err := answers.Write(append(text, '\n')); err != nil {
			return
		}
	}
}
