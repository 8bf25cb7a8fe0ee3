// What happened since you last looked, played on the board before it is yours again.
import { $, calm, theme } from "./common.js";

/** At most so many steps are played; of more, the last. */
const MOST = 40;

/** Plays the moments that this seat has not seen. Whoever does not want to wait skips them. */
export async function since(main, seat) {
  const { table } = main.dataset, moments = +main.dataset.moments;
  if (main.dataset.seen === undefined || seat === null) return;
  const first = Math.max(+main.dataset.seen, moments - MOST);
  const bar = $("#ui-since"), deed = $("#ui-since-deed"), still = document.createElement("div");
  let over = false, paused = calm.matches, wake = () => {};
  const stop = () => { over = true; wake(); };
  const rest = (ms) => new Promise((done) => { wake = done; setTimeout(() => !paused && done(), ms); });
  const pause = $('[data-since="pause"]'), skip = $('[data-since="skip"]');
  const label = () => { pause.textContent = paused ? "Play" : "Pause"; };
  pause.onclick = () => { paused = !paused; label(); if (!paused) wake(); };
  skip.onclick = stop;
  const escape = (event) => { if (event.key === "Escape") stop(); };
  addEventListener("keydown", escape);
  still.className = "pane shown still";
  label();
  bar.hidden = false;
  document.body.classList.add("looking-back");
  $("#ui-boards").append(still);
  const query = (at) => `/t/${table}/moment?${new URLSearchParams({ theme: theme(), at, as: seat })}`;
  for (let at = first; at <= moments && !over; at++) {
    const answer = await fetch(query(at)).catch(() => null);
    if (!answer?.ok || over) break;
    const moment = await answer.json();
    still.innerHTML = moment.boards.at(-1)?.[2] ?? "";
    // Ids belong to the board itself; this is only a picture of it.
    still.querySelectorAll("[id], [data-id]").forEach((e) => { e.removeAttribute("id"); e.removeAttribute("data-id"); });
    deed.textContent = at === first ? ` · ${moment.title}` : ` · ${moment.deed}`;
    await rest(at === first ? 500 : moments - first > 15 ? 450 : 900);
  }
  removeEventListener("keydown", escape);
  still.remove();
  bar.hidden = true;
  document.body.classList.remove("looking-back");
}
