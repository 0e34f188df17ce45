/** Likes: shown immediately, sent once, reverted when they fail. */
import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeAll, expect, test } from 'vitest';
import { json, USER } from '../../platform/testing/fake-backend.ts';
import { loadMarkdown } from './posts/lazy-markdown.tsx';
import { aPost, aWorld, showChangeLog, type World } from './testing/changelog-page.tsx';

const LIKES = '/rest/v1/changelog_post_likes';
const POST = aPost(1);
const OTHER = '99999999-9999-4999-8999-999999999999';

beforeAll(loadMarkdown);

const writes = (world: World) => world.to(LIKES).filter(({ method }) => method !== 'GET');
const methods = (world: World) => writes(world).map(({ method }) => method);

/** Long enough for a request to be sent, or an answer to be shown. */
const soon = () => act(() => new Promise<void>((resolve) => setTimeout(resolve, 50)));

/** The first post's, once it can be pressed. */
async function likeButton(): Promise<HTMLElement> {
  const [article] = await screen.findAllByRole('article');
  const button = within(article ?? document.body).getByRole('button', { name: 'Like' });
  await waitFor(() => expect(button).toHaveProperty('disabled', false));
  return button;
}
const toggleState = (button: HTMLElement) => button.getAttribute('aria-pressed');

test('shows a like before it is sent, sends it as specified, and takes it back on the next click', async () => {
  const world = aWorld('user', [POST]);
  world.likes = [{ post_id: POST.id, user_id: OTHER }];
  const held = Promise.withResolvers<void>();
  world.on(`POST ${LIKES}`, async () => {
    await held.promise;
    return new Response(null, { status: 201 });
  });
  showChangeLog();
  const button = await likeButton();
  expect([toggleState(button), screen.queryByText('1 like') !== null]).toEqual(['false', true]);

  await userEvent.click(button);

  expect(toggleState(button)).toBe('true');
  expect(screen.getByText('2 likes')).toBeDefined();
  held.resolve();
  await waitFor(() => expect(writes(world)[0]?.body).toEqual({ post_id: POST.id, user_id: USER.id }));
  await userEvent.click(button);
  expect(toggleState(button)).toBe('false');
  await waitFor(() => expect(methods(world)).toEqual(['POST', 'DELETE']));
  const query = new URLSearchParams(writes(world)[1]?.search);
  expect([query.get('post_id'), query.get('user_id')]).toEqual([`eq.${POST.id}`, `eq.${USER.id}`]);
});

test.each([
  [2, ['POST', 'DELETE'], 'false'],
  [3, ['POST'], 'true'],
  [4, ['POST', 'DELETE'], 'false'],
  [5, ['POST'], 'true'],
])(
  'settles %i quick clicks on the last choice, one request at a time: %j',
  async (presses, expected, expectedState) => {
    const world = aWorld('user', [POST]);
    const held: (() => void)[] = [];
    const hold = (status: number) =>
      new Promise<Response>((resolve) => held.push(() => resolve(new Response(null, { status }))));
    world.on(`POST ${LIKES}`, () => hold(201));
    world.on(`DELETE ${LIKES}`, () => hold(204));
    showChangeLog();
    const button = await likeButton();

    for (let press = 0; press < presses; press++) button.click();

    for (const [answered] of expected.entries()) {
      await waitFor(() => expect(held).toHaveLength(answered + 1));
      // A second request beside the one that is not answered yet would arrive by now.
      await soon();
      expect(methods(world)).toEqual(expected.slice(0, answered + 1));
      held[answered]?.();
    }
    await soon();
    expect([methods(world), toggleState(button)]).toEqual([expected, expectedState]);
  },
);

test('undoes a like that fails, and reports it', async () => {
  const world = aWorld('user', [POST]);
  world.on(`POST ${LIKES}`, () => json({ code: '42501', message: 'no' }, 403));
  showChangeLog();
  const button = await likeButton();

  await userEvent.click(button);

  expect(await screen.findByText('Could not update like')).toBeDefined();
  await waitFor(() => expect(toggleState(button)).toBe('false'));
  expect(screen.getByText('No likes yet')).toBeDefined();
});

test('accepts a like that another tab has sent already', async () => {
  const world = aWorld('user', [POST]);
  world.on(`POST ${LIKES}`, () => json({ code: '23505', message: 'duplicate key' }, 409));
  showChangeLog();
  const button = await likeButton();

  await userEvent.click(button);

  await waitFor(() => expect(methods(world)).toEqual(['POST']));
  await soon();
  expect([toggleState(button), screen.queryByText('Could not update like')]).toEqual(['true', null]);
});

test('shows a visitor the way to sign in, and sends nothing', async () => {
  const world = aWorld('visitor', [POST]);
  world.likes = [{ post_id: POST.id, user_id: OTHER }];
  showChangeLog();

  await userEvent.click(await likeButton());

  expect(await screen.findByText('Sign in to like posts')).toBeDefined();
  expect([toggleState(await likeButton()), writes(world)]).toEqual(['false', []]);
});

test('reports likes that do not load beside the posts, and Retry loads them', async () => {
  const world = aWorld('user', [POST]);
  world.on(`GET ${LIKES}`, () => json({ message: 'away' }, 503));
  showChangeLog();
  expect((await screen.findByRole('alert')).textContent).toContain('Failed to load likes');
  expect(screen.getByRole('button', { name: 'Like' })).toHaveProperty('disabled', true);

  world.on(`GET ${LIKES}`, () => json([{ post_id: POST.id, user_id: USER.id }]));
  await userEvent.click(screen.getByRole('button', { name: 'Retry' }));

  expect(toggleState(await likeButton())).toBe('true');
  expect(screen.queryByRole('alert')).toBeNull();
});

test('lets the server count the likes, and finds the user’s likes by the specified query', async () => {
  const world = aWorld('user', [POST]);
  world.likes = [{ post_id: POST.id, user_id: USER.id }];
  world.on('POST /rest/v1/rpc/changelog_like_counts', () => json([{ post_id: POST.id, likes: 4321 }]));

  showChangeLog();

  expect(await screen.findByText('4,321 likes')).toBeDefined();
  expect(toggleState(await likeButton())).toBe('true');
  expect(world.to('/rest/v1/rpc/changelog_like_counts')[0]?.body).toEqual({ p_posts: [POST.id] });
  const query = new URLSearchParams(world.to(LIKES)[0]?.search);
  expect([query.get('select'), query.get('post_id')]).toEqual(['post_id,user_id', `in.(${POST.id})`]);
});
