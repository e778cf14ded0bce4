// What Python does and JavaScript does not, for the rules that are carried over.
// Nothing here knows a rule. Numbers are exact to 53 bits.

const HALF = 2 ** 26;

// A number is taken apart into 26 bits and the rest, whose sign goes on to the left
// without end, as Python has it: so `a & ~b` and `a & -a` come out the same.
export function and(a, b) {
  const above = Math.floor(a / HALF);
  const beside = Math.floor(b / HALF);
  return (above & beside) * HALF + ((a - above * HALF) & (b - beside * HALF));
}

export function or(a, b) {
  const above = Math.floor(a / HALF);
  const beside = Math.floor(b / HALF);
  return (above | beside) * HALF + ((a - above * HALF) | (b - beside * HALF));
}

export function xor(a, b) {
  const above = Math.floor(a / HALF);
  const beside = Math.floor(b / HALF);
  return (above ^ beside) * HALF + ((a - above * HALF) ^ (b - beside * HALF));
}

export const shl = (number, places) => number * 2 ** places;
export const shr = (number, places) => Math.floor(number / 2 ** places);
export const mod = (a, b) => a - Math.floor(a / b) * b;

// Truth and equality

const isTable = (value) => value instanceof Map;
const isSet = (value) => value instanceof Set;
const isObject = (value) => value !== null && typeof value === "object";

export function truth(value) {
  if (!isObject(value)) return Boolean(value);
  if (Array.isArray(value)) return value.length > 0;
  if (isTable(value) || isSet(value)) return value.size > 0;
  if (value.__bool__) return value.__bool__();
  return value.__len__ ? value.__len__() > 0 : true;
}
export const either = (value, other) => (truth(value) ? value : other());
export const both = (value, other) => (truth(value) ? other() : value);

export function equal(a, b) {
  if (a === b) return true;
  if (typeof a === "boolean" && typeof b === "number") return Number(a) === b;
  if (typeof a === "number" && typeof b === "boolean") return a === Number(b);
  if (!isObject(a) || !isObject(b)) return false;
  if (Array.isArray(a)) {
    return Array.isArray(b) && a.length === b.length && a.every((one, at) => equal(one, b[at]));
  }
  if (a.constructor !== b.constructor) return false;
  if (isSet(a)) return a.size === b.size && [...a].every((one) => b.has(one));
  if (isTable(a)) {
    return a.size === b.size && [...a].every(([key, one]) => b.has(key) && equal(one, b.get(key)));
  }
  if (a.__eq__) return a.__eq__(b);
  if (a._key) return equal(a._key(), b._key());
  return Object.keys(a).every((name) => equal(a[name], b[name]));
}

export function has(row, value) {
  if (typeof row === "string") return row.includes(value);
  if (isTable(row) || isSet(row)) return row.has(value);
  if (row.__contains__) return row.__contains__(value);
  for (const one of row) if (equal(one, value)) return true;
  return false;
}

// -1, 0 or 1, as the first comes before, with or after the second.
export function compared(a, b) {
  if (Array.isArray(a)) {
    for (let at = 0; at < Math.min(a.length, b.length); at += 1) {
      if (!equal(a[at], b[at])) return compared(a[at], b[at]);
    }
    return a.length - b.length;
  }
  if (isObject(a)) {
    if (equal(a, b)) return 0;
    return a.__lt__(b) ? -1 : 1;
  }
  return a < b ? -1 : Number(a > b);
}

// Rows, tables and sets

export function item(row, place) {
  const found = row[place < 0 ? place + row.length : place];
  if (isTable(row)) return looked_up(row, place);
  if (found === undefined) throw new RangeError(`no place ${place} in a row of ${row.length}`);
  return found;
}

export function looked_up(table, key) {
  if (!table.has(key)) throw new RangeError(`no ${key} in the table`);
  return table.get(key);
}

export function put(row, place, value) {
  if (isTable(row)) row.set(place, value);
  else row[place < 0 ? place + row.length : place] = value;
}

export const got = (table, key, other) => (table.has(key) ? table.get(key) : other);

export function setdefault(table, key, value) {
  if (!table.has(key)) table.set(key, value);
  return table.get(key);
}

export function pop(table, key, ...other) {
  if (!table.has(key) && other.length === 0) throw new RangeError(`no ${key} in the table`);
  const found = got(table, key, other[0]);
  table.delete(key);
  return found;
}

export function update(table, more) {
  for (const [key, value] of more) table.set(key, value);
}

export const each = (some) => (isTable(some) ? some.keys() : some);
export const row = (some) => [...each(some)];
export function len(some) {
  if (typeof some === "string" && PAIRED.test(some)) return [...some].length;
  return some.length ?? some.size ?? some.__len__();
}
export const iter = (some) => each(some)[Symbol.iterator]();
export const same = (value) => value;

export function range(start, stop, step = 1) {
  const [from, to] = stop === undefined ? [0, start] : [start, stop];
  const found = [];
  for (let at = from; step < 0 ? at > to : at < to; at += step) found.push(at);
  return found;
}

export function enumerate(some, start = 0) {
  const found = [];
  for (const one of each(some)) found.push([found.length + start, one]);
  return found;
}

export function zip(first, ...others) {
  const rows = [first, ...others].map(row);
  if (rows.some((one) => one.length !== rows[0].length)) throw new RangeError("rows differ in length");
  return zip_shortest(...rows);
}

export function zip_shortest(...given) {
  const rows = given.map(row);
  const length = Math.min(...rows.map((one) => one.length));
  return Array.from({ length }, (_, at) => rows.map((one) => one[at]));
}

export function first(some, ...other) {
  for (const one of each(some)) return one;
  if (other.length === 0) throw new RangeError("nothing to be the first");
  return other[0];
}

export function unpacked(some, place, others) {
  const all = [...some];
  const end = all.length - others + place;
  if (end < place) throw new RangeError(`only ${all.length} values`);
  return [...all.slice(0, place), all.slice(place, end), ...all.slice(end)];
}

const best = (some, key, other, sign) => {
  let found;
  let measure;
  for (const one of each(some)) {
    const now = key ? key(one) : one;
    if (found === undefined || sign * compared(now, measure) > 0) [found, measure] = [one, now];
  }
  if (found !== undefined) return found;
  if (other === undefined) throw new RangeError("the best of nothing");
  return other;
};
export const max = (some, key, other) => best(some, key, other, 1);
export const min = (some, key, other) => best(some, key, other, -1);

export function sorted(some, key, down = false) {
  const sign = down ? -1 : 1;
  if (!key) return [...each(some)].sort((a, b) => sign * compared(a, b));
  const keyed = [...each(some)].map((one) => [key(one), one]);
  return keyed.sort((a, b) => sign * compared(a[0], b[0])).map((pair) => pair[1]);
}

export const sum = (some, start = 0) => [...each(some)].reduce((total, one) => total + one, start);
export const any = (some) => [...each(some)].some(truth);
export const all = (some) => [...each(some)].every(truth);
export const reversed = (some) => [...some].reverse();
export const abs = (number) => Math.abs(number);
export function repeated(some, times) {
  const found = [];
  for (let at = 0; at < times; at += 1) found.push(...some);
  return found;
}
export const is_row = (value, length, or_more = false) =>
  Array.isArray(value) && (value.length === length || (or_more && value.length > length));

export const insert_in = (some, place, value) => some.splice(place, 0, value);
export const index_in = (some, value) => {
  const found = some.findIndex((one) => equal(one, value));
  if (found < 0) throw new RangeError("not in the row");
  return found;
};
export const remove_in = (some, value) => some.splice(index_in(some, value), 1);
export const count_in = (some, value) => some.filter((one) => equal(one, value)).length;
export const sort_in = (some) => some.sort(compared);
export const clear_in = (some) => some.splice(0);

// What is not equal to anything before it.
export const differing_in = (some) =>
  [...some].filter((one, at, all_of) => all_of.findIndex((other) => equal(one, other)) === at);

export const joined = (a, b) => new Set([...a, ...b]);
export const shared = (a, b) => {
  const other = new Set(b);
  return new Set([...a].filter((one) => other.has(one)));
};
export const without = (a, b) => {
  const other = new Set(b);
  return new Set([...a].filter((one) => !other.has(one)));
};
export const differing = (a, b) => joined(without(a, b), without(b, a));
export const disjoint = (a, b) => shared(a, b).size === 0;
export const within = (a, b) => {
  const other = new Set(b);
  return [...a].every((one) => other.has(one));
};
export const add_all = (a, b) => {
  for (const one of b) a.add(one);
};

export function combinations(some, size) {
  const all_of = row(some);
  if (size === 0) return [[]];
  return all_of.flatMap((one, at) =>
    combinations(all_of.slice(at + 1), size - 1).map((rest) => [one, ...rest]));
}

export function permutations(some, size) {
  const all_of = row(some);
  if (size === 0) return [[]];
  return all_of.flatMap((one, at) =>
    permutations([...all_of.slice(0, at), ...all_of.slice(at + 1)], size - 1)
      .map((rest) => [one, ...rest]));
}

export const product = (...given) =>
  given.map(row).reduce(
    (done, one) => done.flatMap((before) => one.map((last) => [...before, last])), [[]]);

export const chain = (...given) => given.flatMap(row);

// Texts

const ESCAPES = { "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t" };
const SHOWN = /^(?:[^\p{C}\p{Z}]| )*$/u;

export const isprintable = (text) => SHOWN.test(text);

function escaped(sign, quote) {
  if (sign === quote) return `\\${sign}`;
  if (sign in ESCAPES) return ESCAPES[sign];
  if (isprintable(sign)) return sign;
  const code = sign.codePointAt(0);
  const [letter, width] = code < 256 ? ["x", 2] : code < 65536 ? ["u", 4] : ["U", 8];
  return `\\${letter}${code.toString(16).padStart(width, "0")}`;
}

/** The value if it is a whole number, else null. */
export function whole_number(value) {
  return Number.isInteger(value) ? value : null;
}

/** An iterator over the value, or null if it cannot be iterated over. */
export const values_in = (value) => (KINDS.Iterable(value) ? iter(value) : null);

export function repr(value) {
  if (typeof value === "string") {
    const quote = value.includes("'") && !value.includes('"') ? '"' : "'";
    return quote + [...value].map((sign) => escaped(sign, quote)).join("") + quote;
  }
  if (value === null || value === undefined) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (!isObject(value)) return typeof value === "function" ? name_of(value) : String(value);
  if (Array.isArray(value)) return `[${value.map(repr).join(", ")}]`;
  if (isTable(value)) {
    return `{${[...value].map(([key, one]) => `${repr(key)}: ${repr(one)}`).join(", ")}}`;
  }
  if (isSet(value)) return value.size ? `{${[...value].map(repr).join(", ")}}` : "set()";
  if (value.__repr__) return value.__repr__();
  const kind = value.constructor;
  const fields = (kind.$fields ?? []).map((name) => `${name}=${repr(value[name])}`);
  return `${name_of(kind)}(${fields.join(", ")})`;
}

export function str(value) {
  if (typeof value === "string") return value;
  return isObject(value) && value.__str__ ? value.__str__() : repr(value);
}

export function int(value) {
  if (typeof value !== "string") return Math.trunc(Number(value));
  if (!/^\s*[-+]?\d+\s*$/.test(value)) throw new RangeError(`no number: ${value}`);
  return Number(value);
}

export const chr = (code) => String.fromCodePoint(code);
export const ord = (sign) => sign.codePointAt(0);
export const name_of = (kind) => kind.$name ?? kind.name;
export const type = (value) =>
  Number.isInteger(value) ? int : isObject(value) ? value.constructor : { boolean: Boolean, string: str }[typeof value];

export function formatted(value, spec) {
  const [, fill, side, width, digits, most, kind] =
    /^(?:(.)?([<>^]))?(0?\d+)?(?:(,)|\.(\d+))?([sdxX]?)$/.exec(spec);
  let text = most === undefined ? str(value) : str(value).slice(0, Number(most));
  if (digits) text = text.replace(/\B(?=(\d{3})+$)/g, ",");
  if (kind === "x") text = value.toString(16);
  if (width === undefined) return text;
  const pad = fill ?? (width.startsWith("0") ? "0" : " ");
  const right = side === ">" || (side === undefined && typeof value === "number");
  return right ? text.padStart(Number(width), pad) : text.padEnd(Number(width), pad);
}

// `template.format(...)`: names or places in braces, and doubled braces.
export function filled(template, given, by_name) {
  let place = 0;
  return template.replace(/\{\{|\}\}|\{(\w*)\}/g, (found, key) => {
    if (found === "{{" || found === "}}") return found[0];
    if (key === "") return str(item(given, place++));
    return str(/^\d+$/.test(key) ? item(given, Number(key)) : looked_up(by_name, key));
  });
}

// A text counts its characters, as Python has it, not the halves of pairs.
const PAIRED = /[\ud800-\udfff]/;
export const part = (text, from, to) =>
  PAIRED.test(text) ? [...text].slice(from, to).join("") : text.slice(from, to);

export function split(text, between, most = Infinity) {
  const words = between === undefined ? text.trim().split(/\s+/u) : text.split(between);
  if (between === undefined && words[0] === "") return [];
  if (words.length - 1 <= most) return words;
  return [...words.slice(0, most), words.slice(most).join(between)];
}

export function partition(text, between) {
  const at = text.indexOf(between);
  return at < 0 ? [text, "", ""] : [text.slice(0, at), between, text.slice(at + between.length)];
}

export function rpartition(text, between) {
  const at = text.lastIndexOf(between);
  return at < 0 ? ["", "", text] : [text.slice(0, at), between, text.slice(at + between.length)];
}

export const replace = (text, old, now) => text.split(old).join(now);
const several = (ends) => (Array.isArray(ends) ? ends : [ends]);
export const startswith = (text, ends) => several(ends).some((one) => text.startsWith(one));
export const endswith = (text, ends) => several(ends).some((one) => text.endsWith(one));
export const removeprefix = (text, one) => (text.startsWith(one) ? text.slice(one.length) : text);
export const removesuffix = (text, one) =>
  one && text.endsWith(one) ? text.slice(0, -one.length) : text;
export const isdigit = (text) => /^\p{Nd}+$/u.test(text);
export const isdecimal = isdigit;
export const isalpha = (text) => /^\p{L}+$/u.test(text);
export const isascii = (text) => /^[\0-\x7f]*$/.test(text);
export const splitlines = (text) => {
  const lines = text.split(/\r\n|[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]/);
  return lines[lines.length - 1] === "" ? lines.slice(0, -1) : lines;
};
const trimmed = (text, signs, left, right) => {
  let [from, to] = [0, text.length];
  while (left && from < to && signs.includes(text[from])) from += 1;
  while (right && from < to && signs.includes(text[to - 1])) to -= 1;
  return text.slice(from, to);
};
export const strip = (text, signs) => trimmed(text, signs, true, true);
export const lstrip = (text, signs) => trimmed(text, signs, true, false);
export const rstrip = (text, signs) => trimmed(text, signs, false, true);
export const count = (text, one) => text.split(one).length - 1;
export const index = (text, one) => {
  const at = text.indexOf(one);
  if (at < 0) throw new RangeError(`no ${one} in ${text}`);
  return at;
};
export const find = (text, one) => text.indexOf(one);
export const ljust = (text, width) => text.padEnd(width);
export const rjust = (text, width) => text.padStart(width);

// How alike two texts are: twice the signs in common, in the longest runs that both
// have, by all signs of both.
function in_common(a, b) {
  let [size, at, beside] = [0, 0, 0];
  for (let i = 0; i < a.length; i += 1) {
    for (let j = 0; j < b.length; j += 1) {
      let run = 0;
      while (i + run < a.length && j + run < b.length && a[i + run] === b[j + run]) run += 1;
      if (run > size) [size, at, beside] = [run, i, j];
    }
  }
  if (size === 0) return 0;
  const before = in_common(a.slice(0, at), b.slice(0, beside));
  return before + size + in_common(a.slice(at + size), b.slice(beside + size));
}

export function get_close_matches(word, words, most, least) {
  return words
    .map((one) => [(2 * in_common(one, word)) / (one.length + word.length), one])
    .filter(([alike]) => alike >= least)
    .sort((a, b) => -compared(a, b))
    .slice(0, most)
    .map(([, one]) => one);
}

// Classes, functions and faults

const KINDS = {
  int: (value) => Number.isInteger(value) || typeof value === "boolean",
  bool: (value) => typeof value === "boolean",
  str: (value) => typeof value === "string",
  bytes: (value) => value instanceof Uint8Array,
  list: Array.isArray,
  tuple: Array.isArray,
  dict: isTable,
  Mapping: isTable,
  set: isSet,
  frozenset: isSet,
  AnySet: isSet,
  Sequence: (value) => Array.isArray(value) || typeof value === "string",
  Iterable: (value) => typeof value === "string" || (isObject(value) && Symbol.iterator in value),
};
export const isinstance = (value, ...kinds) =>
  kinds.some((kind) => (typeof kind === "string" ? KINDS[kind](value) : value instanceof kind));

export const bound = (owner, name) => owner[name].bind(owner);

export function evolved(value, changes) {
  const kind = value.constructor;
  return new kind(...kind.$fields.map((name) => (name in changes ? changes[name] : value[name])));
}

export function kept(work) {
  const done = new Map();
  return (...given) => {
    const key = given.length === 1 ? given[0] : given.map(repr).join();
    if (!done.has(key)) done.set(key, work(...given));
    return done.get(key);
  };
}

const numbered = new WeakMap();
let last_number = 0;
export function id(value) {
  if (!numbered.has(value)) numbered.set(value, (last_number += 1));
  return numbered.get(value);
}

export function data(value) {
  if (Array.isArray(value)) return value.map(data);
  if (!isObject(value)) return value;
  const pairs = "$" in value ? value.$ : Object.entries(value);
  return new Map(pairs.map(([key, one]) => [key, data(one)]));
}

export class Value {}

// A member of an enum: found by its value, and the only one with it.
export class Member {
  constructor(value) {
    this.value = value;
  }
}

export function members(kind, pairs) {
  kind.$all = pairs.map(([name, value]) => (kind[name] = new kind(value)));
  kind.$by_value = new Map(kind.$all.map((one) => [one.value, one]));
  kind[Symbol.iterator] = () => kind.$all[Symbol.iterator]();
}

export function member(kind, value) {
  if (value instanceof kind) return value;
  return kind.$by_value.get(value) ?? kind._missing_(value);
}

// An error without a trace of calls: a refusal is an everyday answer, and a trace takes
// longer than the ruling.
export class Fault {
  constructor(...given) {
    this.args = given;
  }
  get name() {
    return name_of(this.constructor);
  }
  __str__() {
    return this.args.map(str).join(", ");
  }
  get message() {
    return str(this);
  }
}

Object.setPrototypeOf(Fault.prototype, Error.prototype);

export function check(holds) {
  if (!holds) throw new Error("an internal error: an assertion does not hold");
}
