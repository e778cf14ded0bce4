// Puts an engine of Hearts behind the adapter protocol: JSON lines in, JSON lines out.
// Run it with: refengine conform run -- node THIS_FILE
// Fill in the functions of `engine`, and name in CAPABILITIES what they do. What is not
// named there is never asked. Write nothing else to stdout; stderr is free.
import { createInterface } from "node:readline";

// All: step legal probe clause clauses observe views replay enumerate setup.position
// match pass scatter mix forward stock kitty moon.choice revokes
const CAPABILITIES = [];

let game = null; // your engine's state, made by `open`

const engine = {
  // A new game. `options` has a value for every option of the ruleset; `setup` has
  // dealer, deal and hands such as ["2C 9D", "5C QS", ...]; seat s+1 sits left of s.
  open({ ruleset, setup, match }) {
    if (match) return { unsupported: "matches" };
    // Say so for every option that you do not play: it is then not scored.
    if (ruleset.options.undealt !== "none") return { unsupported: "stock and kitty" };
    game = { ruleset, setup }; // make your own state here
    return { ok: {} };
  },
  // An act, such as {"play": "QS"} or {"pass": "QS KH AH"}: do it, or refuse it.
  step({ seat, act }) {
    return { unsupported: "step" }; // { ok: {} } or { refused: { clauses: ["5.3"] } }
  },
  // The same answer as to step, but nothing changes.
  probe({ seat, act }) {
    return { unsupported: "probe" };
  },
  // What is due: { ok: { turn: [2], play: "5C 7C" } }, or pass: 286, or over: true.
  legal() {
    return { unsupported: "legal" };
  },
  // What is to be seen, as far as you know it; with a seat, what that seat knows.
  observe({ seat }) {
    return { unsupported: "observe" }; // { ok: { turn: [2], over: false, score: [...] } }
  },
};

function answer(request) {
  if (request.op === "hello") {
    return { ok: { protocol: 1, name: "my-hearts", version: "0.1.0",
      language: "JavaScript", profiles: "any", players: [4], capabilities: CAPABILITIES } };
  }
  const known = Object.hasOwn(engine, request.op);
  return known ? engine[request.op](request) : { unsupported: `the op ${request.op}` };
}

createInterface({ input: process.stdin }).on("line", (line) => {
  const request = JSON.parse(line);
  if (request.op === "bye") process.exit(0);
  let found;
  try { found = answer(request); } catch (error) { found = { error: String(error) }; }
  process.stdout.write(`${JSON.stringify({ seq: request.seq, ...found })}\n`);
});
