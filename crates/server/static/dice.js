// Dice as dice, and sounds. Both follow from what the journal and the board tell; sounds are off until asked for.
import { $, calm } from "./common.js";

const NS = "http://www.w3.org/2000/svg";
/** Where the pips of each face lie, in thirds. */
const PIPS = [[], [[1, 1]], [[0, 0], [2, 2]], [[0, 0], [1, 1], [2, 2]], [[0, 0], [2, 0], [0, 2], [2, 2]], [[0, 0], [2, 0], [1, 1], [0, 2], [2, 2]], [[0, 0], [2, 0], [0, 1], [2, 1], [0, 2], [2, 2]]];

function pips(picture, n) {
  // More than six is a figure.
  if (!PIPS[n]) {
    const figure = document.createElementNS(NS, "text");
    for (const [key, value] of [["x", 15.5], ["y", 23], ["font-size", 22], ["text-anchor", "middle"]]) figure.setAttribute(key, value);
    figure.textContent = n;
    return picture.replaceChildren(figure);
  }
  picture.replaceChildren(...PIPS[n].map(([x, y]) => {
    const dot = document.createElementNS(NS, "circle");
    for (const [key, value] of [["cx", 7 + 8.5 * x], ["cy", 7 + 8.5 * y], ["r", 2.9]]) dot.setAttribute(key, value);
    return dot;
  }));
}
/** A die that shows a number, perhaps a hit (`5+`) or a miss (`5-`). Its text is the number, for who reads and who
 * listens, unless the words beside it say it. */
export function die(shown, silent = false) {
  const n = parseInt(shown, 10);
  const box = document.createElement("span"), picture = document.createElementNS(NS, "svg"), number = document.createElement("span");
  box.className = shown.endsWith("+") ? "die hit" : shown.endsWith("-") ? "die miss" : "die";
  picture.setAttribute("viewBox", "0 0 31 31");
  picture.setAttribute("aria-hidden", "true");
  pips(picture, +n);
  number.className = "unseen";
  number.textContent = n;
  box.dataset.shows = n;
  box.append(picture, ...(silent ? [] : [number]));
  return box;
}
/** Lets dice tumble before they show what they show: 600 ms, all at once; not where motion is unwelcome. */
export function tumble(within) {
  if (calm.matches) return;
  for (const box of within.querySelectorAll(".die")) {
    const picture = $("svg", box), shows = +box.dataset.shows;
    if (!picture || !PIPS[shows]) continue;
    box.classList.add("rolling");
    const turning = setInterval(() => pips(picture, 1 + Math.floor(Math.random() * 6)), 75);
    setTimeout(() => { clearInterval(turning); pips(picture, shows); box.classList.remove("rolling"); }, 600);
  }
}

// ---- sounds ----

/** Each kind of thing that happens: pitches in hertz, and how long each lasts in seconds. */
const TONES = { turn: [[392, 0.12], [523, 0.2]], move: [[220, 0.06]], dice: [[160, 0.04], [190, 0.04], [150, 0.05]], loss: [[196, 0.12], [147, 0.2]], card: [[660, 0.05]], end: [[392, 0.15], [494, 0.15], [587, 0.35]] };
const box = $("#ui-sound");
let air = null, last = 0;
try { if (box) box.checked = localStorage.getItem("sounds") === "on"; } catch { /* A browser that keeps nothing starts silent. */ }
box?.addEventListener("change", () => {
  try { localStorage.setItem("sounds", box.checked ? "on" : "off"); } catch { /* as above */ }
  sound("turn");
});
/** Plays the sound of a kind, at most one in 150 ms. */
export function sound(kind) {
  if (!box?.checked || !TONES[kind] || Date.now() - last < 150) return;
  last = Date.now();
  air ??= new AudioContext();
  let at = air.currentTime;
  for (const [pitch, length] of TONES[kind]) {
    const voice = air.createOscillator(), loud = air.createGain();
    voice.type = kind === "dice" ? "square" : "triangle";
    voice.frequency.value = pitch;
    loud.gain.setValueAtTime(0.08, at);
    loud.gain.exponentialRampToValueAtTime(0.001, at + length);
    voice.connect(loud).connect(air.destination);
    voice.start(at);
    voice.stop(at + length);
    at += length;
  }
  document.body.dataset.sounded = kind;
}
