// A second reader of traces, written from docs/formats.md alone. It keeps the books of
// every game from the cards (passes, hands, draws, tricks, turns, piles, scores) and compares
// them with what the trace says; it does not judge what may be played.  node reader.mjs FILE...
import { readFileSync } from "node:fs";

const list = (text) => (text ? text.split(" ") : []);
const rank = (card) => "23456789TJQKA".indexOf(card[0]);
const order = (card) => "CDSH".indexOf(card[1]) * 13 + rank(card);
const set = (cards) => [...cards].sort((a, b) => order(a) - order(b)).join(" ");
const holders = (s) => s.hands.flatMap((hand, seat) => (hand.length ? [seat] : []));
const take = (from, card) => {
  if (from.splice(from.indexOf(card), from.includes(card) ? 1 : 0)[0] !== card) throw `${card} is not there`;
};
const { base: BASE, profiles: PROFILES } = JSON.parse(readFileSync(new URL("../corpus/profiles.json", import.meta.url)));
const KNOWN = `direction removal hand_size undealt mix_kitty pass_count pass_cycle pass_unseen opening_leader
  opening_card heart_leads queen_breaks_hearts all_hearts_leader hearts_or_queen_leader first_trick_points queen_duty
  survivor_takes_stock no_survivor_stock heart_points queen_points bonus_card bonus_points moon sun_points no_trick_points
  revokes revoke_until revoke_points revoke_ends_deal limit limit_rule exact_limit_becomes ties deals`.split(/\s+/);
const strange = ([name, value]) => !KNOWN.includes(name) && key(value) !== key(BASE[name]);

function lay(s, deal) { // the cards as dealt, or a position
  const none = deal.hands.map(() => "");
  Object.assign(s, { hands: deal.hands.map(list), stock: list(deal.stock), kitty: list(deal.kitty),
    table: list(deal.trick), taken: (deal.taken ?? none).map(list), tricks: deal.tricks ?? none.map(() => 0),
    broken: deal.hearts_broken ?? false, out: deal.out ?? [], leader: deal.leader, score: undefined,
    passed: {}, drew: [], owner: {}, fees: [], undo: {}, ended: false, choice: undefined, turn: deal.leader });
  s.table.forEach(() => (s.turn = next(s, s.turn)));
  s.pack = [...s.hands.flat(), ...s.stock, ...s.kitty, ...s.table, ...s.taken.flat()];
}
function next(s, seat) {
  do seat = (seat + (s.rules.direction === "clockwise" ? 1 : s.n - 1)) % s.n; while (s.out.includes(seat));
  return seat;
}
function exchange(s) { // all have passed
  const cycle = s.rules.pass_cycle.filter((way) => way !== "across" || s.n % 2 === 0);
  const by = { left: 1, right: s.n - 1, across: s.n / 2 }[cycle[(s.deal - 1) % cycle.length]];
  for (const [seat, given] of Object.entries(s.passed)) {
    if (typeof given === "object") for (const [to, card] of Object.entries(given)) take(s.hands[seat], card), s.hands[to].push(card);
    else if (given !== 1) {
      list(given).forEach((card) => take(s.hands[seat], card));
      let to = (+seat + by) % s.n;
      while (by && s.passed[to] === 1) to = (to + by) % s.n;
      if (by) s.hands[to].push(...list(given));
    }
  }
}
function play(s, seat, card, breaks) {
  if (s.turn === undefined) s.leader = s.turn = seat; // only the rules know who opens
  if (s.turn !== seat) throw `seat ${seat} plays, the turn is ${s.turn}`;
  if (breaks) s.undo[`${seat}${card}`] = structuredClone({ ...s, undo: {} });
  if (!s.table.length) s.out = [...Array(s.n).keys()].filter((one) => !s.hands[one].length);
  take(s.hands[seat], card);
  s.table.push(card);
  s.broken ||= card[1] === "H" || (card === "QS" && s.rules.queen_breaks_hearts);
  if (s.table.length + s.out.length < s.n) return (s.turn = next(s, seat));
  let who = s.leader, winner = who, high = s.table[0];
  for (const one of s.table) {
    if (one[1] === high[1] && rank(one) > rank(high)) [winner, high] = [who, one];
    who = next(s, who);
  }
  s.trick = { leader: s.leader, cards: s.table.join(" "), winner: (s.tricks[winner] += 1, winner) };
  s.taken[winner].push(...s.table, ...(s.table.some((one) => worth(s, one)) ? s.kitty.splice(0) : []));
  s.table = [];
  const left = holders(s);
  s.leader = s.turn = left.length ? [...Array(s.n).keys()].map((k) => (winner + k) % s.n).find((k) => left.includes(k)) : winner;
  if (left.length > 1) return;
  s.ended = true;
  const keeper = left.length ? (s.rules.survivor_takes_stock ? left[0] : -1) : s.rules.no_survivor_stock === "last_to_play" ? seat : -1;
  if (keeper >= 0) s.hands[keeper].push(...s.stock.splice(0));
}
const worth = (s, card) => (card === "QS" ? s.rules.queen_points : card[1] === "H" ? s.rules.heart_points : 0);
const sum = (s, cards) => cards.reduce((all, card) => all + worth(s, card), 0);

function score(s) { // of a deal that is over; undefined where only the match can tell, or an option not known here
  if (Object.entries(s.rules).some(strange)) return undefined;
  const r = s.rules, V = sum(s, s.pack), price = r.revoke_points === "all" ? V : r.revoke_points;
  if (s.fees.length && r.revoke_ends_deal) return s.hands.map((_, seat) => (seat === s.fees[0] ? price : 0));
  const got = s.hands.map((hand, seat) => [...hand, ...s.taken[seat]]);
  const moon = r.moon !== "none" && s.pack.includes("QS") && s.pack.some((card) => card[1] === "H");
  const shooter = moon ? got.findIndex((cards, seat) => sum(s, cards) === V && !s.fees.includes(seat)) : -1;
  const way = s.choice ?? r.moon;
  if (shooter >= 0 && !way.one && way.one !== 0 && !/^(self_minus|others_plus)$/.test(way)) return undefined;
  const S = r.sun_points && s.tricks.every((won, seat) => !won || seat === shooter) ? r.sun_points : V;
  const plain = got.map((cards, seat) => shooter < 0 ? sum(s, cards) : way === "self_minus" ? (seat === shooter ? -S : 0)
    : way === "others_plus" ? (seat === shooter ? 0 : S) : seat === way.one ? S : 0);
  return plain.map((points, seat) => points + (got[seat].includes(r.bonus_card) ? r.bonus_points : 0)
    + (shooter < 0 && !s.tricks[seat] ? r.no_trick_points : 0) + price * s.fees.filter((one) => one === seat).length);
}
function act(s, { seat, act, breaks }) {
  s.trick = undefined;
  const [kind, value] = Object.entries(act).find(([key]) => !key.startsWith("x-"));
  if (kind !== "play" && kind !== "draw") s.drew = [];
  if (kind === "deal") (s.deal = (s.deal ?? 0) + 1), lay(s, value);
  if (kind === "pass" || kind === "forward") s.passed[seat] = kind === "pass" ? value : 1;
  if ((kind === "pass" || kind === "forward") && Object.keys(s.passed).length === s.n) exchange(s);
  if (kind === "mix") s.hands.forEach((hand, to) => hand.push(...list(value.hands[to]))), (s.kitty = value.kitty ? list(value.kitty) : s.kitty);
  if (kind === "draw") (s.drew = s.drawer === seat ? s.drew : []), s.drew.push(s.stock[0]), (s.owner[s.stock[0]] = seat), s.hands[seat].push(s.stock.shift());
  if (kind === "play") (s.drew = s.drawer === seat ? s.drew : []), play(s, seat, value, breaks);
  [s.drawer, s.choice] = [kind === "draw" ? seat : undefined, kind === "moon" ? value : s.choice];
  if (kind === "claim") s.fees.push(value.seat), (s.ended ||= s.rules.revoke_ends_deal);
  if (kind === "retract") { // as it was before that card; only cards drawn since stay drawn
    const { undo, owner } = s;
    Object.assign(s, undo[`${seat}${value}`], { undo, owner, trick: undefined, drew: [] });
    for (const card of s.stock.filter((one) => one in owner)) take(s.stock, card), s.hands[owner[card]].push(card);
  }
}
const SAYS = { // what the books know of a moment, by the name of the field
  hands: (s) => s.hands.map(set), taken: (s) => s.taken.map(set), tricks: (s) => s.tricks,
  stock: (s) => s.stock.join(" "), kitty: (s) => set(s.kitty), hearts_broken: (s) => s.broken,
  trick: (s) => s.trick, drew: (s) => s.drew.join(" "), points: (s) => s.taken.map((pile) => sum(s, pile)),
  out: (s) => [...s.hands.keys()].filter((seat) => !s.hands[seat].length),
  turn: (s) => (s.ended || s.turn === undefined ? undefined : [s.turn]),
  table: (s) => (s.leader === undefined ? undefined : { leader: s.leader, cards: s.table.join(" ") }),
  score: (s) => (s.ended ? score(s) : undefined),
  totals: (s) => s.ended && s.rules.exact_limit_becomes === "none" && score(s)?.map((one, k) => one + s.totals[k]) };
const key = (value) => JSON.stringify(value, value && typeof value === "object" && !Array.isArray(value) ? Object.keys(value).sort() : null);
let compared = 0, traces = 0, wrong = 0;
for (const file of process.argv.slice(2)) for (const line of readFileSync(file, "utf8").split("\n")) {
  if (!line) continue;
  const trace = JSON.parse(line);
  if (trace.trace !== 1) continue;
  const { ruleset, setup } = trace, n = ruleset.players;
  const s = { n, rules: { ...PROFILES[ruleset.profile].options, ...ruleset.options }, deal: setup?.deal, totals: setup?.totals ?? Array(n).fill(0) };
  const tell = (where, text) => (wrong++, console.log(`${file}: ${trace.name ?? trace.id}: ${where}: ${text}`));
  const check = (said, where) => {
    for (const [name, value] of Object.entries(said ?? {})) {
      const mine = s.hands && SAYS[name]?.(s);
      if (mine === undefined || mine === false && name === "totals") continue;
      const said = Array.isArray(value) && /hands|taken/.test(name) ? value.map((one) => set(list(one))) : name === "kitty" ? set(list(value)) : value;
      compared++;
      if (key(mine) !== key(said)) tell(`${where}.${name}`, `said ${key(value)}, found ${key(mine)}`);
    }
  };
  traces++;
  try {
    if (setup) lay(s, setup);
    trace.steps.forEach((step, k) => {
      if (step.act.deal && s.ended) s.totals = score(s)?.map((one, seat) => one + s.totals[seat]) ?? s.totals;
      act(s, step), check(step.then, `step ${k + 1}`);
    });
    check(trace.end, "end");
  } catch (fault) { tell("books", fault); }
}
console.log(`${traces} traces, ${compared} statements compared, ${wrong} wrong`);
process.exit(wrong ? 1 : 0);
