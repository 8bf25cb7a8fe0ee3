// Shows a message that came through the push service, and opens its table when it is clicked.
self.addEventListener("push", (event) => {
  const { title, link } = event.data.json();
  event.waitUntil(self.registration.showNotification(title, { icon: "/static/icon.svg", tag: "outremer", data: link }));
});

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(self.clients.openWindow(event.notification.data));
});
