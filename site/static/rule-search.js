// The search page: clauses and questions from the table; the theme's own search finds pages.
"use strict";
(() => {
  const input = document.getElementById("rule-query");
  const SHOWN = 10;
  const { madeIndex, search, stem, termsOf, wordsOf } = refengineSearch;
  const index = madeIndex(window.REFENGINE_SEARCH);

  /** The sentence of an entry, the words that were looked for marked. */
  function sentence(one, terms) {
    const paragraph = document.createElement("p");
    for (const piece of one.says.split(/([A-Za-z0-9']+)/)) {
      const [word] = wordsOf(piece);
      if (!word || !terms.some((term) => stem(word).startsWith(term))) {
        paragraph.append(piece);
        continue;
      }
      const mark = document.createElement("mark");
      mark.textContent = piece;
      paragraph.append(mark);
    }
    return paragraph;
  }

  function item(one, terms) {
    const entry = document.createElement("li");
    const link = document.createElement("a");
    link.href = one.address;
    link.textContent = `${one.number} ${one.title}`.trim();
    entry.append(link, sentence(one, terms));
    return entry;
  }

  function show(query) {
    const every = query.trim() ? search(index, query, SHOWN + 1) : [];
    const found = every.slice(0, SHOWN);
    const terms = termsOf(index, query);
    const section = document.getElementById("rules-found");
    section.hidden = !found.length;
    const more = every.length > SHOWN ? `the first ${SHOWN}` : `${found.length} found`;
    section.querySelector("[role=status]").textContent = more;
    section.querySelector("ol").replaceChildren(...found.map((one) => item(one, terms)));
  }

  input.value = new URLSearchParams(location.search).get("q") || "";
  show(input.value);
  input.addEventListener("input", () => {
    show(input.value);
    // The address has what is looked for: for the way back, and to be passed on.
    const asked = input.value.trim() ? `?${new URLSearchParams({ q: input.value })}` : location.pathname;
    try { history.replaceState(null, "", asked); } catch { /* a page from a folder keeps its address */ }
  });
})();
