// Finds clauses and questions from the table; the theme's own search finds pages.
"use strict";
(() => {
  const input = document.getElementById("rule-query");
  const SHOWN = 8;
  const IDLE = new Set(["a", "an", "and", "at", "be", "by", "can", "do", "does", "have", "i", "if",
    "in", "is", "it", "may", "my", "of", "on", "or", "so", "that", "the", "then", "to", "when",
    "who", "you"]);
  const wordsOf = (text) => text.toLowerCase().match(/[a-z0-9_.]+/g) || [];
  const entry = (number, title, address, lines, around) => ({ number, title, address, lines,
    titleWords: wordsOf(title), words: wordsOf(lines.join(" ")),
    aroundWords: wordsOf(`${around} ${around.replaceAll("_", " ")}`) });
  const clauses = window.REFENGINE_CLAUSES.map(([number, title, address, lines, around]) =>
    entry(number, title, address, lines, around));
  const questions = window.REFENGINE_QUESTIONS.map(([address, question, ruling]) =>
    entry("", question, address, ruling.split(/(?<=\.) /), ""));

  /** The beginning of a word, so that "lead", "leads" and "leader" meet. */
  const stem = (word) => word.replace(/(?:ing|ers?|ed|es|s)$/, (end, at) => at >= 3 ? "" : end);
  const meets = (words, wanted) => words.some((word) => word.startsWith(wanted));

  /** How many of the words an entry has, and how prominently. */
  function score(one, terms) {
    let points = 0;
    let hits = 0;
    for (const term of terms) {
      const wanted = stem(term);
      let found = 0;
      if (one.number && one.number === term) found = 100;
      else if (one.number && one.number.startsWith(term) && /^\d{1,2}\.\d/.test(term)) found = 40;
      else if (meets(one.titleWords, wanted)) found = 8;
      else if (meets(one.words, wanted)) found = 3;
      else if (meets(one.aroundWords, wanted)) found = 1;
      points += found;
      hits += found > 0;
    }
    return hits >= Math.ceil(terms.length * 0.6) ? points + 10 * hits : 0;
  }

  /** The sentence in which most of the words stand, the words marked. */
  function sentence(one, terms) {
    const wanted = terms.map(stem);
    const hits = (line) => wanted.filter((term) => meets(wordsOf(line), term)).length;
    const best = one.lines.reduce((left, right) => (hits(right) > hits(left) ? right : left));
    const paragraph = document.createElement("p");
    for (const piece of best.split(/([A-Za-z0-9_]+)/)) {
      if (!wanted.some((term) => piece.toLowerCase().startsWith(term))) {
        paragraph.append(piece);
        continue;
      }
      const mark = document.createElement("mark");
      mark.textContent = piece;
      paragraph.append(mark);
    }
    return paragraph;
  }

  function fill(id, entries, terms) {
    const section = document.getElementById(id);
    const found = terms.length ? entries.map((one) => ({ one, points: score(one, terms) }))
      .filter(({ points }) => points > 0).sort((left, right) => right.points - left.points) : [];
    section.hidden = !found.length;
    section.querySelector("[role=status]").textContent = `${found.length} found`;
    section.querySelector("ol").replaceChildren(...found.slice(0, SHOWN).map(({ one }) => {
      const item = document.createElement("li");
      const link = document.createElement("a");
      link.href = one.address;
      link.textContent = `${one.number} ${one.title}`.trim();
      item.append(link, sentence(one, terms));
      return item;
    }));
  }

  function search(query) {
    const all = wordsOf(query.replace(/HFR|@[\d.]+|~[0-9a-f]+/g, " "))
      .map((word) => word.replace(/\.$/, ""));
    const busy = all.filter((word) => !IDLE.has(word));
    const terms = busy.length ? busy : all;
    fill("rules-found", clauses, terms);
    fill("questions-found", questions, terms);
  }

  input.value = new URLSearchParams(location.search).get("q") || "";
  search(input.value);
  input.addEventListener("input", () => search(input.value));
})();
