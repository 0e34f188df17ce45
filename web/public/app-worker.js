/*
 * Shows a page of ours while there is no network; registered by web/platform/installed-app.ts where the site is installed as
 * an app, and for nobody else. That page is all it keeps: a price or a forecast of an hour ago is worse than none.
 */
const PAGE = '/offline.html';
const PARTS = [PAGE, '/offline.css', '/theme.js', '/favicon.svg'];
/** Of these files' content, so that a browser which has older ones takes the new: scripts/site/app-worker.test.ts. */
const VERSION = 'b84b4ad03009';
const KEPT_IN = `offline-${VERSION}`;

async function keep() {
  const kept = await self.caches.open(KEPT_IN);
  // Not those of the release before, which the browser may still have.
  await kept.addAll(PARTS.map((part) => new Request(part, { cache: 'reload' })));
  await self.skipWaiting();
}

async function begin() {
  for (const name of await self.caches.keys())
    if (name.startsWith('offline-') && name !== KEPT_IN) await self.caches.delete(name);
  // The page is asked for while the worker starts: nobody waits for it.
  await self.registration.navigationPreload?.enable();
  await self.clients.claim();
}

/** What the network gives, a refusal too; the kept one where there is no answer at all. */
async function orKept(asking, name) {
  try {
    return await asking();
  } catch {
    const kept = await (await self.caches.open(KEPT_IN)).match(name);
    return kept ?? Response.error();
  }
}

self.addEventListener('install', (event) => event.waitUntil(keep()));
self.addEventListener('activate', (event) => event.waitUntil(begin()));
self.addEventListener('fetch', (event) => {
  const { request, preloadResponse } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.mode === 'navigate' && request.destination === 'document') {
    event.respondWith(orKept(async () => (await preloadResponse) ?? fetch(request), PAGE));
    return;
  }
  // Of whatever else the site asks for nothing comes through here.
  if (origin === self.location.origin && PARTS.includes(pathname))
    event.respondWith(orKept(() => fetch(request), pathname));
});
