// Puts engine.mjs behind the adapter protocol: JSON lines on stdin and stdout.

import readline from 'node:readline';
import { Refusal, cards, draw, isOver, leaderOf, moves, newDeal, play, tidy, turnOf } from './engine.mjs';

const ANY = null; // has no effect beside the other options of this table

const OPTIONS = {
  direction: ['clockwise'],
  removal: ['none'],
  hand_size: [6],
  undealt: ['stock'],
  mix_kitty: ANY,
  pass_count: ANY,
  pass_cycle: [[]],
  pass_unseen: ANY,
  opening_leader: ['left_of_dealer'],
  opening_card: ['any'],
  heart_leads: ['free'],
  queen_breaks_hearts: ANY, // there is nothing to break
  all_hearts_leader: ANY,
  hearts_or_queen_leader: ANY,
  first_trick_points: ['allowed'],
  queen_duty: ['no'],
  queen_waits: ['no'],
  survivor_takes_stock: [true],
  no_survivor_stock: ['last_to_play'],
  deal_ends: ['all_played'],
  kitty_to: ANY,
  heart_points: [1],
  queen_points: [0],
  king_points: [0],
  ace_points: [0],
  bonus_card: ['none'],
  bonus_points: ANY,
  moon: ['none'],
  moon_needs_bonus: ANY,
  sun_points: [0],
  no_trick_points: [0],
  revokes: ['rejected'],
  revoke_until: ANY,
  revoke_points: ANY,
  revoke_ends_deal: ANY,
  limit: ['none'],
  limit_rule: ANY,
  exact_limit_becomes: ['none'],
  ties: ['shared'],
  deals: [1],
};

const HELLO = {
  protocol: 1,
  name: 'Domino Hearts on strings',
  version: '2.0',
  language: 'javascript',
  profiles: ['pokerwiner-domino'],
  players: [4],
  capabilities: ['step', 'legal', 'probe', 'observe', 'stock'],
  deviations: [],
  tables: [{
    profile: 'pokerwiner-domino',
    players: [4],
    options: { revokes: 'rejected' },
    hands: 'full',
    starts: ['deal'],
  }],
};

class Unsupported extends Error {}

const cannot = (why) => { throw new Unsupported(why); };
const same = (a, b) => JSON.stringify(a) === JSON.stringify(b);

const checkRules = ({ profile, players, options }) => {
  if (profile !== 'pokerwiner-domino') cannot(`profile ${profile}: only pokerwiner-domino is played`);
  if (players !== 4) cannot('only four can play');
  for (const [name, value] of Object.entries(options)) {
    if (!Object.hasOwn(OPTIONS, name)) cannot(`option ${name} is not known here`);
    const played = OPTIONS[name];
    if (played !== ANY && !played.some((p) => same(p, value))) {
      cannot(`${name}: ${JSON.stringify(value)} is not played`);
    }
  }
};

const open = ({ ruleset, setup }) => {
  checkRules(ruleset);
  if (!setup) cannot('one deal at a time, no matches');
  if (setup.phase) cannot('a deal has to begin with whole hands');
  if (setup.kitty || setup.limit_reached) cannot('no kitty, and ties are shared');
  const stock = setup.stock ?? '';
  if (setup.hands.some((hand) => cards(hand).length !== 6)) cannot('six cards each');
  if (new Set([...setup.hands.flatMap(cards), ...cards(stock)]).size !== 52) {
    cannot('the hands and the stock have to be the whole pack');
  }
  return newDeal(setup.hands, stock, setup.dealer, setup.totals);
};

const turn = (state) => (isOver(state) ? [] : [turnOf(state)]);

const act = (state, seat, wanted) => {
  if (wanted.draw === 1) return draw(state, seat);
  if (typeof wanted.play === 'string') return play(state, seat, wanted.play);
  throw new Refusal('there is no such move');
};

const observe = (state) => {
  const over = isOver(state);
  const seen = {
    phase: over ? 'over' : 'play',
    turn: turn(state),
    hands: state.hands,
    stock: state.stock,
    out: [0, 1, 2, 3].filter((s) => state.hands[s] === ''),
    taken: state.taken.map(tidy),
    tricks: state.tricks,
    over,
  };
  if (state.drawn !== '') seen.drew = state.drawn;
  if (state.last && state.table === '' && state.drawn === '') seen.trick = state.last;
  if (!over) return { ...seen, table: { leader: leaderOf(state), cards: state.table } };
  return {
    ...seen,
    score: state.score,
    totals: state.totals,
    match: { over: true, winners: state.winners },
  };
};

let state = null;

const answer = (request) => {
  const { op } = request;
  if (op === 'hello') return HELLO;
  if (op === 'open') {
    state = null;
    state = open(request);
    return {};
  }
  if (!['legal', 'step', 'probe', 'observe'].includes(op)) cannot(`no ${op} here`);
  if (state === null) cannot('no deal is open');
  if (op === 'legal') return { ...moves(state), turn: turn(state) };
  if (op === 'observe') {
    if ('seat' in request) cannot('no views of single seats');
    return observe(state);
  }
  const after = act(state, request.seat, request.act);
  if (op === 'step') state = after;
  return {};
};

const outcome = (request) => {
  try {
    return { ok: answer(request) };
  } catch (trouble) {
    if (trouble instanceof Refusal) return { refused: {} };
    if (trouble instanceof Unsupported) return { unsupported: trouble.message };
    return { error: String(trouble) };
  }
};

for await (const line of readline.createInterface({ input: process.stdin })) {
  let request;
  try {
    request = JSON.parse(line);
  } catch (trouble) {
    process.stdout.write(`${JSON.stringify({ seq: 0, error: String(trouble) })}\n`);
    continue;
  }
  if (request.op === 'bye') break;
  process.stdout.write(`${JSON.stringify({ seq: request.seq, ...outcome(request) })}\n`);
}
process.exit(0);
