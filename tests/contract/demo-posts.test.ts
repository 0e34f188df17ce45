/** The demo's change log: its admin's posts are written once and dated in the past; edits and deletions persist. */
import { beforeAll, expect, test } from 'vitest';
import { isCostlyMarkdown } from '#domain/community/markdown-limits.ts';
import { seedPosts } from '../../scripts/demo/posts.ts';
import { describeOneDatabase } from '../support/database/each-database.ts';
import { openedForTests } from '../support/run/opened-for-tests.ts';
import { backendTestServer } from './support/backend.ts';

describeOneDatabase('demo posts', (kind) => {
  const server = openedForTests(() => backendTestServer(kind));
  const userIds: string[] = [];
  const seed = () => seedPosts(server(), userIds);
  const posts = () =>
    server().visitor().from('changelog_posts').select('*').order('published_at', { ascending: false });

  beforeAll(async () => {
    for (let n = 0; n < 4; n += 1) userIds.push((await server().user()).id);
    await seed();
  });

  test('publishes five posts on different days, each marked as a sample', async () => {
    const { data } = await posts();

    expect(data).toHaveLength(5);
    for (const post of data ?? []) {
      expect(post.author_id).toBe(userIds[0]);
      expect(post.content).toContain('Sample post of the demo');
      expect(isCostlyMarkdown(post.content)).toBe(false);
      expect([post.created_at, post.updated_at]).toEqual([post.published_at, post.published_at]);
    }
    expect(new Set(data?.map(({ published_at }) => published_at.slice(0, 10))).size).toBe(5);
    const { count } = await server().service().from('changelog_post_likes').select('*', { count: 'exact', head: true });
    expect(count).toBe(12);
  });

  test('preserves an edit and a deletion when the demo is seeded again', async () => {
    const [first, second] = (await posts()).data ?? [];
    await server().service().from('changelog_posts').update({ content: 'Edited' }).eq('id', first.id);
    await server().service().from('changelog_posts').delete().eq('id', second.id);

    await seed();

    const { data } = await posts();
    expect(data?.map(({ content }) => content === 'Edited')).toEqual([true, false, false, false]);
    expect(data?.map(({ id }) => id)).not.toContain(second.id);
  });
});
