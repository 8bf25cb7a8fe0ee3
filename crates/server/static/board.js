// The board: boards one above the other, pan and zoom, pieces that are seen to move.
import { $, $$, area, around, calm } from "./common.js";

const boards = $("#ui-boards");
export const svg = () => $(".pane.shown > svg");
export const things = (id) => $$("[data-id]").filter((e) => e.dataset.id === id);

// ---- drawing what changed ----

const LAYERS = ["stock", "links", "traces", "spaces", "pieces", "marks"];
const name = (child) => child.dataset.id ?? child.dataset.mark ?? child.id;
const part = (group, id) => [...group.children].find((c) => name(c) === id);
function drawing(text) {
  return new DOMParser().parseFromString(`<svg xmlns="http://www.w3.org/2000/svg">${text}</svg>`, "image/svg+xml").documentElement.firstElementChild;
}
/** The group of a layer; one that was empty until now is put in its place. */
function level(pane, layer) {
  const of = $("svg", pane), found = $(`:scope > g.${layer}`, of);
  if (found) return found;
  const group = document.createElementNS("http://www.w3.org/2000/svg", "g");
  group.setAttribute("class", layer);
  const above = LAYERS.slice(LAYERS.indexOf(layer) + 1).map((l) => $(`:scope > g.${l}`, of)).find(Boolean);
  of.insertBefore(group, above ?? null);
  return group;
}

/** Draws a board anew, or the parts of it that changed. */
export function redraw(board) {
  let pane = $$("[data-pane]").find((p) => p.dataset.pane === board.id), added;
  if (board.svg !== undefined) {
    if (!pane) {
      pane = document.createElement("div");
      pane.className = "pane";
      pane.dataset.pane = board.id;
      boards.append(pane);
      added = pane;
    }
    const view = $("svg", pane)?.getAttribute("viewBox"), full = pane.dataset.full;
    pane.innerHTML = board.svg;
    // A battle that begins lies on top; what can be folded waits to be asked for.
    if (added && (!$(".pane.shown") || $("svg", pane)?.dataset.room !== "small")) choose(board.id);
    settleIn(pane);
    if (view && pane.dataset.full === full) $("svg", pane).setAttribute("viewBox", view);
  } else {
    for (const [layer, id, text] of board.parts) {
      const group = level(pane, layer), old = part(group, id), now = document.importNode(drawing(text), true);
      if (old) old.replaceWith(now); else group.append(now);
    }
    // Only layers in which something came, went or changed places.
    for (const [layer, ids] of Object.entries(board.order)) {
      const group = level(pane, layer);
      for (const child of [...group.children]) if (!ids.includes(name(child))) child.remove();
      for (const id of ids) { const child = part(group, id); if (child) group.append(child); }
    }
  }
  pane.dataset.tag = board.tag;
}

/** Where every piece is, so that it can be seen to move. */
export function places() {
  return new Map($$(".pane.shown .piece[data-id]").map((piece) => [piece.dataset.id, piece.getAttribute("transform")]));
}
/** Lets pieces glide from where they were: groups together, a click ends it. How many moved, and how many are gone. */
export function move(before) {
  const now = $$(".pane.shown .piece[data-id]"), there = new Set(now.map((p) => p.dataset.id));
  const moved = now.filter((p) => before.has(p.dataset.id) && before.get(p.dataset.id) !== p.getAttribute("transform"));
  const told = { moved: moved.length, gone: [...before.keys()].filter((id) => !there.has(id)).length };
  if (calm.matches || !before.size) return told;
  const glides = [], same = now.some((p) => before.has(p.dataset.id));
  for (const piece of now) {
    const from = before.get(piece.dataset.id), to = piece.getAttribute("transform");
    // Another board that comes on top is simply there.
    if (from === to || (!from && !same)) continue;
    const css = (t) => t.replace(/translate\(([-\d.]+) ([-\d.]+)\)/, "translate($1px, $2px)");
    const frames = from ? [{ transform: css(from) }, { transform: css(to) }] : [{ opacity: 0.2 }, { opacity: 1 }];
    if (from) piece.parentElement.append(piece);
    glides.push(piece.animate(frames, { duration: from ? 400 : 300, easing: "ease-in-out" }));
  }
  if (glides.length) boards.addEventListener("pointerdown", () => glides.forEach((glide) => glide.finish()), { once: true });
  return told;
}

// ---- several boards ----

export function tabs(present) {
  for (const pane of $$("[data-pane]:not(.still)")) if (!present.some(([id]) => id === pane.dataset.pane)) pane.remove();
  const wanted = present.length > 1 ? present : [], there = $$("#ui-tabs button");
  const same = wanted.length === there.length && wanted.every(([id, text], i) => there[i].dataset.board === id && there[i].textContent === text);
  if (!same) $("#ui-tabs").replaceChildren(...wanted.map(([id, text]) => {
    const button = document.createElement("button");
    button.dataset.board = id;
    button.setAttribute("role", "tab");
    button.textContent = text;
    return button;
  }));
  if (!$(".pane.shown") && present.length) choose(foremost(present.map(([id]) => id)));
  mark();
}
/** The last of those boards that want most room. */
function foremost(ids) {
  const rank = (id) => ["small", "usual", "large"].indexOf($$("[data-pane]").find((p) => p.dataset.pane === id)?.firstElementChild?.dataset.room ?? "usual");
  return ids.reduce((best, id) => (rank(id) >= rank(best) ? id : best));
}
export function choose(id) {
  document.dispatchEvent(new Event("board"));
  for (const pane of $$("[data-pane]")) pane.classList.toggle("shown", pane.dataset.pane === id);
  mark();
}
const mark = () => $$("#ui-tabs button").forEach((b) => b.setAttribute("aria-selected", b.dataset.board === $(".pane.shown")?.dataset.pane));
$("#ui-tabs").addEventListener("click", (event) => { if (event.target.dataset.board) choose(event.target.dataset.board); });

// ---- pan and zoom: the view box of the board ----

const box = (of) => of.getAttribute("viewBox").split(" ").map(Number);
/** Remembers the whole of a board, and shows as much of it as there is something on. */
function settleIn(pane) {
  const of = $("svg", pane);
  if (!of) return;
  pane.dataset.full = of.getAttribute("viewBox");
  first(of);
}
/** The box of play: as much of a board as there is something on, and what is printed at its rim left out. */
function play(of) {
  const [fx, fy, fw, fh] = of.parentElement.dataset.full.split(" ").map(Number);
  // The board may say itself what its box of play is; what lies beyond is sea and desert.
  const said = of.dataset.play?.split(" ").map(Number);
  const [x, y, w, h] = said ?? around($$(".space, .piece", of), 0.015) ?? [fx, fy, fw, fh];
  const [left, top] = [Math.max(x, fx), Math.max(y, fy)];
  const all = [left, top, Math.min(x + w, fx + fw) - left, Math.min(y + h, fy + fh) - top];
  // A board that wants room is worth nothing where its pieces cannot be told apart: then it shows its pieces.
  const { width, height } = of.getBoundingClientRect(), block = +of.dataset.block * Math.min(width / all[2], height / all[3]);
  const rows = of.dataset.room === "large" && width && block < BROAD && around($$(".piece", of), 0.04);
  if (!rows) return all;
  const wide = Math.max(rows[2], Math.min(all[2], (+of.dataset.block * width) / BROAD));
  return [rows[0] - (wide - rows[2]) / 2, all[1], wide, all[3]];
}
/** So broad a piece must be for a finger. */
const BROAD = 44;
export function whole(of = svg()) {
  if (of) of.setAttribute("viewBox", play(of).join(" "));
}
/** On a small window a board that is fought on comes so near that its pieces can be told apart and touched: where most of
 * what can be chosen is, or else most pieces. Hexagons are touched themselves, and are broader than what stands there. */
const small = matchMedia("(max-width: 820px)"), BROAD_HEX = 30;
const broad = (of) => $("[data-hex]", of) ? BROAD_HEX : BROAD;
function crowd(of) {
  const { width, height } = of.getBoundingClientRect(), scale = broad(of) / of.dataset.block, [w, h] = [width / scale, height / scale];
  const open = $$(".open[data-id]", of), all = (open.length ? open : $$(".piece", of)).map(area).map(([x, y, right, bottom]) => [(x + right) / 2, (y + bottom) / 2]);
  const near = ([x, y]) => all.filter(([cx, cy]) => Math.abs(cx - x) < w * 0.42 && Math.abs(cy - y) < h * 0.42);
  const group = all.map(near).reduce((best, some) => (some.length > best.length ? some : best), []);
  if (!group.length) return play(of);
  const [x, y] = [0, 1].map((i) => group.reduce((sum, at) => sum + at[i], 0) / group.length);
  return within(of, [x - w / 2, y - h / 2, w, h]);
}
/** A board as it is first seen. */
function first(of) {
  whole(of);
  const { width, height } = of.getBoundingClientRect(), [, , w, h] = box(of);
  if (small.matches && width && of.dataset.room === "large" && of.dataset.block * Math.min(width / w, height / h) < broad(of) - 1) of.setAttribute("viewBox", crowd(of).join(" "));
}
/** Where a board is seen in part, what can be chosen is never all out of sight. */
export function follow() {
  const of = svg();
  if (!of || !small.matches || of.dataset.room !== "large") return;
  const view = boards.getBoundingClientRect(), open = $$(".open[data-id]", of).map((e) => e.getBoundingClientRect());
  const seen = (r) => r.right > view.left && r.left < view.right && r.bottom > view.top && r.top < view.bottom;
  if (open.length && !open.some(seen)) first(of);
}
/** As wide as the window, from the top of the box of play. */
function wide(of = svg()) {
  const [x, y, w] = play(of), { width, height } = of.getBoundingClientRect();
  of.setAttribute("viewBox", [x, y, w, (w * height) / width].join(" "));
}
/** What `0` shows in turn: all, the width, what matters now. */
const FITS = [["all", () => whole()], ["width", () => wide()], ["what matters now", () => goTo()]];
let fitted = 0;
export function fit() {
  if (!svg()) return;
  const [name, how] = FITS[fitted];
  fitted = (fitted + 1) % FITS.length;
  how();
  $("#ui-said").textContent = `The board shows ${name}`;
}
/** Whether all of a board can be read at once, as a battle can: then nothing of it is left out of sight. */
function close(of) {
  const [, , w, h] = play(of), { width, height } = of.getBoundingClientRect();
  return of.dataset.room === "large" && of.dataset.block * Math.min(width / w, height / h) >= BROAD - 1;
}
/** Goes to what can be chosen: on a phone always, else if that is a small part of the board. */
export function goNear(always = false) {
  const of = svg();
  if (of && close(of)) return whole();
  if (of?.dataset.room === "large" && small.matches) return first(of);
  if (always) return goTo();
  const asked = of && around($$(".open[data-id]", of), 0.25);
  if (!asked) return;
  const [, , fw, fh] = of.parentElement.dataset.full.split(" ").map(Number);
  if (asked[2] * asked[3] < fw * fh * 0.2) goTo();
}
/** Goes to these things, or to what can be chosen, not nearer than a third of the board. */
export function goTo(all = $$(".pane.shown .open[data-id]")) {
  const of = svg(), area = of && around(all, 0.25);
  if (!area) return whole();
  const [, , fw, fh] = of.parentElement.dataset.full.split(" ").map(Number), least = Math.min(fw, fh) * 0.42;
  if (area[2] * area[3] > fw * fh * 0.6) return whole();
  let [x, y, w, h] = area;
  if (w < least) { x -= (least - w) / 2; w = least; }
  if (h < least) { y -= (least - h) / 2; h = least; }
  of.setAttribute("viewBox", within(of, [x, y, w, h]).join(" "));
}
/** A view as wide or as high as its window makes it, moved so that it shows nothing beyond the edge of the board. */
function within(of, [x, y, w, h]) {
  const full = of.parentElement.dataset.full.split(" ").map(Number), area = of.getBoundingClientRect();
  if (!area.width || !area.height) return [x, y, w, h];
  const wide = Math.max(w, (h * area.width) / area.height), high = Math.max(h, (w * area.height) / area.width);
  const fit = (at, size, from, whole) => size > whole ? from + (whole - size) / 2 : Math.min(Math.max(at, from), from + whole - size);
  return [fit(x - (wide - w) / 2, wide, full[0], full[2]), fit(y - (high - h) / 2, high, full[1], full[3]), wide, high];
}
export function zoom(factor, x, y) {
  const of = svg();
  if (!of) return;
  const [bx, by, bw, bh] = box(of), [, , fw] = of.parentElement.dataset.full.split(" ").map(Number);
  const scale = Math.max(0.12, Math.min(1.15, (bw / fw) * factor)) / (bw / fw);
  const at = point(of, x, y);
  of.setAttribute("viewBox", [at.x - (at.x - bx) * scale, at.y - (at.y - by) * scale, bw * scale, bh * scale].join(" "));
}
function point(of, x, y) {
  const area = of.getBoundingClientRect();
  return new DOMPoint(x ?? area.x + area.width / 2, y ?? area.y + area.height / 2).matrixTransform(of.getScreenCTM().inverse());
}
export function pan(dx, dy) {
  const of = svg();
  if (!of) return;
  const [x, y, w, h] = box(of), scale = of.getScreenCTM().a;
  of.setAttribute("viewBox", [x - dx / scale, y - dy / scale, w, h].join(" "));
}

boards.addEventListener("wheel", (event) => { event.preventDefault(); zoom(event.ctrlKey ? Math.exp(event.deltaY * 0.01) : Math.exp(Math.sign(event.deltaY) * Math.min(0.1, Math.abs(event.deltaY) * 0.0015)), event.clientX, event.clientY); }, { passive: false });
const fingers = new Map();
let moved = 0;
/** Whether a piece is being carried, so that the board stays where it is; and when one was last put down. */
export const grip = { piece: false, dropped: 0 };
/** Whether the pointer has just moved the board or a piece, so that its release is no click. */
export const dragged = () => moved > 6 || Date.now() - grip.dropped < 300;
export const touched = () => fingers.size > 0;
boards.addEventListener("pointerdown", (event) => { fingers.set(event.pointerId, event); moved = 0; });
boards.addEventListener("pointermove", (event) => {
  const old = fingers.get(event.pointerId);
  if (!old || grip.piece) return;
  const [dx, dy] = [event.clientX - old.clientX, event.clientY - old.clientY];
  if (fingers.size === 2) {
    const other = [...fingers.values()].find((f) => f.pointerId !== event.pointerId);
    const span = (a) => Math.hypot(a.clientX - other.clientX, a.clientY - other.clientY);
    zoom(span(old) / Math.max(1, span(event)), (event.clientX + other.clientX) / 2, (event.clientY + other.clientY) / 2);
    moved += 10;
  } else {
    moved += Math.abs(dx) + Math.abs(dy);
    if (moved > 6) { boards.classList.add("dragging"); pan(dx, dy); }
  }
  fingers.set(event.pointerId, event);
});
const lift = (event) => { fingers.delete(event.pointerId); boards.classList.remove("dragging"); };
for (const kind of ["pointerup", "pointercancel", "pointerleave"]) boards.addEventListener(kind, lift);
$(".zoom").addEventListener("click", (event) => ({ in: () => zoom(0.75), out: () => zoom(1.33), fit, open: () => goTo() })[event.target.dataset.zoom]?.());
for (const kind of ["wheel", "pointerup"]) boards.addEventListener(kind, keepView);

// ---- arrows of what moved ----

export function traces(shown = boards.classList.contains("no-traces")) {
  boards.classList.toggle("no-traces", !shown);
  $("[data-traces]")?.setAttribute("aria-pressed", shown);
}
$("[data-traces]")?.addEventListener("click", () => traces());

// ---- the view is kept, by game ----

const keeps = `view ${$("#ui-main").dataset.game}`;
let keeping;
function keepView() {
  clearTimeout(keeping);
  keeping = setTimeout(() => {
    const views = Object.fromEntries($$(".pane:not(.still)").map((p) => [p.dataset.pane, [p.dataset.full, $("svg", p)?.getAttribute("viewBox")]]));
    try { localStorage.setItem(keeps, JSON.stringify(views)); } catch { /* A browser that keeps nothing fits it anew. */ }
  }, 400);
}
/** Puts the board as it was left at the last table of this game; whether it was. */
export function asLeft() {
  let views = {};
  try { views = JSON.parse(localStorage.getItem(keeps)) ?? {}; } catch { return false; }
  const pane = $(".pane.shown"), kept = pane && views[pane.dataset.pane];
  if (!kept?.[1] || kept[0] !== pane.dataset.full) return false;
  $("svg", pane).setAttribute("viewBox", kept[1]);
  return true;
}

// ---- what is far away shows arms and strength only ----

/** So many pixels a block must have before its figures can be read, where the board does not say. */
const LEGIBLE = 36;
/** Names are never smaller than this, nor the figures beside them, which are this much of a name; they grow in steps, and at each step lesser ones vanish. */
const LETTERS = 11, FIGURES = 0.96, STEPS = [1, 1.25, 1.6, 2, 2.5, 3.2, 4];
/** How large the letters of a text are in the units of its board, where nothing lets them grow; else nothing. */
const units = new WeakMap();
/** What is written on pieces and in boxes vanishes where it would be too small to be read. */
function readable(board, scale) {
  for (const text of board.querySelectorAll("text")) {
    if (!units.has(text)) {
      // Of what is printed on the ground, names of regions are to be read; figures at the rim are ornament.
      const fixed = !text.closest(".lettering, .hand-marks") && (text.matches(".region") || !text.closest(".ground")), matrix = fixed && text.getScreenCTM();
      if (fixed && !matrix) continue;
      units.set(text, fixed ? (parseFloat(text.getAttribute("font-size")) * Math.hypot(matrix.b, matrix.d)) / scale : 0);
    }
    const size = units.get(text);
    if (size) text.classList.toggle("tiny", size * scale < LETTERS - 0.6);
  }
}
/** Names of regions give way to names of places: to the nearest free spot around where they are printed, or they vanish. */
const regions = (board) => $$(".ground .region", board);
function giveWay(board, scale) {
  const all = regions(board);
  if (!all.length) return;
  const rect = (e) => e.getBoundingClientRect(), full = rect(board);
  // What is too small to be read now is not when somebody comes nearer.
  const tiny = all.filter((name) => name.classList.contains("tiny"));
  for (const name of all) { name.style.translate = ""; name.classList.remove("crossed", "tiny"); }
  const taken = $$(".lettering", board).filter((e) => e.checkVisibility()).map(rect).filter((r) => r.width);
  for (const name of all) {
    const at = rect(name), [dx, dy] = [at.width / 12, at.height / 3];
    const free = ([x, y]) => at.left + x > full.left && at.right + x < full.right && taken.every((r) => r.right + 2 <= at.left + x || r.left - 2 >= at.right + x || r.bottom <= at.top + y + at.height * 0.08 || r.top >= at.bottom + y - at.height * 0.08);
    const spots = [];
    for (let i = -6; i <= 6; i++) for (let j = -9; j <= 9; j++) spots.push([i * dx, j * dy]);
    const spot = spots.sort((a, b) => Math.hypot(...a) - Math.hypot(...b)).find(free);
    name.classList.toggle("crossed", !spot);
    if (!spot) continue;
    name.style.translate = `${spot[0] / scale}px ${spot[1] / scale}px`;
    taken.push(rect(name));
  }
  for (const name of tiny) name.classList.add("tiny");
}
function distant() {
  for (const board of $$(".pane > svg[data-block]")) {
    const scale = board.getScreenCTM()?.a ?? 1, { block, letters, legible } = board.dataset;
    board.classList.toggle("far", block * scale < (+legible || LEGIBLE));
    readable(board, scale);
    if (!letters) continue;
    const want = LETTERS / (FIGURES * letters * scale), step = want <= 1 ? 0 : Math.max(1, STEPS.findIndex((k) => k >= want)) || STEPS.length - 1;
    if (board.dataset.label === String(step)) continue;
    board.dataset.label = step;
    board.style.setProperty("--label", STEPS[step]);
    giveWay(board, scale);
  }
}
new MutationObserver(distant).observe(boards, { attributes: true, attributeFilter: ["viewBox"], subtree: true, childList: true });
addEventListener("resize", distant);

$$("[data-pane]").forEach(settleIn);
mark();
distant();
