// Counts the clocks of a table down. The server says when each runs out; a clock that has run out stays at 0.
const two = (n) => String(n).padStart(2, "0");

function length(ms) {
  const s = Math.max(0, Math.floor(ms / 1000)), d = Math.floor(s / 86400), h = Math.floor(s / 3600) % 24, m = Math.floor(s / 60) % 60;
  if (d) return `${d} d ${h} h`;
  return h ? `${h}:${two(m)}:${two(s % 60)}` : `${m}:${two(s % 60)}`;
}

setInterval(() => {
  for (const clock of document.querySelectorAll("time[data-runs-out]")) clock.textContent = length(+clock.dataset.runsOut - Date.now());
}, 500);
