// Looking back on the real board: every moment that this viewer saw, with its journal, by slider, button and key;
// and what happened since he last looked, in the same way.
import { $, $$, calm, theme, toast } from "./common.js";
import { svg, whole } from "./board.js";
import { dressUp } from "./journal.js";
import { tumble } from "./dice.js";

const main = $("#ui-main"), bar = $("#ui-look"), slider = $("#ui-look-at"), run = $('[data-look="run"]');
const { table } = main.dataset, seat = main.dataset.seat;
const SPEEDS = [0.5, 1, 2, 4];
/** How long a moment is shown at the usual speed, and how many moments at most are played to who comes back. */
const SHOWN = 900, MOST = 40;

let running = null, speed = 1, latest = 0, board = null, ended = null, still = null, turns = [];
export const looking = () => still !== null;

async function show(at) {
  const turn = ++latest, query = new URLSearchParams({ theme: theme(), at, ...(seat !== undefined && { as: seat }) });
  slider.value = at;
  const answer = await fetch(`/t/${table}/moment?${query}`).catch(() => null), moment = await answer?.json().catch(() => null);
  if (turn !== latest || !still) return;
  if (!answer?.ok) { stop(); return toast(moment?.message ?? "The server cannot be reached: this moment could not be shown."); }
  slider.max = moment.moments;
  slider.value = moment.at;
  turns = moment.turns;
  $("#ui-look-moment").textContent = `${moment.at} of ${moment.moments}`;
  picture(moment);
  told(moment);
  if (main.dataset.replay !== undefined) {
    const link = new URLSearchParams({ at: moment.at, ...(seat !== undefined && { as: seat }) });
    history.replaceState(null, "", `?${link}`);
    $$("[data-branch]").forEach((input) => { input.value = input.dataset.branch === "at" ? moment.at : seat ?? 0; });
  }
}
/** The board that was chosen, if this moment has it; else the one where things happen. Its view stays as it was. */
function picture({ boards, front }) {
  const [id, , drawn] = boards.find(([id]) => id === board) ?? boards.find(([id]) => id === front) ?? [], old = still.dataset.pane === id ? svg()?.getAttribute("viewBox") : null;
  if (!drawn) return;
  still.innerHTML = drawn;
  still.dataset.pane = id;
  // Ids belong to the board itself; this is only a picture of it. What it is drawn with keeps its name.
  for (const e of still.querySelectorAll("[id]")) if (!e.closest("symbol, defs, .stock")) e.removeAttribute("id");
  for (const e of still.querySelectorAll("[data-id]")) e.removeAttribute("tabindex");
  const of = $("svg", still);
  still.dataset.full = of.getAttribute("viewBox");
  if (old) of.setAttribute("viewBox", old); else whole(of);
  if (boards.length > 1) $$("#ui-tabs button").forEach((b) => b.setAttribute("aria-selected", b.dataset.board === id));
}
/** What happened in this moment, in the place of the prompt; and the journal up to it. */
function told({ title, deed, later }) {
  const p = document.createElement("p"), when = document.createElement("b");
  when.textContent = `${title} · `;
  p.append(when, deed);
  dressUp(p);
  const place = $("#ui-why");
  place.replaceChildren(p);
  place.hidden = false;
  $("#ui-prompt").classList.add("answers");
  tumble(place);
  $("#ui-said").textContent = deed;
  // Counted from the end: what is old may not be in the page.
  const lines = $$("#ui-journal p, #ui-journal h3"), now = lines.length - later;
  lines.forEach((line, i) => { line.classList.toggle("later", i >= now); line.classList.toggle("now", i === now - 1); });
}
function step(by) { stop(); show(Math.max(0, Math.min(+slider.max, +slider.value + by))); }
/** To where the journal begins something new, a turn or a battle; before the first and after the last, to the end. */
function turn(by) {
  const at = +slider.value, to = by > 0 ? turns.find((t) => t > at) ?? +slider.max : turns.findLast((t) => t < at) ?? 0;
  step(to - at);
}
function stop() { clearTimeout(running); running = null; run.textContent = "Play"; run.setAttribute("aria-pressed", "false"); }
function play() {
  if (running) return stop();
  run.textContent = "Pause";
  run.setAttribute("aria-pressed", "true");
  if (+slider.value >= +slider.max && !ended) slider.value = 0;
  const next = async () => {
    if (+slider.value >= +slider.max) { stop(); return ended?.(); }
    await show(+slider.value + 1);
    if (running) running = setTimeout(next, (calm.matches ? 1.5 : 1) * SHOWN / speed);
  };
  running = setTimeout(next, 300);
}
function faster(by) {
  speed = SPEEDS[Math.max(0, Math.min(SPEEDS.length - 1, SPEEDS.indexOf(speed) + by))];
  $("#ui-look-speed").textContent = `${speed}×`;
}

/** Goes back to a moment. `end` is what to do when the last is over, or when somebody wants to be back. */
function begin(at, moments, end) {
  still = document.createElement("div");
  still.className = "pane shown still";
  ended = end;
  for (const pane of $$(".pane.shown")) pane.classList.add("behind");
  $("#ui-boards").prepend(still);
  slider.max = moments;
  bar.hidden = false;
  document.body.classList.add("looking-back");
  return show(at);
}
function finish() {
  stop();
  latest++;
  still?.remove();
  still = null;
  ended = null;
  bar.hidden = true;
  document.body.classList.remove("looking-back");
  $$(".behind").forEach((p) => p.classList.remove("behind"));
  $$("#ui-journal .later, #ui-journal .now").forEach((l) => l.classList.remove("later", "now"));
  $("#ui-why").hidden = true;
  $("#ui-prompt").classList.remove("answers");
}
bar.addEventListener("click", (event) => {
  const word = event.target.closest("[data-look]")?.dataset.look;
  ({ "-1": () => step(-1), 1: () => step(1), run: play, slower: () => faster(-1), faster: () => faster(1), now: () => (ended ? ended() : (location.href = `/t/${table}${seat === undefined ? "" : `?as=${seat}`}`)) })[word]?.();
});
slider.addEventListener("input", () => { stop(); show(+slider.value); });
$("#ui-look-eyes select")?.addEventListener("change", (event) => { location.href = `/t/${table}/replay?${new URLSearchParams({ at: slider.value, ...(event.target.value && { as: event.target.value }) })}`; });
$("#ui-tabs").addEventListener("click", (event) => { if (still && event.target.dataset.board) { board = event.target.dataset.board; show(+slider.value); } });
/** Keys while looking back; whether one was meant for it. */
export function lookKey(key) {
  if (!still) return false;
  const keys = { ArrowLeft: () => step(-1), ArrowRight: () => step(1), ArrowUp: () => turn(-1), ArrowDown: () => turn(1), Home: () => step(-1e9), End: () => step(1e9), " ": play, "<": () => faster(-1), ">": () => faster(1), Escape: () => ended?.() };
  if (!keys[key]) return false;
  keys[key]();
  return true;
}

/** Plays the moments that this seat has not seen. Whoever does not want to wait goes back to now. */
export function since() {
  const moments = +main.dataset.moments;
  if (main.dataset.seen === undefined || seat === undefined || main.dataset.replay !== undefined) return Promise.resolve();
  return new Promise((done) => {
    begin(Math.max(+main.dataset.seen, moments - MOST), moments, () => { finish(); done(); }).then(() => { if (still && !calm.matches) play(); });
  });
}
if (main.dataset.replay !== undefined) {
  const asked = new URLSearchParams(location.search).get("at");
  begin(asked ?? main.dataset.replay, +main.dataset.replay, null);
}
