// Old Hearts: no pass, the player left of the dealer leads what he likes,
// hearts may be led at any time, nobody shoots anything. A heart costs one
// point, the queen of spades thirteen. Every deal is settled by itself.
package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

const (
	Seats    = 4
	HandSize = 13
)

type Suit int8

const (
	Clubs Suit = iota
	Diamonds
	Spades
	Hearts
)

type Rank int8

const (
	Two   Rank = 2
	Queen Rank = 12
)

const (
	suitLetters = "CDSH"
	rankLetters = "23456789TJQKA"
)

type Card struct {
	Suit Suit
	Rank Rank
}

type Play struct {
	Seat int
	Card Card
}

type Trick struct {
	Plays  []Play
	Winner int
}

var (
	ErrOver   = errors.New("the deal is over")
	ErrTurn   = errors.New("not your turn")
	ErrNoCard = errors.New("you do not hold that card")
	ErrFollow = errors.New("you have to follow suit")
)

func ParseCard(text string) (Card, error) {
	if len(text) == 2 {
		r := strings.IndexByte(rankLetters, text[0])
		s := strings.IndexByte(suitLetters, text[1])
		if r >= 0 && s >= 0 {
			return Card{Suit(s), Rank(r) + Two}, nil
		}
	}
	return Card{}, fmt.Errorf("%q is no card", text)
}

func (c Card) String() string {
	return string([]byte{rankLetters[c.Rank-Two], suitLetters[c.Suit]})
}

// Points is what the card costs whoever takes it.
func (c Card) Points() int {
	switch {
	case c.Suit == Hearts:
		return 1
	case c.Rank == Queen && c.Suit == Spades:
		return 13
	}
	return 0
}

// byHand is the order in which people hold their cards.
func byHand(a, b Card) int {
	if a.Suit != b.Suit {
		return int(a.Suit) - int(b.Suit)
	}
	return int(a.Rank) - int(b.Rank)
}

// suited returns the cards of one suit, a part of a sorted hand.
func suited(hand []Card, suit Suit) []Card {
	from, _ := slices.BinarySearchFunc(hand, Card{suit, Two}, byHand)
	to := from
	for to < len(hand) && hand[to].Suit == suit {
		to++
	}
	return hand[from:to]
}

type Deal struct {
	hands  [][]Card // always sorted
	table  []Play
	tricks []Trick
	turn   int
	totals []int
	scores []int
}

func NewDeal(hands [][]Card, dealer int, totals []int) (*Deal, error) {
	if len(hands) != Seats || len(totals) != Seats {
		return nil, errors.New("four players, please")
	}
	seen := map[Card]bool{}
	d := &Deal{totals: slices.Clone(totals)}
	for seat, hand := range hands {
		if len(hand) != HandSize {
			return nil, fmt.Errorf("seat %d has %d cards", seat, len(hand))
		}
		own := slices.Clone(hand)
		slices.SortFunc(own, byHand)
		for _, c := range own {
			if seen[c] {
				return nil, fmt.Errorf("%v is there twice", c)
			}
			seen[c] = true
		}
		d.hands = append(d.hands, own)
	}
	d.turn = (dealer + 1) % Seats
	return d, nil
}

// Legal lists what a player may play when the turn comes.
func (d *Deal) Legal(seat int) []Card {
	if d.Over() {
		return nil
	}
	hand := d.hands[seat]
	if len(d.table) > 0 {
		if same := suited(hand, d.table[0].Card.Suit); len(same) > 0 {
			return slices.Clone(same)
		}
	}
	return slices.Clone(hand)
}

func (d *Deal) check(seat int, c Card) error {
	if d.Over() {
		return ErrOver
	}
	if seat != d.turn {
		return ErrTurn
	}
	if !slices.Contains(d.hands[seat], c) {
		return ErrNoCard
	}
	if !slices.Contains(d.Legal(seat), c) {
		return ErrFollow
	}
	return nil
}

// Play puts a card on the table, or says why not and leaves the deal alone.
func (d *Deal) Play(seat int, c Card) error {
	if err := d.check(seat, c); err != nil {
		return err
	}
	d.take(seat, c)
	d.table = append(d.table, Play{seat, c})
	if len(d.table) < Seats {
		d.turn = (seat + 1) % Seats
		return nil
	}
	best := winner(d.table)
	d.tricks = append(d.tricks, Trick{slices.Clone(d.table), best.Seat})
	d.table = d.table[:0]
	d.turn = best.Seat
	if d.Over() {
		d.settle()
	}
	return nil
}

// take removes a card and keeps the hand in order.
func (d *Deal) take(seat int, c Card) {
	hand := d.hands[seat]
	if i := slices.Index(hand, c); i >= 0 {
		d.hands[seat] = slices.Delete(hand, i, i+1)
	}
}

func winner(plays []Play) Play {
	best := plays[0]
	for _, p := range plays[1:] {
		if p.Card.Suit == best.Card.Suit && p.Card.Rank > best.Card.Rank {
			best = p
		}
	}
	return best
}

func (d *Deal) Over() bool {
	return len(d.tricks) == HandSize
}

// Taken returns the cards a seat has won.
func (d *Deal) Taken(seat int) []Card {
	var cards []Card
	for _, t := range d.tricks {
		if t.Winner != seat {
			continue
		}
		for _, p := range t.Plays {
			cards = append(cards, p.Card)
		}
	}
	slices.SortFunc(cards, byHand)
	return cards
}

func points(cards []Card) int {
	sum := 0
	for _, c := range cards {
		sum += c.Points()
	}
	return sum
}

func (d *Deal) settle() {
	d.scores = make([]int, Seats)
	for seat := range d.scores {
		d.scores[seat] = points(d.Taken(seat))
	}
	for seat, s := range d.scores {
		d.totals[seat] += s
	}
}

// Winners are the seats that owe least.
func (d *Deal) Winners() []int {
	low := slices.Min(d.totals)
	var seats []int
	for seat, total := range d.totals {
		if total == low {
			seats = append(seats, seat)
		}
	}
	return seats
}

// Try asks whether a card could be played without playing it.
func (d *Deal) Try(seat int, c Card) error {
	return d.check(seat, c)
}
