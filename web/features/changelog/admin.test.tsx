/** What admins write, change and delete, and the messages when that fails. */
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeAll, expect, test } from 'vitest';
import { json, USER } from '../../platform/testing/fake-backend.ts';
import { toggleUtc } from '../../ui/browser/time-zone.ts';
import { draftKey, draftOf, storeDraft } from './editing/drafts.ts';
import { loadMarkdown } from './posts/lazy-markdown.tsx';
import { aPost, aWorld, showChangeLog, type World } from './testing/changelog-page.tsx';

beforeAll(loadMarkdown);

const POSTS = '/rest/v1/changelog_posts';
const newPost = () => screen.findByRole('region', { name: 'New post' });
const quickUpdate = () => screen.findByRole('form', { name: 'Short post' });
const press = (within_: HTMLElement, name: string) => fireEvent.click(within(within_).getByRole('button', { name }));
const write = (field: HTMLElement, text: string) => fireEvent.change(field, { target: { value: text } });
const writes = (world: World) => world.to(POSTS).filter(({ method }) => method !== 'GET');
const article = async () => (await screen.findAllByRole('article'))[0] ?? document.body;
const reportsIn = (world: World) => world.errors().map(({ error_message }) => error_message);
const policy = (verb: string) => json({ code: '42501', message: `You must be an admin to ${verb}.` }, 403);

test('shows the note, the editor and the box to an admin and to no one else', async () => {
  aWorld('admin');
  const { unmount } = showChangeLog();
  expect(await screen.findByText('Admin controls')).toBeDefined();
  expect(within(await newPost()).getByLabelText('Content')).toBeDefined();
  expect(within(await quickUpdate()).getByLabelText('Quick update')).toBeDefined();
  expect(screen.getAllByRole('button', { name: 'Edit' })).toHaveLength(2);
  unmount();

  aWorld('user');
  showChangeLog();
  await article();
  expect(screen.queryByText('Admin controls')).toBeNull();
  expect(screen.queryByRole('button', { name: 'Delete' })).toBeNull();
});

test('previews a new post, sends it trimmed in the admin’s name, published now, and deletes its draft', async () => {
  const world = aWorld('admin', []);
  world.on(`POST ${POSTS}`, () => {
    world.posts = [aPost(0, { content: 'Hello **there**' })];
    return new Response(null, { status: 201 });
  });
  showChangeLog();
  const panel = await newPost();

  write(within(panel).getByLabelText('Content'), '  Hello **there** \n');
  await waitFor(() => expect(within(panel).getByText('there').tagName).toBe('STRONG'));
  press(panel, 'Save');

  expect(await screen.findByText('Post published')).toBeDefined();
  const body = writes(world)[0]?.body;
  expect(body).toMatchObject({ content: 'Hello **there**', author_id: USER.id });
  const published = Date.parse((body as { published_at: string }).published_at);
  expect(Math.abs(Date.now() - published)).toBeLessThan(60_000);
  expect(within(await article()).getByText('there')).toBeDefined();
  expect(within(panel).getByLabelText('Content')).toHaveProperty('value', '');
  expect(draftOf(draftKey(USER.id, 'new'))).toBeNull();
});

test.each([
  ['an empty', ''],
  ['a blank', ' \n\t\u200b\u00a0 '],
])('refuses %s post before it is sent, in the editor and in the box', async (_what, text) => {
  const world = aWorld('admin');
  showChangeLog();
  const panel = await newPost();
  const box = await quickUpdate();

  write(within(panel).getByLabelText('Content'), text);
  press(panel, 'Save');
  write(within(box).getByLabelText('Quick update'), text);
  press(box, 'Post');

  expect(within(panel).getByText('Content is required')).toBeDefined();
  expect(within(box).getByText('Write something first')).toBeDefined();
  expect(document.activeElement).toBe(within(box).getByLabelText('Quick update'));
  expect(writes(world)).toEqual([]);
});

test('neither shows nor sends two hundred thousand characters', async () => {
  const world = aWorld('admin');
  showChangeLog();
  const panel = await newPost();

  write(within(panel).getByLabelText('Content'), '*a **b '.repeat(30_000));
  expect(await within(panel).findByText('Too long to post.')).toBeDefined();
  press(panel, 'Save');

  expect(within(panel).getByText('Content must be at most 20,000 characters')).toBeDefined();
  expect(writes(world)).toEqual([]);
});

test.each([
  ['the server’s own words', () => policy('post'), 'You must be an admin to post.', 'You must be an admin to post.'],
  [
    'those of a policy in ours',
    () => json({ code: '42501', message: 'new row violates row-level security policy' }, 403),
    'You must be an admin to post.',
    'You must be an admin to post.',
  ],
  ['a fault', () => json({ message: 'deadlock' }, 500), 'Failed to save post', 'Failed to post'],
  ['no answer', () => Promise.reject(new TypeError('Failed to fetch')), 'Failed to save post', 'Failed to post'],
])('reports a refused post (%s), and keeps the text', async (_what, answer, saving, posting) => {
  const world = aWorld('admin');
  world.on(`POST ${POSTS}`, answer);
  showChangeLog();
  const panel = await newPost();
  const box = await quickUpdate();
  write(within(panel).getByLabelText('Content'), 'Long words');
  write(within(box).getByLabelText('Quick update'), 'Short words');

  press(panel, 'Save');
  press(box, 'Post');

  expect((await within(panel).findByRole('alert')).textContent).toBe(saving);
  expect((await within(box).findByRole('alert')).textContent).toBe(posting);
  await waitFor(() => expect(reportsIn(world)).toEqual(expect.arrayContaining([saving, posting])));
  expect(within(panel).getByLabelText('Content')).toHaveProperty('value', 'Long words');
  expect(within(box).getByLabelText('Quick update')).toHaveProperty('value', 'Short words');
});

test('restores typed text after the page was left', async () => {
  aWorld('admin');
  const { unmount } = showChangeLog();
  write(within(await newPost()).getByLabelText('Content'), 'Half a sen');
  press(await article(), 'Edit');
  write(within(await article()).getByLabelText('Content'), 'Changed words');
  unmount();

  aWorld('admin');
  showChangeLog();

  expect(within(await newPost()).getByLabelText('Content')).toHaveProperty('value', 'Half a sen');
  expect(within(await article()).getByLabelText('Content')).toHaveProperty('value', 'Changed words');
});

test('sends an edit by the post’s id and shows it, and confirms leaving one with changes', async () => {
  const world = aWorld('admin', [aPost(1)]);
  world.on(`PATCH ${POSTS}`, () => {
    world.posts = [aPost(1, { content: 'New words' })];
    return json([{ id: aPost(1).id }]);
  });
  showChangeLog();
  const post = await article();

  press(post, 'Edit');
  write(within(post).getByLabelText('Content'), 'Other words');
  press(post, 'Cancel');
  press(screen.getByRole('dialog'), 'Keep editing');
  expect(within(post).getByLabelText('Content')).toHaveProperty('value', 'Other words');
  write(within(post).getByLabelText('Content'), 'New words');
  press(post, 'Save');

  expect(await screen.findByText('Post saved')).toBeDefined();
  expect(await within(post).findByText('New words')).toBeDefined();
  const [sent] = writes(world);
  expect([sent?.method, sent?.body]).toEqual(['PATCH', { content: 'New words' }]);
  expect(new URLSearchParams(sent?.search).get('id')).toBe(`eq.${aPost(1).id}`);
  await waitFor(() => expect(document.activeElement?.textContent).toBe('Edit'));
});

test('continues the edit of a post that was deleted meanwhile as a new one', async () => {
  const world = aWorld('admin', [aPost(1), aPost(2)]);
  world.on(`PATCH ${POSTS}`, () => {
    world.posts = [aPost(2)];
    return json([]);
  });
  showChangeLog();
  press(await article(), 'Edit');
  write(within(await article()).getByLabelText('Content'), 'My words');

  press(await article(), 'Save');

  expect(await screen.findByText('That post has been deleted.')).toBeDefined();
  expect(within(await newPost()).getByLabelText('Content')).toHaveProperty('value', 'My words');
  await waitFor(() => expect(screen.getAllByRole('article')).toHaveLength(1));
});

test('continues the draft of a post that is deleted when the page opens as a new one', async () => {
  storeDraft(draftKey(USER.id, aPost(1).id), 'Words of yesterday');
  aWorld('admin', [aPost(2)]);

  showChangeLog();

  expect(await screen.findByText('That post has been deleted.')).toBeDefined();
  expect(within(await newPost()).getByLabelText('Content')).toHaveProperty('value', 'Words of yesterday');
});

test('confirms before it deletes by the post’s id', async () => {
  const world = aWorld('admin', [aPost(1), aPost(2)]);
  world.on(`DELETE ${POSTS}`, () => {
    world.posts = [aPost(2)];
    return new Response(null, { status: 204 });
  });
  showChangeLog();

  press(await article(), 'Delete');
  const dialog = screen.getByRole('dialog');
  expect(within(dialog).getByText('Are you sure you want to delete this post?')).toBeDefined();
  press(dialog, 'Cancel');
  expect(writes(world)).toEqual([]);
  press(await article(), 'Delete');
  press(screen.getByRole('dialog'), 'Delete');

  expect(await screen.findByText('Post deleted')).toBeDefined();
  await waitFor(() => expect(screen.getAllByRole('article')).toHaveLength(1));
  expect(new URLSearchParams(writes(world)[0]?.search).get('id')).toBe(`eq.${aPost(1).id}`);
});

test.each([
  ['the server’s words', () => policy('delete'), 'You must be an admin to delete.'],
  ['ours', () => json({ message: 'deadlock' }, 500), 'Failed to delete post'],
])('keeps a post that cannot be deleted, and explains why in the question: %s', async (_what, answer, message) => {
  const world = aWorld('admin', [aPost(1)]);
  world.on(`DELETE ${POSTS}`, answer);
  showChangeLog();

  press(await article(), 'Delete');
  press(screen.getByRole('dialog'), 'Delete');

  expect((await within(screen.getByRole('dialog')).findByRole('alert')).textContent).toBe(message);
  await waitFor(() => expect(reportsIn(world)).toContain(message));
  expect(screen.getAllByRole('article')).toHaveLength(1);
});

test('marks drafts and posts of a later day, which cannot be liked yet', async () => {
  toggleUtc();
  aWorld('admin', [
    aPost(1, { published_at: '2099-01-01T00:00:00Z' }),
    aPost(2, { published_at: null, updated_at: '2026-11-22T00:00:00Z' }),
  ]);
  showChangeLog();

  const [later, draft] = await screen.findAllByRole('article');
  expect(within(later ?? document.body).getByText('Scheduled')).toBeDefined();
  expect(within(draft ?? document.body).getByText('Draft')).toBeDefined();
  expect(within(draft ?? document.body).getByText('edited').title).toContain('22 Nov 2026');
  expect(screen.queryByRole('button', { name: 'Like' })).toBeNull();
});
