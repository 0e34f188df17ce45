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

/** Browsers that give a new subscription do not all say which one it replaces: the last one is kept beside the worker. */
const KEPT_IN = 'push';
const KEPT_AS = '/push-worker/subscription.json';

async function keep(subscription) {
  if (subscription === null) return;
  const kept = await self.caches.open(KEPT_IN);
  await kept.put(KEPT_AS, Response.json(subscription.toJSON()));
}

async function lastKept() {
  const kept = await (await self.caches.open(KEPT_IN)).match(KEPT_AS);
  return kept === undefined ? null : kept.json();
}

async function subscribeAgain() {
  const { push } = await (await fetch('/config.json')).json();
  // The site sends none any more.
  if (push === null) return null;
  return self.registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: push.publicKey });
}

/** The former one's secret proves to the server that this is the same browser: a worker has no session. */
async function renew({ oldSubscription, newSubscription }) {
  // What was kept is what the server knows, whatever the browser has had since.
  const former = (await lastKept()) ?? oldSubscription?.toJSON();
  if (former === undefined) return;
  const next = newSubscription ?? (await subscribeAgain());
  if (next === null) return;
  const { endpoint, keys } = next.toJSON();
  const answer = await fetch('/push/renewals', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      former: { endpoint: former.endpoint, auth: former.keys.auth },
      next: { endpoint, keys: { p256dh: keys.p256dh, auth: keys.auth } },
    }),
  });
  if (answer.ok) await keep(next);
}

self.addEventListener('install', () => self.skipWaiting());

self.addEventListener('push', (event) => {
  const { id, title, text, path } = messageOf(event.data);
  // A repeated push replaces its notification.
  const options = { body: text, tag: id, icon: '/icon-192.png', data: { path } };
  event.waitUntil(self.registration.showNotification(title, options));
});

/** From the page, once it has subscribed. */
self.addEventListener('message', (event) => {
  if (event.data === 'subscribed') event.waitUntil(self.registration.pushManager.getSubscription().then(keep));
});

self.addEventListener('pushsubscriptionchange', (event) => event.waitUntil(renew(event)));

self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(open(ownAddress(event.notification.data?.path ?? '/')));
});
