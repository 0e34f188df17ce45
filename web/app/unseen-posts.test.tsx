/** The red dots on Research and Change Log (R-SITE-3). */
import { act, screen, waitFor } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { announceSeen } from '../features/changelog/unseen/seen.ts';
import { fakeBackend, json, storeSession, USER } from '../platform/testing/fake-backend.ts';
import { visit } from './testing/visit.tsx';

const POSTS = '/rest/v1/changelog_posts';
const STATE = '/rest/v1/user_changelog_state';
const OLD = {
  id: 'p1',
  created_at: '2026-11-20T10:00:00.123456+00:00',
  published_at: '2026-11-20T10:00:00.123456+00:00',
};
const NEW = { id: 'p2', created_at: '2026-11-21T10:00:00+00:00', published_at: '2026-11-21T10:00:00+00:00' };
/** Time for the query that an idle page sends, and for drawing its answer. */

type Row = typeof OLD;
const seenOf = (post: Row) => [{ last_seen_post_id: post.id, last_seen_published_at: post.published_at }];

/** A signed-in user's backend. */
function aBackend(posts: Row[], state: object[]) {
  const backend = fakeBackend();
  backend.on(`GET ${POSTS}`, () => json(posts));
  backend.on(`GET ${STATE}`, () => json(state));
  storeSession();
  return backend;
}

const research = () => screen.findByRole('button', { name: /^Research/ });
const log = () => screen.getAllByRole('link', { name: /^Change Log/, hidden: true })[0];
const names = async () => [(await research()).textContent, log()?.textContent];
const DOTTED = ['Research (new posts)', 'Change Log (new posts)'];
const PLAIN = ['Research', 'Change Log'];
/** Waits for the query, its answer, and the drawing if there is something to draw. */
async function answered(backend: ReturnType<typeof aBackend>, times = 1) {
  await waitFor(() => expect(backend.to(STATE).filter(({ method }) => method === 'GET')).toHaveLength(times));
  await act(() => new Promise((resolve) => setTimeout(resolve, 100)));
}

test.each([
  ['a user who has never looked, while there are posts', [NEW], [], DOTTED],
  ['a newer post than the one that was seen', [NEW, OLD], seenOf(OLD), DOTTED],
  ['the newest was seen', [NEW, OLD], seenOf(NEW), PLAIN],
  ['the newest that was seen is deleted', [OLD], seenOf(NEW), PLAIN],
  [
    'a post for a later day, which admins see',
    [{ ...NEW, published_at: '2099-01-01T00:00:00Z' }, OLD],
    seenOf(OLD),
    PLAIN,
  ],
  ['no posts', [], [], PLAIN],
])('marks unseen posts: %s', async (_what, posts, state, expected) => {
  const backend = aBackend(posts, state);

  visit('/legal');
  await answered(backend);

  await waitFor(async () => expect(await names()).toEqual(expected));
  const query = new URLSearchParams(backend.to(STATE)[0]?.search);
  expect(query.get('user_id')).toBe(`eq.${USER.id}`);
});

test('shows a visitor no dots and sends no request for them', async () => {
  const backend = fakeBackend();

  visit('/legal');
  await act(() => new Promise((resolve) => setTimeout(resolve, 500)));

  expect(await names()).toEqual(PLAIN);
  expect([backend.to(POSTS), backend.to(STATE)]).toEqual([[], []]);
});

test('hides the dots as soon as the change log was seen, and not before', async () => {
  const backend = aBackend([NEW], []);
  visit('/legal');
  await answered(backend);
  await waitFor(async () => expect(await names()).toEqual(DOTTED));

  act(() => announceSeen(USER.id, NEW));

  expect(await names()).toEqual(PLAIN);
});

test('shows no dot for an answer from before the change log was seen', async () => {
  const backend = aBackend([NEW], []);
  const held = Promise.withResolvers<void>();
  backend.on(`GET ${POSTS}`, async () => {
    await held.promise;
    return json([NEW]);
  });
  visit('/legal');
  await waitFor(() => expect(backend.to(POSTS)).toHaveLength(1));

  act(() => announceSeen(USER.id, NEW));
  held.resolve();
  await answered(backend);

  expect(await names()).toEqual(PLAIN);
});

test('requests them again ten minutes later when the user returns to the page', async () => {
  const backend = aBackend([OLD], seenOf(OLD));
  visit('/legal');
  await answered(backend);
  backend.on(`GET ${POSTS}`, () => json([NEW, OLD]));
  const startedMs = Date.now();
  const clock = vi.spyOn(Date, 'now');

  clock.mockReturnValue(startedMs + 500_000);
  window.dispatchEvent(new Event('focus'));
  await answered(backend, 1);
  expect(await names()).toEqual(PLAIN);

  clock.mockReturnValue(startedMs + 660_000);
  window.dispatchEvent(new Event('focus'));
  await answered(backend, 2);
  await waitFor(async () => expect(await names()).toEqual(DOTTED));
});

test('shows no dot without an answer, and leaves the page unchanged', async () => {
  const backend = aBackend([NEW], []);
  backend.on(`GET ${POSTS}`, () => json({ message: 'away' }, 400));

  visit('/legal');
  await answered(backend);

  expect(await names()).toEqual(PLAIN);
});
