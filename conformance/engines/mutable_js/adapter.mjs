// Puts hearts.mjs behind the adapter protocol: one JSON request a line in, one answer a line out.

import { createInterface } from 'node:readline';
import { isDeepStrictEqual } from 'node:util';
import { Card, Game, IllegalMove } from './hearts.mjs';

class Unsupported extends Error {}

// What the engine plays. A game in which one of these is different is declined.
const PLAYED = {
  direction: ['clockwise'],
  hand_size: ['all', 13],
  undealt: ['none'],
  pass_count: [3],
  pass_cycle: [['left', 'right', 'across', 'hold']],
  pass_unseen: [false],
  opening_leader: ['lowest_club'],
  opening_card: ['lowest_club'],
  heart_leads: ['when_broken'],
  queen_breaks_hearts: [false],
  hearts_or_queen_leader: ['queen'],
  first_trick_points: ['barred'],
  queen_duty: ['no'],
  heart_points: [1],
  queen_points: [13],
  bonus_card: ['none'],
  moon: ['others_plus'],
  sun_points: [0],
  no_trick_points: [0],
  revokes: ['rejected'],
  limit: [100],
  limit_rule: ['reach'],
  exact_limit_becomes: ['none'],
  ties: ['shared'],
};

// Younger editions of the rules know these as well; where one is named, this is what the engine plays.
const PLAYED_IF_NAMED = {
  queen_waits: ['no'],
  deal_ends: ['all_played'],
  king_points: [0],
  ace_points: [0],
};

// No stock, no kitty, no bonus card, no revokes, a limit, and 52 cards that come out even for four.
const WITHOUT_EFFECT = [
  'removal', 'mix_kitty', 'all_hearts_leader', 'survivor_takes_stock', 'no_survivor_stock', 'bonus_points',
  'revoke_until', 'revoke_points', 'revoke_ends_deal', 'deals', 'moon_needs_bonus', 'kitty_to',
];

const HELLO = {
  protocol: 1,
  name: 'mutable hearts',
  version: '1.0',
  language: 'javascript',
  profiles: 'any',
  players: [4],
  capabilities: ['step', 'legal', 'probe', 'observe', 'pass'],
  deviations: [],
  tables: [{
    profile: 'estmesh-hearts',
    players: [4],
    options: { first_trick_points: 'barred', moon: 'others_plus' },
    hands: 'full',
    starts: ['deal'],
  }],
};

const CARD = /^[2-9TJQKA][CDSH]$/;
const ORDER = 'CDSH';

function names(text) {
  const list = text === '' ? [] : text.split(' ');
  for (const name of list) {
    if (!CARD.test(name)) throw new Error(`no such card: ${name}`);
  }
  if (new Set(list).size !== list.length) throw new Error('a card stands twice in a set');
  return list;
}

function sequence(cards) {
  return cards.map((card) => card.name).join(' ');
}

function set(cards) {
  const order = (card) => ORDER.indexOf(card.suit) * 13 + card.rank;
  return sequence([...cards].sort((a, b) => order(a) - order(b)));
}

let setup = null;
let game = null;
let accepted = [];
let completed = null;

function build() {
  const fresh = new Game({ dealer: setup.dealer, round: setup.deal, totals: setup.totals });
  fresh.deal(setup.hands.map((hand) => hand.map((name) => new Card(name))));
  return fresh;
}

function checkOptions(options) {
  for (const name of Object.keys(PLAYED)) {
    if (!(name in options)) throw new Unsupported(`option ${name} is not stated`);
  }
  for (const [name, value] of Object.entries(options)) {
    if (name.startsWith('x-') || WITHOUT_EFFECT.includes(name)) continue;
    const played = PLAYED[name] ?? PLAYED_IF_NAMED[name];
    if (!played) throw new Unsupported(`option ${name} is not known`);
    if (!played.some((one) => isDeepStrictEqual(one, value))) {
      throw new Unsupported(`${name} is always ${JSON.stringify(played[0])}`);
    }
  }
}

function open(request) {
  game = null;
  if (!request.setup) throw new Unsupported('single deals only, no matches');
  const { ruleset, setup: given } = request;
  if (ruleset.players !== 4) throw new Unsupported('four players only');
  checkOptions(ruleset.options);
  if ('phase' in given) throw new Unsupported('whole deals only, no positions');
  if (given.stock || given.kitty) throw new Unsupported('no stock and no kitty');
  if (given.limit_reached) throw new Unsupported('ties are not played on');
  const hands = given.hands.map(names);
  if (hands.length !== 4 || hands.some((hand) => hand.length !== 13) || new Set(hands.flat()).size !== 52) {
    throw new Unsupported('the whole pack only, thirteen cards each');
  }
  setup = { dealer: given.dealer, deal: given.deal, totals: given.totals ?? [0, 0, 0, 0], hands };
  game = build();
  accepted = [];
  completed = null;
  return {};
}

// Any act but a pass of plain cards and a play is a move that this game does not have.
function apply(target, seat, act) {
  if (typeof act.pass === 'string') {
    target.pass(seat, names(act.pass));
  } else if (typeof act.play === 'string') {
    const [name] = names(act.play);
    target.play(seat, name);
  } else {
    throw new IllegalMove('there is no such move');
  }
}

function step(request) {
  const before = game.lastTrick;
  apply(game, request.seat, request.act);
  accepted.push(request);
  completed = game.lastTrick === before ? null : game.lastTrick;
  return {};
}

// The engine cannot take a card back, so a probe is tried on a game played anew.
function probe(request) {
  const again = build();
  for (const { seat, act } of accepted) apply(again, seat, act);
  apply(again, request.seat, request.act);
  return {};
}

function turn() {
  if (game.phase === 'over') return [];
  if (game.phase === 'play') return [game.turn];
  return game.players.filter((player) => !player.outgoing).map((player) => player.seat);
}

// The engine lists no passes; it takes any three cards that the hand holds now.
function waysToPass(player) {
  let n = 1;
  for (let i = 0; i < 3; i++) n = (n * (player.hand.length - i)) / (i + 1);
  return n;
}

function legal() {
  if (game.phase === 'over') return { over: true, turn: [] };
  if (game.phase === 'play') return { play: set(game.playable(game.turn)), turn: turn() };
  return { pass: waysToPass(game.players[turn()[0]]), turn: turn() };
}

function observe(request) {
  if ('seat' in request) throw new Unsupported('no views');
  const { players } = game;
  const over = game.phase === 'over';
  const fields = {
    phase: game.phase,
    turn: turn(),
    dealer: game.dealer,
    deal: game.round,
    hearts_broken: game.heartsBroken,
    // Packets on the way still belong to whoever passed them.
    hands: players.map((player) => set(game.phase === 'pass' ? [...player.hand, ...(player.outgoing ?? [])] : player.hand)),
    taken: players.map((player) => set(player.won)),
    tricks: players.map((player) => player.tricks),
    points: players.map((player) => player.points),
    totals: players.map((player) => player.total),
    match: over && game.finished ? { over: true, winners: game.winners.map((player) => player.seat) } : { over: false },
    over,
  };
  if (game.phase === 'play') {
    fields.table = { leader: game.leader, cards: sequence(game.table.map((entry) => entry.card)) };
  }
  if (completed) fields.trick = { ...completed, cards: sequence(completed.cards) };
  if (over) fields.score = players.map((player) => player.score);
  return fields;
}

function answer(request) {
  if (request.op === 'hello') return HELLO;
  if (request.op === 'open') return open(request);
  const ops = { step, probe, legal, observe };
  if (!Object.hasOwn(ops, request.op)) throw new Unsupported(`no ${request.op}`);
  if (!game) throw new Error('no game is open');
  return ops[request.op](request);
}

for await (const line of createInterface({ input: process.stdin })) {
  let seq = 0;
  let reply;
  try {
    const request = JSON.parse(line);
    seq = request.seq;
    if (request.op === 'bye') break;
    reply = { ok: answer(request) };
  } catch (error) {
    if (error instanceof IllegalMove) reply = { refused: {} };
    else if (error instanceof Unsupported) reply = { unsupported: error.message };
    else reply = { error: String(error.message) };
  }
  process.stdout.write(`${JSON.stringify({ seq, ...reply })}\n`);
}

process.stdin.destroy();
