// The tray: a stack at full size beside the board, with names, strengths and their sum. Picking works there as it
// does on the board.
import { $, $$ } from "./common.js";
import { things } from "./board.js";
import { inHand, onHand, perform, sole, stackAt, stackOf } from "./hand.js";
import { measure } from "./bar.js";

const tray = $("#ui-tray"), people = () => $$("#f-people li b").map((b) => b.textContent);
/** So long the pointer must rest before a stack opens, and so long it may be away before it closes. */
const RESTS = 250, LEAVES = 400;
let shown = null, pinned = false, coming, going;

const text = (tag, words, className = "") => Object.assign(document.createElement(tag), { textContent: words, className });

/** A piece as it is on the board, in a picture of its own. */
function portrait(id) {
  const piece = things(id).find((e) => e.closest(".pane"));
  const view = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  if (!piece) return view;
  const { x, y, width, height } = piece.getBBox(), copy = piece.cloneNode(true), ring = $(".halo", copy), rim = ring ? width * 0.05 : 0;
  ring?.remove();
  view.setAttribute("viewBox", `${x + rim} ${y + rim} ${width - 2 * rim} ${height - 2 * rim}`);
  view.setAttribute("aria-hidden", "true");
  for (const e of [copy, ...copy.querySelectorAll("[id]")]) e.removeAttribute("id");
  for (const name of ["data-id", "data-name", "transform", "tabindex", "role", "aria-label"]) copy.removeAttribute(name);
  view.append(copy);
  return view;
}
function slot(entry) {
  const id = entry.dataset.piece, thing = things(id).find((e) => e.closest(".pane")), button = text("button", "", "slot");
  const label = thing?.getAttribute("aria-label") ?? "", { strength } = entry.dataset;
  button.dataset.id = id;
  button.setAttribute("aria-pressed", inHand().includes(id));
  if (!thing?.dataset.name) button.setAttribute("aria-label", label);
  button.title = label;
  button.classList.toggle("picked", inHand().includes(id));
  button.classList.toggle("open", thing?.classList.contains("open") ?? false);
  button.append(portrait(id), text("span", thing?.dataset.name ?? (entry.dataset.mine === undefined ? "hidden" : "")));
  if (strength) button.append(text("small", `strength ${strength}`));
  return button;
}
const counted = (n) => `${n} ${n === 1 ? "piece" : "pieces"}`;
function sum(entries) {
  const n = entries.reduce((all, e) => all + 1 + +(e.dataset.more ?? 0), 0), known = entries.filter((e) => e.dataset.strength);
  const strength = known.reduce((all, e) => all + +e.dataset.strength * (1 + +(e.dataset.more ?? 0)), 0);
  return counted(n) + (known.length ? `, strength ${strength}${known.length < entries.length ? " seen" : ""}` : "");
}
function fill(stack) {
  const focus = tray.contains(document.activeElement) ? document.activeElement.dataset.id : null;
  const head = document.createElement("header"), entries = $$("[data-piece]", stack), sides = [...new Set(entries.map((e) => e.dataset.side ?? ""))];
  const shut = text("button", "✕", "quiet");
  shut.setAttribute("aria-label", "Close the stack");
  shut.onclick = () => closeTray(true);
  head.append(text("h2", stack.dataset.called), text("small", stack.dataset.notes ?? ""), shut);
  const parts = sides.map((side) => {
    const group = document.createElement("section"), of = entries.filter((e) => (e.dataset.side ?? "") === side);
    const name = side === "" ? "Nobody's" : people()[+side] ?? "";
    const row = text("div", "", "slots");
    row.append(...of.map(slot));
    group.append(text("h3", `${name}: ${sum(of)}`), row);
    return group;
  });
  const held = entries.filter((e) => inHand().includes(e.dataset.piece));
  const foot = document.createElement("footer");
  foot.append(text("p", held.length ? `In hand: ${sum(held)}` : "Click takes one, twice all alike."));
  // What a picked piece can do besides going somewhere.
  const alone = held.length === 1 ? sole(held[0].dataset.piece) : [];
  foot.append(...alone.map((choice) => Object.assign(text("button", ($("span", choice) ?? choice).textContent, "quiet"), { onclick: () => perform(choice) })));
  if (entries.some((e) => e.dataset.mine !== undefined)) { const all = text("button", "Whole stack", "quiet"); all.dataset.whole = stack.dataset.stack; foot.append(all); }
  tray.replaceChildren(head, ...parts, foot);
  if (focus) $$(".slot", tray).find((b) => b.dataset.id === focus)?.focus({ preventScroll: true });
  measure();
}
export function openTray(space, pin = false) {
  const stack = space && stackAt(space);
  clearTimeout(going);
  if (!stack) return;
  pinned = pin || (pinned && shown === space);
  shown = space;
  fill(stack);
  tray.hidden = false;
  document.body.classList.add("tray-open");
}
export function closeTray(now = false) {
  clearTimeout(coming);
  if (pinned && !now) return;
  pinned = false;
  shown = null;
  tray.hidden = true;
  document.body.classList.remove("tray-open");
}
const later = () => { clearTimeout(going); going = setTimeout(() => { if (!inHand().length) closeTray(); }, LEAVES); };
/** The pointer rests on something. */
export function rest(thing) {
  clearTimeout(coming);
  const space = thing && (thing.classList.contains("piece") ? stackOf(thing.dataset.id)?.dataset.stack : thing.dataset.id);
  if (!space || !stackAt(space)) return later();
  clearTimeout(going);
  if (space !== shown && !inHand().length && !pinned) coming = setTimeout(() => openTray(space), RESTS);
}
tray.addEventListener("pointerenter", () => clearTimeout(going));
tray.addEventListener("pointerleave", (event) => { if (event.pointerType !== "touch") later(); });
onHand((went) => {
  if (went) return closeTray(true);
  const id = inHand().at(-1), space = id && stackOf(id)?.dataset.stack;
  if (space && space !== shown) openTray(space);
  else if (shown && stackAt(shown)) fill(stackAt(shown));
  if (!id && !tray.matches(":hover")) later();
});
document.addEventListener("board", () => closeTray(true));
/** After an update: the same stack as it is now. */
export function renew() { if (shown) { const stack = stackAt(shown); stack ? fill(stack) : closeTray(true); } }
