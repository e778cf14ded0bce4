package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"strings"
)

// anyValue marks options without effect beside the others of this table.
type anyValue struct{}

type list []any

// What the engine plays. Numbers come out of JSON as float64.
var options = map[string]any{
	"direction":              list{"clockwise"},
	"removal":                anyValue{}, // with four nothing is taken out
	"hand_size":              list{"all", 13.0},
	"undealt":                list{"none"},
	"mix_kitty":              anyValue{},
	"pass_count":             anyValue{},
	"pass_cycle":             list{[]any{}},
	"pass_unseen":            anyValue{},
	"opening_leader":         list{"left_of_dealer"},
	"opening_card":           list{"any"},
	"heart_leads":            list{"free"},
	"queen_breaks_hearts":    anyValue{}, // nothing to break
	"all_hearts_leader":      anyValue{},
	"hearts_or_queen_leader": anyValue{},
	"first_trick_points":     list{"allowed"},
	"queen_duty":             list{"no"},
	"queen_waits":            list{"no"},
	"survivor_takes_stock":   anyValue{},
	"no_survivor_stock":      anyValue{},
	"deal_ends":              list{"all_played"},
	"kitty_to":               anyValue{},
	"heart_points":           list{1.0},
	"queen_points":           list{13.0},
	"king_points":            list{0.0},
	"ace_points":             list{0.0},
	"bonus_card":             list{"none"},
	"bonus_points":           anyValue{},
	"moon":                   list{"none"},
	"moon_needs_bonus":       anyValue{},
	"sun_points":             list{0.0},
	"no_trick_points":        list{0.0},
	"revokes":                list{"rejected"},
	"revoke_until":           anyValue{},
	"revoke_points":          anyValue{},
	"revoke_ends_deal":       anyValue{},
	"limit":                  list{"none"},
	"limit_rule":             anyValue{},
	"exact_limit_becomes":    list{"none"},
	"ties":                   list{"shared"},
	"deals":                  list{1.0},
}

type object = map[string]any

var hello = object{
	"protocol":     1,
	"name":         "Old Hearts",
	"version":      "1.2",
	"language":     "go",
	"profiles":     []string{"pokerwiner-hearts"},
	"players":      []int{4},
	"capabilities": []string{"step", "legal", "probe", "observe"},
	"deviations":   []any{},
	"tables": []object{{
		"profile": "pokerwiner-hearts",
		"players": []int{4},
		"options": object{"revokes": "rejected"},
		"hands":   "full",
		"starts":  []string{"deal"},
	}},
}

type request struct {
	Seq     int             `json:"seq"`
	Op      string          `json:"op"`
	Ruleset ruleset         `json:"ruleset"`
	Setup   *setup          `json:"setup"`
	Seat    *int            `json:"seat"`
	Act     map[string]any  `json:"act"`
	Match   json.RawMessage `json:"match"`
}

type ruleset struct {
	Profile string         `json:"profile"`
	Players int            `json:"players"`
	Options map[string]any `json:"options"`
}

type setup struct {
	Dealer int      `json:"dealer"`
	Deal   int      `json:"deal"`
	Totals []int    `json:"totals"`
	Hands  []string `json:"hands"`
	Stock  string   `json:"stock"`
	Kitty  string   `json:"kitty"`
	Phase  string   `json:"phase"`
	Played bool     `json:"limit_reached"`
}

// unsupported says why the engine cannot do something.
type unsupported string

func (u unsupported) Error() string { return string(u) }

func checkRules(r ruleset) error {
	if r.Profile != "pokerwiner-hearts" {
		return unsupported("profile " + r.Profile + ": only pokerwiner-hearts is played")
	}
	if r.Players != Seats {
		return unsupported("only four can play")
	}
	for name, value := range r.Options {
		played, known := options[name]
		if !known {
			return unsupported("option " + name + " is not known here")
		}
		values, limited := played.(list)
		if !limited {
			continue
		}
		fits := false
		for _, v := range values {
			fits = fits || reflect.DeepEqual(v, value)
		}
		if !fits {
			return unsupported(fmt.Sprintf("%s: %v is not played", name, value))
		}
	}
	return nil
}

func open(req request) (*Deal, error) {
	if err := checkRules(req.Ruleset); err != nil {
		return nil, err
	}
	s := req.Setup
	switch {
	case s == nil:
		return nil, unsupported("single deals only, no matches")
	case s.Phase != "":
		return nil, unsupported("a deal has to begin with whole hands")
	case s.Stock != "" || s.Kitty != "" || s.Played:
		return nil, unsupported("no stock, no kitty, no ties to play on")
	}
	hands := make([][]Card, len(s.Hands))
	for seat, text := range s.Hands {
		for _, word := range strings.Fields(text) {
			c, err := ParseCard(word)
			if err != nil {
				return nil, err
			}
			hands[seat] = append(hands[seat], c)
		}
	}
	totals := s.Totals
	if totals == nil {
		totals = make([]int, Seats)
	}
	d, err := NewDeal(hands, s.Dealer, totals)
	if err != nil {
		return nil, unsupported(err.Error())
	}
	return d, nil
}

func names(cards []Card) string {
	words := make([]string, len(cards))
	for i, c := range cards {
		words[i] = c.String()
	}
	return strings.Join(words, " ")
}

func played(plays []Play) string {
	cards := make([]Card, len(plays))
	for i, p := range plays {
		cards[i] = p.Card
	}
	return names(cards)
}

func turn(d *Deal) []int {
	if d.Over() {
		return []int{}
	}
	return []int{d.turn}
}

func legal(d *Deal) object {
	if d.Over() {
		return object{"over": true, "turn": turn(d)}
	}
	return object{"play": names(d.Legal(d.turn)), "turn": turn(d)}
}

func observe(d *Deal) object {
	hands, taken, tricks := []string{}, []string{}, make([]int, Seats)
	score := []int{}
	for seat := range d.hands {
		hands = append(hands, names(d.hands[seat]))
		taken = append(taken, names(d.Taken(seat)))
		score = append(score, points(d.Taken(seat)))
	}
	for _, t := range d.tricks {
		tricks[t.Winner]++
	}
	seen := object{
		"phase":  "play",
		"turn":   turn(d),
		"hands":  hands,
		"taken":  taken,
		"tricks": tricks,
		"points": score,
		"over":   d.Over(),
	}
	if n := len(d.tricks); n > 0 && len(d.table) == 0 {
		t := d.tricks[n-1]
		seen["trick"] = object{"leader": t.Plays[0].Seat, "cards": played(t.Plays), "winner": t.Winner}
	}
	if d.Over() {
		seen["phase"] = "over"
		seen["score"] = d.scores
		seen["totals"] = d.totals
		seen["match"] = object{"over": true, "winners": d.Winners()}
		return seen
	}
	leader := d.turn
	if len(d.table) > 0 {
		leader = d.table[0].Seat
	}
	seen["table"] = object{"leader": leader, "cards": played(d.table)}
	return seen
}

// act hands a play to the engine; it has no other moves to refuse or allow.
func act(req request, do func(int, Card) error) object {
	text, ok := req.Act["play"].(string)
	if !ok || req.Seat == nil {
		return object{"refused": object{}}
	}
	c, err := ParseCard(text)
	if err != nil {
		return object{"error": err.Error()}
	}
	if err := do(*req.Seat, c); err != nil {
		return object{"refused": object{}}
	}
	return object{"ok": object{}}
}

type table struct{ deal *Deal }

func (t *table) answer(req request) (reply object) {
	defer func() {
		if trouble := recover(); trouble != nil {
			reply = object{"error": fmt.Sprint(trouble)}
		}
	}()
	switch req.Op {
	case "hello":
		return object{"ok": hello}
	case "open":
		d, err := open(req)
		t.deal = d
		if why, no := err.(unsupported); no {
			return object{"unsupported": string(why)}
		}
		if err != nil {
			return object{"error": err.Error()}
		}
		return object{"ok": object{}}
	case "legal", "step", "probe", "observe":
	default:
		return object{"unsupported": "no " + req.Op + " here"}
	}
	d := t.deal
	if d == nil {
		return object{"unsupported": "no deal is open"}
	}
	switch req.Op {
	case "legal":
		return object{"ok": legal(d)}
	case "step":
		return act(req, d.Play)
	case "probe":
		return act(req, d.Try)
	}
	if req.Seat != nil {
		return object{"unsupported": "no views of single seats"}
	}
	return object{"ok": observe(d)}
}

func main() {
	in := bufio.NewReaderSize(os.Stdin, 1<<16)
	out := json.NewEncoder(os.Stdout)
	t := &table{}
	for {
		line, err := in.ReadBytes('\n')
		if err != nil {
			return
		}
		var req request
		var reply object
		if trouble := json.Unmarshal(line, &req); trouble != nil {
			reply = object{"error": trouble.Error()}
		} else if req.Op == "bye" {
			return
		} else {
			reply = t.answer(req)
		}
		reply["seq"] = req.Seq
		if err := out.Encode(reply); err != nil {
			return
		}
	}
}
