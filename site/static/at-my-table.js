// A chapter at the reader's own table: what it plays by each option, the cases of every
// clause as it rules them, and which clauses it never uses. It knows no rule: the cases
// and the options that a clause needs stand in the page, the rulings are refengine's.
"use strict";
window.atMyTable = (() => {
  const { el, rulesHere, told, write } = window.question;
  const ANY_NUMBER = { number: /^-?\d+$/, "+": /^-?\d*[1-9]\d*$/ };
  const FIT = 12;
  let latest; // what was begun last: whatever was begun before it stops

  // What is played here: as it is remembered, or Hearts as most people play it.
  function table(place) {
    const { rules, refused } = rulesHere(place.dataset.game);
    const told = refengine.describe(rules);
    return { ...told, refused, rules: { ...rules, players: told.players },
      said: new Map(told.options.map((one) => [one.option, one])) };
  }

  function has(value, wanted) {
    return wanted.some((one) => (one in ANY_NUMBER ? ANY_NUMBER[one].test(value)
      : value.split(",").includes(one)));
  }

  // The options that keep a clause from any effect, in the words of what would do.
  function unmet(clause, mine) {
    const needs = JSON.parse(clause.dataset.needs || "[]");
    return needs.filter(([option, values]) => !has(mine.said.get(option).value, values))
      .map(([, , words]) => words);
  }

  function unused(words) {
    const named = words.flatMap((one, at) => [at ? ", and " : "", el("b", {}, one)]);
    return el("p", { className: "at-my-table" }, "My table never uses this clause. What turns it on: ", ...named, ".");
  }

  function ruled(one, mine) {
    const questions = JSON.parse(one.dataset.case);
    const asked = questions[mine.players] || questions[""];
    let line;
    try {
      line = refengine.answer({ ...asked, rules: mine.rules }).headline;
    } catch (error) {
      if (error.name !== "Malformed") throw error;
      return el("p", { className: "at-my-table" }, "At my table this cannot come up.");
    }
    const address = `ask.html#${write({ ...asked, rules: mine.rules })}`;
    return el("p", { className: "at-my-table" }, "At my table: ", el("b", {}, ...told(line)), " ",
      el("a", { className: "ask-it", href: address }, "Ask for a ruling"));
  }

  function tell(clause, mine) {
    for (const one of clause.querySelectorAll(".one-option")) {
      const option = one.querySelector("a.option").hash.slice(1);
      one.append(el("span", { className: "at-my-table" }, "At my table: ",
        el("b", {}, mine.said.get(option).said)));
    }
    const lacking = unmet(clause, mine);
    if (lacking.length) clause.querySelector(".in-short").after(unused(lacking));
    else for (const one of clause.querySelectorAll("[data-case]")) one.append(ruled(one, mine));
  }

  function clear() {
    for (const one of document.querySelectorAll(".at-my-table")) one.remove();
  }

  // All clauses, what the reader looks at first; a few at a time, so that the page moves.
  async function show(place) {
    const begun = latest = {};
    const goesOn = () => begun === latest && place.dataset.shown === "yes";
    clear();
    const mine = table(place);
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    const near = target ? [...target.querySelectorAll(".clause")] : [];
    const every = [...new Set([...near, ...document.querySelectorAll(".clause")])];
    for (let at = 0; at < every.length; at += 1) {
      if (!goesOn()) return undefined;
      tell(every[at], mine);
      if (at % FIT === FIT - 1) await new Promise((done) => { setTimeout(done); });
    }
    if (!goesOn()) return undefined;
    const refused = mine.refused ? "The book of today refuses the house rules that were remembered here. " : "";
    return `${refused}${mine.title}, ${mine.players} players`;
  }

  return { clear, show };
})();
