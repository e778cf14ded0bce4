// Puts a Hearts engine behind the adapter protocol: JSON lines in, JSON lines out.
//
// Write the methods of `Game`, and nothing else has to change. Run it with
//     refengine conform run -- node THIS_FILE
// What you have not written is answered with `unsupported` and scores nothing, except
// for the acts that `other` is for: those are refused.
import { createInterface } from "node:readline";

// Standard output is for answers alone: what the engine prints goes to standard error.
// So that this holds for what it prints while it is loaded, import it as below.
const say = process.stdout.write.bind(process.stdout);
process.stdout.write = process.stderr.write.bind(process.stderr);
// const { MyEngine } = await import("./my_engine.mjs");

// <table>
// The edition of the book whose clauses the adapter names.
const SPEC = "";
// The table: what your engine plays, filled in by `refengine adapter`. A game in which
// an option has another value is declined with `unsupported`.
const PROFILE = "";
const PLAYERS = 0;
// Cards dealt to each seat; 0 if your engine plays smaller deals as well.
const HAND_SIZE = 0;
const OPTIONS = {};
// Which of these differ from the profile.
const CHANGED = [];
// Those without effect given the others, so that any value will do.
const NO_EFFECT = [];
// What can be asked; docs/adapters.md lists them all.
const CAPABILITIES = [];
// </table>

const [NAME, VERSION, LANGUAGE] = ["my-hearts", "0.1.0", "JavaScript"];

class Refused extends Error {} // throw this where your engine does not allow an act
// Throw this, with the reason, where your engine cannot do what is asked. An example is
// a dealer that it cannot choose. This is not a mistake, and is not scored.
class Unsupported extends Error {}

// ---- Your engine
// One deal in your engine, or one match, if it plays matches. Seats count from 0; seat
// s + 1 is to the left of seat s. A card is its rank and its suit: "2C", "TD", "QS",
// "AH". Any error other than `Refused` and `Unsupported` is answered with `error`, which
// is never scored.
class Game {
  static MATCHES = false; // true once `deal` is written, to be given whole matches

  // `setup` has dealer, deal (from 1), hands (["2C 9D …", …]) and totals, if not all 0.
  // In the first deal of a match, `setup` also has match: true, and no totals.
  constructor(setup) {
    throw new Unsupported("not written yet");
  }
  // The next deal of a match: `setup` has its dealer, deal and hands.
  deal(setup) {
    throw new Unsupported("matches");
  }
  // What is due: ["pass", 3], the number of cards, ["play", seat, ["5C", "7C"]],
  // ["moon", seat, choices], ["draw", seat, 1], ["mix", seat, 1] after a pass that the
  // dealer mixes, ["over"], and after a deal of a match that goes on ["deal", seat], the
  // next dealer.
  due() {
    throw new Unsupported("not written yet");
  }
  // `packets` has the cards that each seat passes, [["QS", "KH", "AH"], …]. If your
  // engine takes them by seat or card by card, give them to it here in a loop.
  passAll(packets) {
    throw new Unsupported("not written yet");
  }
  // Play a card, or throw Refused and change nothing. Return true for a revoke, where the
  // rules let it happen.
  play(seat, card) {
    throw new Unsupported("not written yet");
  }
  // Any other act, such as { moon: "self_minus" } or { draw: 1 }: refused, as your engine
  // cannot make it, unless you write here how it does.
  other(seat, act) {
    throw new Refused();
  }
  // An object with what your engine knows; what you leave out is not tested. For each
  // seat: hands and taken (["2C 9D", …]), tricks, points, totals and, when a deal is
  // over, score (arrays of numbers). Of the deal: hearts_broken, dealer, deal, kitty
  // ("2C 9D"), table ({ leader: 0, cards: "2C 9D" }, in the order played) and trick, if
  // one was just completed (like table, with winner: 2 as well). If there is a stock:
  // stock and drew ("2C 9D", top first), and out (seats without cards, [1, 3]). If
  // revokes are penalised: revokes ([{ seat: 1, trick: 3, state: "open" }]). Whether the
  // match is over at these totals: match ({ over: false } or { over: true, winners:
  // [0, 2] }). Between two deals of a match, dealer and deal belong to the next one, and
  // everything else to the last.
  observe() {
    return {};
  }
}
// ---- The protocol: nothing from here on has to change

const SEATS = [...Array(PLAYERS).keys()];
const cards = (text) => (text ? text.split(" ") : []);

// Give an act to the engine; returns the game, and what to answer in `ok`.
function act(game, seat, what) {
  if ("newDeal" in what) {
    if (!game) return [new Game(what.newDeal), {}];
    game.deal(what.newDeal);
  } else if (!game) throw new Refused();
  else if ("allPass" in what) game.passAll(what.allPass);
  else if (!("play" in what)) game.other(seat, what);
  else if (game.play(seat, what.play)) return [game, { breaks: ["5.3"] }];
  return [game, {}];
}

// The open game, the acts done in it, and the passes that wait for the others.
class Conversation {
  constructor(dealer, setup) {
    this.dealer = dealer;
    this.done = [];
    this.packets = new Map();
    if (setup) this.do(dealer, { newDeal: setup }); // else a match: its dealer deals
  }

  // What is due; before the first deal of a match, that deal.
  due() {
    return this.game ? this.game.due() : ["deal", this.dealer];
  }

  // A deal as the engine gets it: who deals, which deal it is, and the cards.
  newDeal(seat, dealt) {
    const [kind, dealer] = this.due();
    if (kind !== "deal" || dealer !== seat) throw new Refused();
    if (HAND_SIZE && cards(dealt.hands[0]).length !== HAND_SIZE) {
      throw new Unsupported(`hands of other than ${HAND_SIZE} cards`);
    }
    const deal = this.setup ? this.setup.deal + 1 : 1;
    return { newDeal: { dealer: seat, deal, match: true, ...dealt } };
  }

  // Apply an act to the open game.
  do(seat, what) {
    const [game, found] = act(this.game, seat, what);
    this.game = game;
    this.setup = what.newDeal ?? this.setup;
    this.packets.clear();
    this.done.push([seat, what]);
    return found;
  }

  // What is tried is tried on a game made anew, so that the open one does not change.
  madeAnew() {
    let game;
    for (const [seat, what] of this.done) [game] = act(game, seat, what);
    return game;
  }

  // For the seats that have not passed yet, the first cards of their hands stand in, so
  // that your engine judges a packet before the last seat has passed.
  tryPass(seat, packet) {
    if (this.packets.has(seat) || !this.game) throw new Refused();
    const first = (other) => cards(this.setup.hands[other]).slice(0, OPTIONS.pass_count);
    const packets = new Map([...this.packets, [seat, packet]]);
    this.madeAnew().passAll(SEATS.map((other) => packets.get(other) ?? first(other)));
  }

  probe({ seat, act: what }) {
    if (typeof what.pass === "string") {
      this.tryPass(seat, cards(what.pass));
      return {};
    }
    if (what.deal) what = this.newDeal(seat, what.deal);
    return act(this.madeAnew(), seat, what)[1];
  }

  step({ seat, act: what }) {
    if (typeof what.pass === "string") {
      this.tryPass(seat, cards(what.pass));
      this.packets.set(seat, cards(what.pass));
      if (this.packets.size < PLAYERS) return {};
      what = { allPass: SEATS.map((other) => this.packets.get(other)) };
    }
    if (what.deal) what = this.newDeal(seat, what.deal);
    return this.do(seat, what);
  }

  legal() {
    const [kind, ...rest] = this.due();
    if (kind === "over") return { turn: [], over: true };
    if (kind === "pass") {
      const size = cards(this.setup.hands[0]).length;
      let ways = 1; // to choose so many cards of a hand
      for (let k = 1; k <= rest[0]; k += 1) ways = (ways * (size + 1 - k)) / k;
      return { turn: SEATS.filter((seat) => !this.packets.has(seat)), pass: ways };
    }
    const [seat, what = 1] = rest;
    return { turn: [seat], [kind]: kind === "play" ? what.join(" ") : what };
  }

  observe({ seat }) {
    if (seat !== undefined) throw new Unsupported("what one seat knows");
    const { turn, ...due } = this.legal();
    const phase = "draw" in due ? "play" : Object.keys(due)[0];
    return { ...this.game?.observe(), phase, over: phase === "over", turn };
  }
}

// Why a game cannot be played at this table; undefined if it can.
function lacking({ ruleset, setup, match }) {
  for (const [name, value] of Object.entries(ruleset.options)) {
    const written = JSON.stringify(value);
    if (!NO_EFFECT.includes(name) && written !== JSON.stringify(OPTIONS[name])) {
      return `the option ${name}=${written}`;
    }
  }
  if (ruleset.players !== PLAYERS) return `${ruleset.players} players`;
  if (match) {
    const known = Game.MATCHES && "dealer" in match && !("pack" in match);
    return known ? undefined : `the match ${JSON.stringify(match)}`;
  }
  if ("leader" in setup) return "a position in the middle of a deal";
  if (setup.limit_reached) return "a match played on after a tie";
  if (HAND_SIZE && cards(setup.hands[0]).length !== HAND_SIZE) {
    return `hands of other than ${HAND_SIZE} cards`;
  }
}

let open = null;

function answer(request) {
  if (request.op === "hello") {
    const options = Object.fromEntries(CHANGED.map((name) => [name, OPTIONS[name]]));
    const table = { profile: PROFILE, players: [PLAYERS], options,
      hands: HAND_SIZE ? "full" : "any", starts: ["deal"] };
    const capabilities = [...CAPABILITIES];
    if (Game.MATCHES) {
      table.starts.push("match-dealer");
      capabilities.push("match");
    }
    return { ok: { protocol: 1, name: NAME, version: VERSION, language: LANGUAGE,
      spec: SPEC, profiles: [PROFILE], players: [PLAYERS], capabilities,
      tables: [table] } };
  }
  if (request.op === "open") {
    open = null;
    const reason = lacking(request);
    if (reason) return { unsupported: reason };
    open = new Conversation((request.setup ?? request.match).dealer, request.setup);
    return { ok: {} };
  }
  if (!["step", "probe", "legal", "observe"].includes(request.op)) {
    return { unsupported: `the op ${request.op}` };
  }
  return open ? { ok: open[request.op](request) } : { error: "no game is open" };
}

createInterface({ input: process.stdin }).on("line", (line) => {
  const request = JSON.parse(line);
  if (request.op === "bye") process.exit(0);
  let found;
  try {
    found = answer(request);
  } catch (error) {
    found = { error: String(error) };
    if (error instanceof Refused) found = { refused: {} };
    if (error instanceof Unsupported) found = { unsupported: error.message };
  }
  say(`${JSON.stringify({ seq: request.seq, ...found })}\n`);
});
