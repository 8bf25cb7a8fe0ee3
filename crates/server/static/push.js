// Lets this browser be told when a table waits: asks the browser's push service and gives the server its answer.
const box = document.querySelector("#ui-push");
const bytes = (text) => Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (c) => c.charCodeAt(0));

if (box && "serviceWorker" in navigator && "PushManager" in window) {
  const worker = await navigator.serviceWorker.register("/worker.js");
  const [on, off] = ["on", "off"].map((w) => box.querySelector(`[data-push=${w}]`));
  const show = async () => {
    const told = await worker.pushManager.getSubscription();
    [on.hidden, off.hidden, box.hidden] = [!!told, !told, false];
  };
  const send = (method, told) => {
    const { endpoint, keys } = told.toJSON();
    return fetch("/api/me/push", {
      method,
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ endpoint, p256dh: keys.p256dh, auth: keys.auth }),
    });
  };
  on.onclick = async () => {
    if ((await Notification.requestPermission()) !== "granted") return;
    const wish = { userVisibleOnly: true, applicationServerKey: bytes(box.dataset.key) };
    await send("POST", await worker.pushManager.subscribe(wish));
    await show();
  };
  off.onclick = async () => {
    const told = await worker.pushManager.getSubscription();
    if (told) {
      await send("DELETE", told);
      await told.unsubscribe();
    }
    await show();
  };
  await show();
}
