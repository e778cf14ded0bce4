#!/usr/bin/env node
// The rules behind the adapter protocol (docs/adapters.md): `node adapter.mjs`.
// It reads requests from standard input, one a line, and writes an answer for each.

import { createInterface } from "node:readline";
import { about, inForm, open, requests } from "./rules.mjs";

const PROTOCOL = 1;
let game = null;

function opened() {
  if (!game) throw Object.assign(new Error("op: found no open game; allowed: an open before it"), { name: "Malformed" });
  return game;
}

function answerOf({ verdict, clauses }) {
  if (verdict === "refused") return { refused: { clauses } };
  return { ok: verdict === "irregular" ? { breaks: clauses } : {} };
}

const answers = {
  hello({ protocol }) {
    if (protocol !== PROTOCOL) return { unsupported: `protocol ${protocol}, only ${PROTOCOL}` };
    const { version, spec, capabilities } = about;
    const any = { profiles: "any", players: "any", capabilities, deviations: [] };
    return { ok: { protocol, spec, name: "refengine", version, language: "JavaScript", ...any } };
  },
  open({ ruleset, setup, match }) {
    game = null;
    game = open(ruleset, { setup, match });
    return { ok: {} };
  },
  legal: () => ({ ok: opened().legal }),
  probe: ({ seat, act }) => answerOf(opened().verdict(seat, act)),
  step({ seat, act }) {
    const verdict = opened().verdict(seat, act);
    if (verdict.verdict !== "refused") game = game.apply(seat, act);
    return answerOf(verdict);
  },
  observe: ({ seat }) => ({ ok: opened().observe(seat) }),
  event: ({ seat }) => ({ ok: opened().event(seat) }),
  replay: ({ trace }) => ({ ok: replayed(trace) }),
  enumerate: ({ limit }) => ({ ok: opened().enumerate(limit) }),
};

function replayed({ ruleset, setup, match, steps }) {
  let now = open(ruleset, { setup, match });
  const found = [];
  for (const { seat, act, refuse = [], irregular = [] } of steps) {
    const ask = (one) => answerOf(now.verdict(one.seat ?? seat, one.act));
    const { turn, ...legal } = now.legal;
    const step = { legal, answer: ask({ act }) };
    if (refuse.length) step.refuse = refuse.map(ask);
    if (irregular.length) step.irregular = irregular.map(ask);
    found.push(step);
    if (step.answer.refused) break;
    now = now.apply(seat, act);
    step.then = now.observe();
  }
  return { steps: found, end: now.observe() };
}

function answer(line) {
  let seq;
  try {
    const plain = JSON.parse(line);
    if (Number.isSafeInteger(plain?.seq)) seq = plain.seq;
    const form = Object.hasOwn(requests, plain?.op) ? requests[plain.op] : undefined;
    if (typeof plain?.op === "string" && !form) return { seq, unsupported: `the op ${plain.op.slice(0, 40)}` };
    const request = inForm(plain, form ?? requests.hello);
    return plain.op === "bye" ? null : { seq, ...answers[plain.op](request) };
  } catch (error) {
    if (error.name === "Refused") return { seq, refused: { clauses: error.clauses } };
    if (error.name === "NotCounted") return { seq, unsupported: error.message };
    return { seq, error: error.message };
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  const found = answer(line);
  if (!found) break;
  process.stdout.write(`${JSON.stringify(found)}\n`);
}
process.stdin.destroy(); // so that nothing is waited for after `bye`
