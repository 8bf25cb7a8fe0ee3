// Looking back: a slider over the moments that a viewer has seen.
import { $, $$, calm, theme, onTheme, toast } from "./common.js";
import { turnings, wantsTurnings } from "./advice.js";

const main = $("#ui-main"), slider = $("#ui-slider"), eyes = $("#ui-eyes"), run = $("#ui-run");
const { table } = main.dataset;
const asked = new URLSearchParams(location.search);
let latest = 0, board = null, running = null;

async function look() {
  const turn = ++latest;
  const query = new URLSearchParams({ theme: theme(), at: slider.value });
  if (eyes.value !== "") query.set("as", eyes.value);
  const answer = await fetch(`/t/${table}/moment?${query}`).catch(() => null);
  const moment = await answer?.json();
  if (turn !== latest) return;
  if (!answer?.ok) return toast(moment?.message ?? "The server cannot be reached.");
  slider.max = moment.moments;
  $("#ui-moment").textContent = `${moment.at} of ${moment.moments}`;
  $("#ui-deed").textContent = `${moment.title} · ${moment.deed}`;
  show(moment.boards);
  $$("[data-branch]").forEach((input) => { input.value = input.dataset.branch === "at" ? moment.at : eyes.value || 0; });
  const link = new URLSearchParams({ at: moment.at });
  if (eyes.value !== "") link.set("as", eyes.value);
  $("#ui-moment-picture").href = `/t/${table}/picture.svg?${link}`;
  history.replaceState(null, "", `?${link}`);
}
/** The board that was chosen, if this moment has it; else the one where things happen. */
function show(boards) {
  const shown = boards.find(([id]) => id === board) ?? boards.at(-1);
  $("#ui-moment-board").innerHTML = shown?.[2] ?? "";
  $("#ui-moment-tabs").replaceChildren(...(boards.length > 1 ? boards : []).map(([id, name]) => {
    const button = Object.assign(document.createElement("button"), { textContent: name, className: "quiet" });
    button.setAttribute("role", "tab");
    button.setAttribute("aria-selected", id === shown[0]);
    button.onclick = () => { board = id; show(boards); };
    return button;
  }));
}
function step(by) { slider.value = +slider.value + by; return look(); }
function play() {
  clearInterval(running);
  running = running ? null : setInterval(() => (+slider.value < +slider.max ? step(1) : play()), calm.matches ? 1600 : 900);
  if (running && slider.value === slider.max) { slider.value = 0; look(); }
  run.textContent = running ? "Pause" : "Play";
  run.setAttribute("aria-pressed", !!running);
}

if (asked.has("at")) slider.value = asked.get("at");
slider.addEventListener("input", look);
eyes.addEventListener("change", look);
run.addEventListener("click", play);
$("#ui-share").addEventListener("click", async (event) => {
  try { await navigator.clipboard.writeText(location.href); event.target.textContent = "Copied"; } catch { toast(location.href); }
});
main.addEventListener("click", (event) => {
  const by = event.target.dataset.step;
  if (by) step(+by);
  if ("turnings" in event.target.dataset) turnings(table, eyes.value, main.dataset.person !== undefined);
});
onTheme(look);
look();
if (wantsTurnings()) turnings(table, eyes.value, main.dataset.person !== undefined);
