// Stands the example engine behind the adapter protocol: JSON lines in, JSON lines out.
import { existsSync, readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { HeartsGame } from "./hearts_engine.mjs";
import { matchBreaks, rulesetBreaks, setupBreaks } from "./hearts_openings.mjs";

const CAPABILITIES = ["step", "legal", "probe", "clause", "clauses", "observe", "views",
  "events", "openings", "replay", "setup.position", "match", "given_deals",
  "pass", "stock", "moon.choice", "revokes"];

const PLAYS = `direction removal hand_size undealt mix_kitty pass_count pass_cycle pass_unseen
  opening_leader opening_card heart_leads queen_breaks_hearts all_hearts_leader
  hearts_or_queen_leader first_trick_points queen_duty survivor_takes_stock no_survivor_stock
  heart_points queen_points bonus_card bonus_points moon sun_points no_trick_points revokes
  revoke_until revoke_points revoke_ends_deal limit limit_rule exact_limit_becomes ties
  deals`.split(/\s+/);
const PROFILES = new URL("../corpus/profiles.json", import.meta.url);
const TABLES = JSON.parse(process.argv[2] ?? "[]"); // what is to be asked, if not everything
const { base: BASE = {}, profiles: KNOWN = {} } = existsSync(PROFILES)
  ? JSON.parse(readFileSync(PROFILES, "utf8")) : {};

let game = null;
let last = null; // the act done last, and by whom

function unsupportedRuleset({ options }) {
  const unknown = Object.keys(options).filter((name) => !PLAYS.includes(name)); // no rule of ours
  const changed = unknown.find((name) => JSON.stringify(options[name]) !== JSON.stringify(BASE[name]));
  if (changed) return `the option ${changed}`;
  if (options.undealt === "kitty") return "kitties";
  if (options.pass_unseen) return "passing unseen";
  return options.pass_cycle.find((way) => way === "scatter" || way === "mix");
}

function checkAct({ seat, act }) {
  const named = [seat, act.claim?.seat ?? 0, act.moon?.one ?? 0];
  if (Math.max(...named) >= game.players) throw new Error("no such seat");
}

function verdict(request, apply) {
  if (!game) throw new Error("no game is open");
  checkAct(request);
  const broken = game.breaks(request.seat, request.act);
  if (broken.length && !("play" in request.act && game.isIrregular(broken))) {
    return { refused: { clauses: broken } };
  }
  if (apply) {
    game.apply(request.seat, request.act, broken);
    last = { seat: request.seat, act: request.act };
  }
  return { ok: broken.length ? { breaks: broken } : {} };
}

// The clauses that refuse this game before it begins. Options that the engine does not
// know have their base value.
function openingBreaks({ ruleset, setup, match }) {
  const { profile, players } = ruleset;
  const options = { ...BASE, ...ruleset.options };
  const allowed = KNOWN[profile]?.[options.undealt === "kitty" ? "players_with_kitty" : "players"] ?? [players];
  const wrong = rulesetBreaks(options, players, allowed);
  if (wrong.length) return wrong;
  return match ? matchBreaks(options, players, match) : setupBreaks(options, players, setup);
}

// What a seat was told of the act done last: cards dealt to nobody, cards passed to the
// seat that passed them, everything else to all.
function told(seat) {
  if (!game || !last) throw new Error("no act yet");
  if (seat >= game.players) throw new Error("no such seat");
  const [kind] = Object.keys(last.act);
  const hidden = kind === "deal" || (kind === "pass" && seat !== last.seat);
  return hidden ? { kind, seat: last.seat } : { kind, ...last };
}

function replay({ steps, ...start }) {
  open(start);
  const answers = [];
  for (const step of steps) {
    const { turn, ...legal } = game.legal();
    const ask = (asked) => verdict({ seat: step.seat, ...asked }, false);
    const answer = { legal };
    if (step.refuse) answer.refuse = step.refuse.map(ask);
    if (step.irregular) answer.irregular = step.irregular.map(ask);
    answer.answer = verdict(step, true);
    answers.push(answer);
    if (answer.answer.refused) break;
    answer.then = game.observe();
  }
  return { steps: answers, end: game.observe() };
}

function open({ ruleset, setup, match }) {
  last = null;
  game = new HeartsGame(ruleset.options, ruleset.players, { setup, match });
}

function answer(request) {
  switch (request.op) {
    case "hello":
      return { ok: { protocol: 1, name: "hearts-example", version: "1.0.0",
        language: "JavaScript", profiles: "any", players: "any",
        capabilities: CAPABILITIES, deviations: [], tables: TABLES } };
    case "open": {
      const missing = unsupportedRuleset(request.ruleset);
      game = null;
      const wrong = openingBreaks(request);
      if (wrong.length) return { refused: { clauses: wrong } };
      if (missing) return { unsupported: missing };
      open(request);
      return { ok: {} };
    }
    case "step": return verdict(request, true);
    case "probe": return verdict(request, false);
    case "legal":
      if (!game) throw new Error("no game is open");
      return { ok: game.legal() };
    case "observe":
      if (!game) throw new Error("no game is open");
      return { ok: request.seat === undefined ? game.observe() : game.view(request.seat) };
    case "event": return { ok: told(request.seat) };
    case "replay": {
      const missing = unsupportedRuleset(request.trace.ruleset);
      return missing ? { unsupported: missing } : { ok: replay(request.trace) };
    }
    default: return { unsupported: `the op ${request.op}` };
  }
}

function handle(line) {
  const request = JSON.parse(line);
  if (request.op === "bye") process.exit(0);
  let found;
  try {
    found = answer(request);
  } catch (error) {
    found = { error: String(error.message) };
  }
  process.stdout.write(`${JSON.stringify({ seq: request.seq, ...found })}\n`);
}

createInterface({ input: process.stdin }).on("line", handle);
