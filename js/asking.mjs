// Questions and answers as plain objects, as JSON has them. What answers them is carried
// over; here values only change their form. The names with a `$` stand above.

const isObject = (value) => value !== null && typeof value === "object";

function read(value) {
  if (Array.isArray(value)) return value.map(read);
  if (!isObject(value) || value instanceof Map) return value;
  return new Map(Object.entries(value).map(([key, one]) => [key, read(one)]));
}

function plain(value) {
  if (Array.isArray(value)) return value.map(plain);
  if (!(value instanceof Map)) return value;
  return Object.fromEntries([...value].map(([key, one]) => [key, plain(one)]));
}

export const answer = (question) => plain(answers$answer_fields(ask$answer(read(question))));
export const describe = (rules) => plain(what_is_played$described(questions$read_rules(read(rules ?? {}))));
export const profiles = () => plain(what_is_played$described_profiles());
export const cards = (text) => cards_typed$cards_typed(text);
export const headings = plain(sentences$SECTIONS);
