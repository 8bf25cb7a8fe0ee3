// The journal: names become links to the board, dice become dice, and what is new is read out.
import { $, $$, toast } from "./common.js";
import { keepAsSent } from "./keep.js";

let count = null;
/** Lines of the journal, oldest first, and the prompt. */
const lines = () => $$("#ui-journal p, #ui-journal h3");

const escaped = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
/** Every name on the board and beside it, with the id of what it names; names that were there once, too. */
const all = new Map();
function names() {
  for (const thing of $$("#ui-boards [data-name], #ui-trays [data-name]")) {
    if (/^\p{Lu}.{2}/u.test(thing.dataset.name) && !all.has(thing.dataset.name)) all.set(thing.dataset.name, thing.dataset.id);
  }
}

/** Names in a line become links, and rolls become dice. */
function dress(line, pattern) {
  for (const text of [...line.childNodes].filter((n) => n.nodeType === Node.TEXT_NODE)) {
    const found = document.createDocumentFragment();
    let rest = 0;
    for (const match of text.data.matchAll(pattern)) {
      found.append(text.data.slice(rest, match.index));
      rest = match.index + match[0].length;
      if (match.groups.dice) found.append(":", ...dice(match.groups.dice), ":");
      else {
        const link = document.createElement("button");
        link.className = "name";
        link.dataset.show = all.get(match[0]);
        link.textContent = match[0];
        found.append(link);
      }
    }
    if (rest) { found.append(text.data.slice(rest)); text.replaceWith(found); }
  }
}
function dice(text) {
  return text.trim().split(" ").flatMap((n) => {
    const die = document.createElement("span");
    die.className = "die";
    die.textContent = n;
    return [" ", die];
  });
}

/** Lines that have been gone over. */
const dressed = new WeakSet();
/** Goes over what is new in the journal. The first time everything is old. */
export function journal(prompt) {
  const bare = $$("#ui-journal p").filter((line) => !dressed.has(line));
  if (bare.length) {
    names();
    const some = [...all.keys()].sort((a, b) => b.length - a.length).map(escaped).join("|");
    const pattern = new RegExp(`:(?<dice>(?: [1-6])+):|\\b(?:${some || "(?!)"})(?![\\wÀ-ɏ])`, "g");
    for (const line of bare) {
      keepAsSent(line);
      dress(line, pattern);
      dressed.add(line);
    }
  }
  const now = lines(), fresh = count === null || now.length < count ? [] : now.slice(count);
  const first = count === null;
  count = now.length;
  const words = fresh.map((l) => l.textContent.trim());
  if (prompt) words.push(prompt);
  if (!first && words.length) $("#ui-said").textContent = words.join(". ");
  const rolls = fresh.filter((l) => $(".die", l));
  if (rolls.length) roll(rolls.at(-1));
}

/** The number of a group of lines. */
const number = (group) => +group.id.split("-").at(-1);
const groups = () => $$("#ui-journal > [id]");
/** Whether a group that the server no longer sends is one that only has become old: it stays in the page. */
export const isOld = (id) => id.startsWith("f-journal-") && number({ id }) < number(groups().at(-1) ?? { id });

$("#ui-earlier")?.addEventListener("click", async (event) => {
  const button = event.target, { table, seat } = $("#ui-main").dataset, first = groups()[0], old = $("#ui-journal").scrollHeight;
  button.disabled = true;
  const answer = await fetch(`/t/${table}/journal?below=${number(first)}${seat === undefined ? "" : `&as=${seat}`}`).catch(() => null);
  button.disabled = false;
  if (!answer?.ok) return toast("What was before could not be fetched; try again.");
  first.insertAdjacentHTML("beforebegin", await answer.text());
  // What is old is not read out.
  count = null;
  journal("");
  button.hidden = number(groups()[0]) === 0;
  button.parentElement.scrollTop += $("#ui-journal").scrollHeight - old;
});

/** Shows a roll over the board for a moment. */
let clearing;
function roll(line) {
  const place = $("#ui-dice"), shown = line.cloneNode(true);
  $$(".rule", shown).forEach((r) => r.remove());
  place.replaceChildren(shown);
  place.hidden = false;
  clearTimeout(clearing);
  clearing = setTimeout(() => { place.hidden = true; }, 4500);
}
