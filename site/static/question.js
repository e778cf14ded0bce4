// A question: as the address of the page that rules holds it, the table that is remembered
// with it, and the pieces of a page that answers are put together from.
// It knows no rule; ask.js and at-my-table.js ask refengine.answer.
"use strict";
window.question = (() => {
  const FLAGS = ["first_trick", "hearts_broken", "reached"];
  const NO = ["", "0", "false", "no"];
  const NUMBERS = ["people", "deal", "leader", "dealer", "stock", "seat", "deals"];
  const TEXTS = ["hand", "card", "trick", "drew", "cards", "choice", "when", "number"];
  const LISTS = ["taken", "totals", "tricks", "out", "revokes", "hands"];
  const KEYS = [...FLAGS, ...NUMBERS, ...TEXTS, ...LISTS];
  const OF_ANSWERS = "if.";
  const OF_RULES = "rule."; // before an option that is called like a key of a question
  const STORED = "refengine-game";

  // The address: a question as text, and back

  const written = (value) => (Array.isArray(value) ? value.join(",") : String(value));
  const ofRules = (name) => (KEYS.includes(name) ? OF_RULES + name : name);

  // A value as it is typed for an option: true, 13, left,right, or a word.
  function typed(text) {
    if (text === "true" || text === "false") return text === "true";
    if (/^-?\d+$/.test(text)) return Number(text);
    return text.includes(",") ? text.split(",").filter(Boolean) : text;
  }

  function write(question) {
    const { rules = {}, ...rest } = question;
    const parts = [["ask", rest.ask]];
    if (rules.profile) parts.push(["profile", rules.profile]);
    if (rules.players) parts.push(["players", rules.players]);
    for (const [name, value] of Object.entries(rules.options || {})) {
      parts.push([ofRules(name), Array.isArray(value) ? `${value.join(",")},` : value]);
    }
    for (const key of FLAGS) if (rest[key]) parts.push([key, "yes"]);
    for (const key of NUMBERS) {
      const value = key === "people" ? rest.players : rest[key];
      if (value !== undefined) parts.push([key, value]);
    }
    for (const key of TEXTS) if (rest[key] !== undefined && rest[key] !== "") parts.push([key, rest[key]]);
    for (const key of LISTS) {
      if (rest[key]) parts.push([key, rest[key].map(written).join("/")]);
    }
    for (const [name, value] of Object.entries(rest.answers || {})) {
      parts.push([OF_ANSWERS + name, value]);
    }
    return String(new URLSearchParams(parts)).replace(/%2C/g, ",").replace(/%2F/g, "/");
  }

  function read(text) {
    const question = {};
    const rules = {};
    const options = {};
    const answers = {};
    for (const [key, value] of new URLSearchParams(text)) {
      if (key === "ask") question.ask = value;
      else if (key === "profile") rules.profile = value;
      else if (key === "players") rules.players = Number(value);
      else if (key === "people") question.players = Number(value);
      else if (FLAGS.includes(key)) {
        if (!NO.includes(value.toLowerCase())) question[key] = true;
      } else if (NUMBERS.includes(key)) {
        if (value !== "") question[key] = Number(value);
      }
      else if (TEXTS.includes(key)) question[key] = key === "choice" ? typed(value) : value;
      else if (LISTS.includes(key)) {
        const parts = value === "" ? [] : value.split("/");
        question[key] = key === "taken" ? parts : parts.map((part) => Number(part || NaN));
      } else if (key.startsWith(OF_ANSWERS)) answers[key.slice(OF_ANSWERS.length)] = value;
      else if (key.startsWith(OF_RULES)) options[key.slice(OF_RULES.length)] = typed(value);
      else options[key] = typed(value);
    }
    if (Object.keys(options).length) rules.options = options;
    if (rules.profile) question.rules = rules;
    if (question.number) question.answers = answers;
    return question;
  }

  // Pieces of a page

  function el(name, more = {}, ...inside) {
    const made = document.createElement(name);
    for (const [key, value] of Object.entries(more)) {
      if (value === undefined || value === false) continue;
      if (key in made && key !== "list" && key !== "spellcheck") made[key] = value;
      else made.setAttribute(key, value === true ? "" : value);
    }
    made.append(...inside.filter((one) => one !== undefined && one !== null));
    return made;
  }

  const SUITS = { C: "♣", D: "♦", S: "♠", H: "♥" };
  const CARD = /(?<![=\w])([2-9TJQKA])([CDSH])\b/g;
  const shown = (card) => `${card[0] === "T" ? "10" : card[0]}${SUITS[card[1]]}`;

  // A sentence, with its cards drawn in their colours.
  function told(text) {
    const parts = [];
    let at = 0;
    for (const found of text.matchAll(CARD)) {
      parts.push(text.slice(at, found.index));
      parts.push(el("span", { className: `in-text rf-${found[2].toLowerCase()}` }, shown(found[0])));
      at = found.index + found[0].length;
    }
    return [...parts, text.slice(at)];
  }

  // The rules of this table: those that the page that rules remembers, or else the profile
  // `usual`. A later book may refuse what was remembered under an older one.
  function rulesHere(usual) {
    let rules;
    try { rules = JSON.parse(localStorage.getItem(STORED))?.rules; } catch { /* none remembered */ }
    let refused = false;
    try {
      if (rules) refengine.describe(rules);
    } catch (error) {
      if (error.name !== "Malformed") throw error;
      refused = true;
    }
    return { rules: rules && !refused ? rules : { profile: usual }, refused };
  }
  function remember(rules) {
    try { localStorage.setItem(STORED, JSON.stringify({ rules })); } catch { /* kept for this visit */ }
  }

  // Copies a text, and says so on the button; where that is refused, the text is shown.
  function copy(button, text) {
    const words = button.dataset.words ??= button.textContent;
    const say = (word) => {
      button.textContent = word;
      setTimeout(() => { button.textContent = words; }, 1600);
    };
    const byHand = () => window.prompt("To be copied:", text);
    if (!navigator.clipboard) byHand();
    else navigator.clipboard.writeText(text).then(() => say("Copied"), byHand);
  }

  return { copy, el, read, remember, rulesHere, shown, told, typed, write };
})();
