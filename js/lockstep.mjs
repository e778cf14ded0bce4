// Repeats the calls that the Python rules recorded, and says where the answers part.
//
//   node lockstep.mjs RULES.mjs < CALLS.jsonl

import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";
import { equal } from "./runtime.mjs";

const rules = await import(pathToFileURL(process.argv[2]));
const cores = [];

function read(value) {
  if (Array.isArray(value)) return value.map(read);
  if (value === null || typeof value !== "object") return value;
  if ("core" in value) return cores[value.core];
  return new rules[value.class](...value.fields.map(read));
}

let calls = 0;
const wrong = [];
for await (const line of createInterface({ input: process.stdin })) {
  const { call, given, found, core } = JSON.parse(line);
  let answer;
  try {
    answer = rules[call](...given.map(read));
  } catch (error) {
    answer = String(error);
  }
  calls += 1;
  if (!equal(answer, read(found))) wrong.push({ call: calls, name: call, answer, found });
  if (core !== undefined) cores[core] = answer;
  if (wrong.length === 5) break;
}
console.log(JSON.stringify({ calls, wrong }));
