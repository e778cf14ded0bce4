// Domino Hearts for four, the old way: six cards each, the rest is a stock.
// Who cannot follow draws until it is possible. Hearts may be led at any time
// and cost one point each; the queen of spades costs nothing. The last player
// with cards is charged for them and for what is left of the stock.
//
// Cards are two letters, hands and piles are strings of cards with a space
// between. A state is frozen; every move gives a new one or throws a Refusal.

const RANKS = '23456789TJQKA';
const SUITS = 'CDSH';
const SEATS = Object.freeze([0, 1, 2, 3]);

export class Refusal extends Error {}

const refuse = (why) => { throw new Refusal(why); };

// Strings of cards.
export const cards = (pile) => (pile === '' ? [] : pile.split(' '));
const size = (pile) => cards(pile).length;
const glue = (...piles) => piles.filter((pile) => pile !== '').join(' ');
const suitOf = (card) => card[1];
const rankOf = (card) => RANKS.indexOf(card[0]);
const place = (card) => SUITS.indexOf(suitOf(card)) * 13 + rankOf(card);
export const tidy = (pile) => cards(pile).sort((a, b) => place(a) - place(b)).join(' ');
const without = (pile, card) => cards(pile).filter((c) => c !== card).join(' ');
const ofSuit = (pile, suit) => cards(pile).filter((c) => suitOf(c) === suit).join(' ');

const left = (seat) => (seat + 1) % 4;
const change = (list, seat, item) => Object.freeze(list.map((old, s) => (s === seat ? item : old)));
const next = (state, changes) => Object.freeze({ ...state, ...changes });

// The seats that hold cards, in turn, beginning with one of them.
const roundFrom = (hands, seat) =>
  [seat, seat + 1, seat + 2, seat + 3].map((s) => s % 4).filter((s) => hands[s] !== '');

export const newDeal = (hands, stock, dealer, totals = [0, 0, 0, 0]) =>
  beginTrick(Object.freeze({
    hands: Object.freeze(hands.map(tidy)),
    stock,
    round: Object.freeze([]), // who plays to this trick, in order
    table: '',
    drawn: '', // by the player in turn
    taken: Object.freeze(SEATS.map(() => '')),
    tricks: Object.freeze(SEATS.map(() => 0)),
    last: null,
    totals: Object.freeze([...totals]),
    score: null,
    winners: null,
  }), left(dealer));

const beginTrick = (state, seat) =>
  next(state, { round: Object.freeze(roundFrom(state.hands, seat)), table: '', drawn: '' });

export const isOver = (state) => state.score !== null;
export const leaderOf = (state) => state.round[0];
export const turnOf = (state) => (isOver(state) ? null : state.round[size(state.table)]);
const suitLed = (state) => (state.table === '' ? '' : suitOf(state.table));

// What a player may do depends on the hand, the suit led and whether there is
// a stock, so it is worked out once for each of these.
const worked = new Map();

const choices = (hand, led, stocked) => {
  const key = `${hand}/${led}/${stocked}`;
  if (!worked.has(key)) worked.set(key, workOut(hand, led, stocked));
  return worked.get(key);
};

const workOut = (hand, led, stocked) => {
  if (led === '') return { play: hand };
  const follow = ofSuit(hand, led);
  if (follow !== '') return { play: follow };
  return stocked ? { draw: 1 } : { play: hand };
};

// What the player in turn may do: { play: cards }, { draw: 1 } or { over: true }.
export const moves = (state) =>
  isOver(state)
    ? { over: true }
    : choices(state.hands[turnOf(state)], suitLed(state), state.stock !== '');

const mustBeIn = (state, seat) => {
  if (isOver(state)) refuse('the deal is over');
  if (seat !== turnOf(state)) refuse('it is not your turn');
};

export const draw = (state, seat) => {
  mustBeIn(state, seat);
  if (!moves(state).draw) refuse('there is nothing to draw for');
  const [top, ...rest] = cards(state.stock);
  return next(state, {
    hands: change(state.hands, seat, tidy(glue(state.hands[seat], top))),
    stock: rest.join(' '),
    drawn: glue(state.drawn, top),
  });
};

export const play = (state, seat, card) => {
  mustBeIn(state, seat);
  if (!cards(state.hands[seat]).includes(card)) refuse('you do not hold that card');
  const { play: allowed = '' } = moves(state);
  if (!cards(allowed).includes(card)) refuse('you may not play that card');
  const after = next(state, {
    hands: change(state.hands, seat, without(state.hands[seat], card)),
    table: glue(state.table, card),
    drawn: '',
  });
  return size(after.table) === after.round.length ? collect(after) : after;
};

const beats = (card, best) => suitOf(card) === suitOf(best) && rankOf(card) > rankOf(best);

const winnerOf = (state) => {
  const played = cards(state.table);
  const best = played.reduce((top, card) => (beats(card, top) ? card : top));
  return state.round[played.indexOf(best)];
};

const collect = (state) => {
  const winner = winnerOf(state);
  const after = next(state, {
    taken: change(state.taken, winner, glue(state.taken[winner], state.table)),
    tricks: change(state.tricks, winner, state.tricks[winner] + 1),
    last: Object.freeze({ leader: leaderOf(state), cards: state.table, winner }),
  });
  const holders = roundFrom(after.hands, winner);
  return holders.length > 1 ? beginTrick(after, holders[0]) : finish(after, holders);
};

// The survivor takes the rest of the stock. If all went out together, it goes
// to whoever played the last card.
const finish = (state, holders) => {
  const survivor = holders.length === 1 ? holders[0] : state.round[state.round.length - 1];
  const hands = change(state.hands, survivor, tidy(glue(state.hands[survivor], state.stock)));
  return settle(next(state, { hands, stock: '', table: '' }));
};

const cost = (pile) => size(ofSuit(pile, 'H'));

const settle = (state) => {
  const score = SEATS.map((s) => cost(glue(state.taken[s], state.hands[s])));
  const totals = state.totals.map((total, s) => total + score[s]);
  const winners = SEATS.filter((s) => totals[s] === Math.min(...totals));
  return next(state, {
    score: Object.freeze(score),
    totals: Object.freeze(totals),
    winners: Object.freeze(winners),
  });
};
