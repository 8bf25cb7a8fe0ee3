// The journal: names become links to the board, dice become dice, and what is new is read out.
import { $, $$, toast } from "./common.js";
import { die, sound, tumble } from "./dice.js";
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

function pattern() {
  const some = [...all.keys()].sort((a, b) => b.length - a.length).map(escaped).join("|");
  return new RegExp(`:(?<dice>(?: [1-6])+):|\\b(?:${some || "(?!)"})(?![\\wÀ-ɏ])`, "g");
}

/** Names in a line become links, and rolls become dice. */
function dress(line, pattern) {
  const rolled = (line.dataset.dice ?? "").split(" ").filter(Boolean);
  let told = false;
  for (const text of [...line.childNodes].filter((n) => n.nodeType === Node.TEXT_NODE)) {
    const found = document.createDocumentFragment();
    let rest = 0;
    for (const match of text.data.matchAll(pattern)) {
      found.append(text.data.slice(rest, match.index));
      rest = match.index + match[0].length;
      if (match.groups.dice) { found.append(":", ...dice(match.groups.dice.trim().split(" "), rolled), ":"); told = true; }
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
  // Where the words do not name each die, the dice lie behind them.
  if (!told && rolled.length) { const rule = $(".rule", line); for (const shown of rolled) line.insertBefore(die(shown, true), rule); }
}
/** Dice for these numbers, as they were rolled: with what was a hit. */
const dice = (numbers, rolled) => numbers.flatMap((n, i) => [" ", die(parseInt(rolled[i], 10) === parseInt(n, 10) ? rolled[i] : n)]);

/** Lines that have been gone over. */
const dressed = new WeakSet();
/** Goes over what is new in the journal. The first time everything is old. */
export function journal(prompt) {
  const bare = $$("#ui-journal p").filter((line) => !dressed.has(line));
  if (bare.length) {
    names();
    const known = pattern();
    for (const line of bare) {
      keepAsSent(line);
      dress(line, known);
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
  if (rolls.length) sound("dice");
  else if (fresh.some((l) => l.localName === "h3")) sound("turn");
  return fresh.length;
}
/** Goes over a line that is shown elsewhere. */
export function dressUp(line) {
  names();
  dress(line, pattern());
}

/** The number of a group of lines. */
const number = (group) => +group.id.split("-").at(-1);
const groups = (of = "journal") => $$(`#ui-${of} > [id]`);
/** Whether a group that the server no longer sends is one that only has become old: it stays in the page. */
export const isOld = (id) => /^f-(journal|chat)-/.test(id) && number({ id }) < number(groups(id.split("-")[1]).at(-1) ?? { id });

/** Fetches what was before, of the journal or the chat. */
async function earlier(button, of) {
  const { table, seat } = $("#ui-main").dataset, first = groups(of)[0], list = $(`#ui-${of}`), old = list.scrollHeight;
  button.disabled = true;
  const answer = await fetch(`/t/${table}/${of}?below=${number(first)}${seat === undefined ? "" : `&as=${seat}`}`).catch(() => null);
  button.disabled = false;
  if (!answer?.ok) return toast("What was before could not be fetched; try again.");
  first.insertAdjacentHTML("beforebegin", await answer.text());
  // What is old is not read out.
  if (of === "journal") { count = null; journal(""); }
  button.hidden = number(groups(of)[0]) === 0;
  button.parentElement.scrollTop += list.scrollHeight - old;
}
for (const [id, of] of [["#ui-earlier", "journal"], ["#ui-said-before", "chat"]]) $(id)?.addEventListener("click", (event) => earlier(event.target, of));

/** Shows a roll over the board for a moment. */
let clearing;
function roll(line) {
  const place = $("#ui-dice"), shown = line.cloneNode(true);
  $$(".rule", shown).forEach((r) => r.remove());
  place.replaceChildren(shown);
  place.hidden = false;
  tumble(place);
  clearTimeout(clearing);
  clearing = setTimeout(() => { place.hidden = true; }, 4500);
}
