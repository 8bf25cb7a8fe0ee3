// Looking back: a slider over the moments that a viewer has seen.
import { $, theme, onTheme, toast } from "./common.js";

const main = $("#ui-main"), slider = $("#ui-slider"), eyes = $("#ui-eyes");
const asked = new URLSearchParams(location.search);
let latest = 0;

async function look() {
  const turn = ++latest;
  const query = new URLSearchParams({ theme: theme(), at: slider.value });
  if (eyes.value !== "") query.set("as", eyes.value);
  const answer = await fetch(`/t/${main.dataset.table}/moment?${query}`);
  const moment = await answer.json();
  if (turn !== latest) return;
  if (!answer.ok) return toast(moment.message);
  slider.max = moment.moments;
  $("#ui-moment").textContent = `${moment.at} of ${moment.moments}`;
  $("#ui-deed").textContent = `${moment.title} · ${moment.deed}`;
  $("#ui-moment-board").innerHTML = moment.boards.at(-1) ?? "";
  if ($("#ui-branch")) $("#ui-branch").value = moment.at;
  const link = new URLSearchParams({ at: moment.at });
  if (eyes.value !== "") link.set("as", eyes.value);
  history.replaceState(null, "", `?${link}`);
}

if (asked.has("at")) slider.value = asked.get("at");
slider.addEventListener("input", look);
eyes.addEventListener("change", look);
main.addEventListener("click", (event) => {
  const by = event.target.dataset.step;
  if (by) { slider.value = +slider.value + +by; look(); }
});
onTheme(look);
look();
