// Gives the viewer every field of some games with values that do not belong there.
const [games, done] = arguments;
const wrong = [null, 7, -1, 1e300, "x", "", "QS QS", true, [], {}, [[1]], {a: [2]}];
const broken = [];
history.replaceState = () => {}; // so many addresses in a second are held up by the browser
addEventListener("error", (event) => broken.push(event.message));
addEventListener("unhandledrejection", (event) => broken.push(String(event.reason)));
const places = (value, path) => value !== null && typeof value === "object"
  ? Object.keys(value).flatMap((key) => [[...path, key], ...places(value[key], [...path, key])])
  : [];
const error = document.querySelector(".v-error");
const range = document.querySelector("#v-range");
(async () => {
  let shown = 0, refused = 0, at = 0;
  for (const game of games) for (const path of places(game, [])) for (const value of wrong) {
    at += 1;
    if (at % 11) continue;
    const copy = structuredClone(game);
    let parent = copy;
    for (const key of path.slice(0, -1)) parent = parent[key];
    parent[path.at(-1)] = value;
    error.hidden = true;
    error.textContent = document.querySelector("#v-title").textContent = "";
    const data = new DataTransfer();
    data.items.add(new File([JSON.stringify(copy)], "wrong.jsonl"));
    document.body.dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
    for (let waits = 0; waits < 400 && error.hidden
      && !document.querySelector("#v-title").textContent; waits += 1) {
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    if (error.hidden) {
      shown += 1;
      for (let step = 1; step <= Number(range.max); step += 1) {
        range.value = step;
        range.dispatchEvent(new Event("input"));
      }
    } else refused += 1;
    if (broken.length) break;
  }
  done([shown, refused, broken]);
})();
