// The search in plain objects, as search-index.js has them. What looks is carried over;
// here the index only changes its form. The names with a `$` stand above.

export const madeIndex = (data) => looking_up$made_index($.data(data));
export const search = (index, query, most) => looking_up$search(index, query, most);
export const termsOf = (index, query) => looking_up$terms_of(index, query);
export const wordsOf = (text) => looking_up$words_of(text);
export const stem = (word) => looking_up$stem(word);
