// Hearts for four. The game is one big object that changes under your hands:
// make a Game, deal, pass, play, and read what you need from it.

const RANKS = '23456789TJQKA';
const SUITS = 'CDSH';
const SEATS = 4;
const LIMIT = 100;
const MOON = 26;
const PASS_SIZE = 3;
const PASSES = ['left', 'right', 'across', 'hold'];
const STEPS = { left: 1, across: 2, right: 3 };

export class IllegalMove extends Error {}

export class Card {
  constructor(name) {
    this.name = name;
    this.rank = RANKS.indexOf(name[0]);
    this.suit = name[1];
  }

  get points() {
    if (this.suit === 'H') return 1;
    return this.name === 'QS' ? 13 : 0;
  }

  toString() {
    return this.name;
  }
}

export function freshPack() {
  const pack = [];
  for (const suit of SUITS) {
    for (const rank of RANKS) pack.push(new Card(rank + suit));
  }
  return pack;
}

export function shuffle(cards, random = Math.random) {
  for (let i = cards.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1));
    [cards[i], cards[j]] = [cards[j], cards[i]];
  }
  return cards;
}

class Player {
  constructor(seat, total) {
    this.seat = seat;
    this.total = total;
    this.startRound([]);
  }

  startRound(hand) {
    this.hand = hand;
    this.outgoing = null;
    this.won = [];
    this.tricks = 0;
    this.score = null;
  }

  find(name) {
    const card = this.hand.find((held) => held.name === name);
    if (!card) throw new IllegalMove(`player ${this.seat} does not hold ${name}`);
    return card;
  }

  ofSuit(suit) {
    return this.hand.filter((card) => card.suit === suit);
  }

  drop(card) {
    this.hand.splice(this.hand.indexOf(card), 1);
  }

  get points() {
    return this.won.reduce((sum, card) => sum + card.points, 0);
  }
}

export class Game {
  constructor({ dealer = 0, round = 1, totals = [0, 0, 0, 0] } = {}) {
    this.dealer = dealer;
    this.round = round;
    this.players = totals.map((total, seat) => new Player(seat, total));
    this.phase = 'deal';
  }

  deal(hands) {
    this.players.forEach((player, i) => player.startRound(hands[i]));
    this.heartsBroken = false;
    this.table = [];
    this.suitLed = null;
    this.lastTrick = null;
    this.tricksPlayed = 0;
    this.leader = (this.dealer + 1) % SEATS;
    this.turn = this.leader;
    this.direction = PASSES[(this.round - 1) % PASSES.length];
    if (this.direction === 'hold') {
      this.startPlay();
    } else {
      this.phase = 'pass';
    }
  }

  dealAtRandom(random) {
    const hands = [[], [], [], []];
    shuffle(freshPack(), random).forEach((card, i) => hands[(this.dealer + 1 + i) % SEATS].push(card));
    this.deal(hands);
  }

  // The cards leave the hand now, and arrive when everybody has passed.
  pass(seat, names) {
    if (this.phase !== 'pass') throw new IllegalMove('nobody passes now');
    const player = this.players[seat];
    if (player.outgoing) throw new IllegalMove('you have passed already');
    if (names.length !== PASS_SIZE) throw new IllegalMove('pass three cards');
    const cards = names.map((name) => player.find(name));
    for (const card of cards) player.drop(card);
    player.outgoing = cards;
    if (this.players.every((other) => other.outgoing)) this.handOver();
  }

  handOver() {
    for (const player of this.players) {
      const to = (player.seat + STEPS[this.direction]) % SEATS;
      this.players[to].hand.push(...player.outgoing);
    }
    this.startPlay();
  }

  startPlay() {
    this.leader = this.players.find((player) => player.hand.some((card) => card.name === '2C')).seat;
    this.turn = this.leader;
    this.phase = 'play';
  }

  playable(seat) {
    const player = this.players[seat];
    if (this.suitLed === null) return this.leads(player.hand);
    const follow = player.ofSuit(this.suitLed);
    if (follow.length > 0) return follow;
    if (this.tricksPlayed === 0) {
      const harmless = player.hand.filter((card) => card.points === 0);
      if (harmless.length > 0) return harmless;
    }
    return player.hand;
  }

  leads(hand) {
    if (this.tricksPlayed === 0) {
      const two = hand.filter((card) => card.name === '2C');
      if (two.length > 0) return two;
    }
    if (!this.heartsBroken) {
      const others = hand.filter((card) => card.suit !== 'H');
      if (others.length > 0) return others;
    }
    return hand;
  }

  play(seat, name) {
    if (this.phase !== 'play') throw new IllegalMove('no card is played now');
    if (seat !== this.turn) throw new IllegalMove('not your turn');
    const player = this.players[seat];
    const card = player.find(name);
    const allowed = this.playable(seat);
    if (!allowed.includes(card)) throw new IllegalMove(`${name} may not be played`);
    player.drop(card);
    if (this.table.length === 0) this.suitLed = card.suit;
    this.table.push({ player, card });
    if (card.suit === 'H') this.heartsBroken = true;
    this.turn = (this.turn + 1) % SEATS;
    if (this.table.length === SEATS) this.finishTrick();
  }

  finishTrick() {
    let best = this.table[0];
    for (const entry of this.table) {
      if (entry.card.suit === this.suitLed && entry.card.rank > best.card.rank) best = entry;
    }
    const winner = best.player;
    const cards = this.table.map((entry) => entry.card);
    winner.won.push(...cards);
    winner.tricks += 1;
    this.lastTrick = { leader: this.leader, cards, winner: winner.seat };
    this.table = [];
    this.suitLed = null;
    this.tricksPlayed += 1;
    this.leader = winner.seat;
    this.turn = winner.seat;
    if (winner.hand.length === 0) this.finishRound();
  }

  finishRound() {
    const shooter = this.players.find((player) => player.points === MOON);
    for (const player of this.players) {
      player.score = player.points;
      if (shooter) player.score = player === shooter ? 0 : MOON;
      player.total += player.score;
    }
    this.phase = 'over';
  }

  get finished() {
    return this.players.some((player) => player.total >= LIMIT);
  }

  get winners() {
    const lowest = Math.min(...this.players.map((player) => player.total));
    return this.players.filter((player) => player.total === lowest);
  }

  nextRound(random) {
    this.round += 1;
    this.dealer = (this.dealer + 1) % SEATS;
    this.dealAtRandom(random);
  }
}
