/** What readers see of the change log, and what opening it does. */
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeAll, expect, test, vi } from 'vitest';
import { json, USER } from '../../../platform/testing/fake-backend.ts';
import { toggleUtc } from '../../../ui/browser/time-zone.ts';
import { aPost, aWorld, showChangeLog } from '../testing/changelog-page.tsx';
import { loadMarkdown } from './lazy-markdown.tsx';

beforeAll(loadMarkdown);

const articles = () => screen.getAllByRole('article');
const firstPost = async () => (await screen.findAllByRole('article'))[0] ?? document.body;
const STATE = '/rest/v1/user_changelog_state';

test('shows a visitor posts in the server’s order, formatted, each below its day with the exact time', async () => {
  toggleUtc();
  const world = aWorld('visitor', [aPost(1, { content: '# What is new\n\nA **bold** word' }), aPost(2)]);

  showChangeLog();

  expect(screen.getByText('Loading posts…')).toBeDefined();
  const first = await firstPost();
  expect(within(first).getByRole('heading', { level: 2, name: '21 Nov 2026' })).toBeDefined();
  expect(within(first).getByText('21 Nov 2026').title).toMatch(/21 Nov 2026, \d\d:00:00/);
  expect(within(first).getByRole('heading', { level: 3, name: 'What is new' })).toBeDefined();
  expect(within(first).getByText('bold').tagName).toBe('STRONG');
  expect(articles()).toHaveLength(2);
  expect(screen.queryByRole('button', { name: 'Edit' })).toBeNull();
  expect(screen.queryByText('Admin controls')).toBeNull();
  const [request] = world.to('/rest/v1/changelog_posts');
  const query = new URLSearchParams(request?.search);
  expect(query.get('order')).toBe('published_at.desc.nullslast,created_at.desc');
  expect([query.get('offset'), query.get('limit')]).toEqual(['0', '20']);
});

test('shows twenty posts a page, then twenty more, none twice, until all are there', async () => {
  const world = aWorld(
    'visitor',
    Array.from({ length: 45 }, (_, n) => aPost(n + 1)),
  );
  showChangeLog();
  await screen.findByText('Showing 20 of 45');

  // A new one shifts the others by one.
  world.posts = [aPost(0), ...world.posts];
  await userEvent.click(screen.getByRole('button', { name: 'Load More' }));
  await screen.findByText('Showing 39 of 46');
  await userEvent.click(screen.getByRole('button', { name: 'Load More' }));

  const count = await screen.findByText('Showing 45 of 46');
  expect(screen.queryByRole('button', { name: 'Load More' })).toBeNull();
  expect(document.activeElement).toBe(count);
});

test('says that there are no posts', async () => {
  aWorld('visitor', []);

  showChangeLog();

  expect(await screen.findByText('No posts yet')).toBeDefined();
});

test('reports posts that do not load, and Retry loads them', async () => {
  const world = aWorld('visitor');
  const answer = vi.fn(() => json({ message: 'away' }, 503));
  world.on('GET /rest/v1/changelog_posts', answer);
  showChangeLog();
  expect((await screen.findByRole('alert')).textContent).toContain('Failed to load posts');

  world.on('GET /rest/v1/changelog_posts', () => json([aPost(1)]));
  await userEvent.click(screen.getByRole('button', { name: 'Retry' }));

  expect(await firstPost()).toBeDefined();
  expect(answer).toHaveBeenCalled();
});

test('marks the newest published post as seen for signed-in users when the page opens', async () => {
  const draft = aPost(0, { published_at: null });
  const later = aPost(3, { published_at: '2099-01-01T00:00:00Z' });
  const world = aWorld('user', [later, aPost(1), aPost(2), draft]);
  const seen = vi.fn();
  window.addEventListener('changelog:seen', seen, { once: true });

  showChangeLog();

  await waitFor(() => expect(world.to(STATE)).toHaveLength(1));
  const [request] = world.to(STATE);
  expect(request?.body).toEqual({
    user_id: USER.id,
    last_seen_post_id: aPost(1).id,
    last_seen_published_at: aPost(1).published_at,
  });
  expect(request?.search).toContain('on_conflict=user_id');
  expect(request?.headers.get('prefer')).toContain('resolution=merge-duplicates');
  expect(seen).toHaveBeenCalledOnce();
  expect(seen.mock.calls[0]?.[0]).toBeInstanceOf(CustomEvent);
});

test('writes nothing of a visitor', async () => {
  const world = aWorld('visitor');
  const seen = vi.fn();
  window.addEventListener('changelog:seen', seen, { once: true });

  showChangeLog();
  await firstPost();

  expect(seen).toHaveBeenCalledOnce();
  expect(world.to(STATE)).toEqual([]);
});

test('reports that it could not be marked', async () => {
  const world = aWorld('user');
  world.on(`POST ${STATE}`, () => json({ message: 'no' }, 500));

  showChangeLog();

  expect(await screen.findByText('Could not mark changelog as read')).toBeDefined();
  expect(await firstPost()).toBeDefined();
});
