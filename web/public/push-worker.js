/*
 * Shows notifications and opens what they are about; registered by web/platform/push.ts when somebody turns them on. It has
 * no fetch handler, and its scope holds no page: nothing that the site loads comes through here.
 */
const NOTHING_READ = { id: 'kat', title: 'Kat', text: 'There is something new for you on the site.', path: '/' };

/** Browsers demand that something is shown for every message. */
function messageOf(data) {
  try {
    const { id, title, text, path } = data.json();
    return { id: String(id), title: String(title), text: String(text), path: String(path) };
  } catch {
    return NOTHING_READ;
  }
}

/** Of this site, whatever a message says. */
function ownAddress(path) {
  const url = URL.canParse(path, self.location.origin) ? new URL(path, self.location.origin) : null;
  return url !== null && url.origin === self.location.origin ? url.href : `${self.location.origin}/`;
}

/** The tab that shows it already, or a new one. */
async function open(address) {
  const tabs = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
  const there = tabs.find((tab) => tab.url === address);
  return there === undefined ? self.clients.openWindow(address) : there.focus();
}

self.addEventListener('install', () => self.skipWaiting());

self.addEventListener('push', (event) => {
  const { id, title, text, path } = messageOf(event.data);
  // One that comes twice stands in its own place.
  const options = { body: text, tag: id, icon: '/icon-192.png', data: { path } };
  event.waitUntil(self.registration.showNotification(title, options));
});

self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(open(ownAddress(event.notification.data?.path ?? '/')));
});
