/** The changelog's feed over the database: it holds what is published, immediately, and nothing else ever. */
import { parseAtomFeed } from 'feedsmith';
import { expect, test } from 'vitest';
import { changelogStore } from '../../server/community/changelog/changelog-store.ts';
import { changelogFeed } from '../../server/community/changelog-feed.ts';
import { OWNER } from '../../server/platform/database/database.ts';
import { testLog } from '../support/database/database.ts';
import { describeOneDatabase } from '../support/database/each-database.ts';
import { openedForTests } from '../support/run/opened-for-tests.ts';
import { backendTestServer } from './support/backend.ts';

describeOneDatabase('the feed of the changelog', (kind) => {
  const server = openedForTests(() =>
    backendTestServer(kind, {
      mount: ({ database, clock }) =>
        changelogFeed({
          store: changelogStore(database),
          clock,
          log: testLog,
          origin: (request) => new URL(request.url).origin,
        }),
    }),
  );
  const posts = () => server().service().from('changelog_posts');
  const read = async () => {
    const answer = await fetch(`${server().url}/change-log.atom`);
    const entries = parseAtomFeed(await answer.text()).entries ?? [];
    return { etag: answer.headers.get('etag'), titles: entries.map(({ title }) => title?.value), entries };
  };

  test('follows every change: a new post, an edit, a post whose time has come, a removal', async () => {
    const now = Date.now();
    expect((await read()).titles).toEqual([]);
    const { data } = await posts()
      .insert([
        { content: '# First', published_at: new Date(now - 60_000).toISOString() },
        { content: '# Draft' },
        { content: '# Tomorrow', published_at: new Date(now + 86_400_000).toISOString() },
      ])
      .select('id, content');
    const first = await read();
    expect(first.titles).toEqual(['First']);
    const id = data?.find(({ content }) => content === '# First')?.id;
    expect(first.entries[0]?.id).toBe(`urn:uuid:${id}`);

    await posts().update({ content: '# First, edited' }).eq('id', id);
    const edited = await read();
    expect(edited.titles).toEqual(['First, edited']);
    expect(edited.entries[0]?.id).toBe(`urn:uuid:${id}`);
    expect(edited.entries[0]?.published).toBe(first.entries[0]?.published);
    expect(Date.parse(edited.entries[0]?.updated ?? '')).toBeGreaterThan(
      Date.parse(edited.entries[0]?.published ?? ''),
    );
    server().advance(86_500_000);
    expect((await read()).titles).toEqual(['Tomorrow', 'First, edited']);
    server().advance(-86_500_000);
    await posts().delete().eq('id', id);
    expect((await read()).titles).toEqual([]);
  });

  test('has the newest fifty', async () => {
    await posts().insert(
      Array.from({ length: 60 }, (_, n) => ({
        content: `Post ${n}`,
        published_at: new Date(Date.now() - n * 60_000).toISOString(),
      })),
    );

    const { titles } = await read();

    expect(titles).toEqual(Array.from({ length: 50 }, (_, n) => `Post ${n}`));
  });

  test('is found by the index, however many posts there are', async () => {
    await server().database.transaction(
      OWNER,
      async (tx) => {
        await tx.query(`insert into public.changelog_posts (content, published_at)
          select 'Post', now() - make_interval(mins => n) from generate_series(1, 500) n`);
        await tx.query('analyze public.changelog_posts');
      },
      { statementLimitMs: 0 },
    );
    const plans: string[] = [];
    const explaining = changelogStore({
      ...server().database,
      query: async (caller, text) => {
        const rows = await server().database.query(caller, `explain (costs off) ${text}`);
        plans.push(rows.map((row) => row['QUERY PLAN']).join('\n'));
        return [];
      },
    });

    await explaining.state().catch(() => undefined);
    await explaining.newest();

    expect(plans).toHaveLength(2);
    for (const plan of plans) {
      expect(plan).toContain('changelog_posts_published_idx');
      expect(plan).not.toMatch(/Seq Scan|Sort/);
    }
  });
});
