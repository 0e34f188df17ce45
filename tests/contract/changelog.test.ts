/** The posts of the changelog through the client library: who reads and writes what, and that hostile input is refused without a trace. */
import type { SupabaseClient } from '@supabase/supabase-js';
import { expect, test } from 'vitest';
import { CHANGELOG_MESSAGES, contentFault, MAX_POST_CHARACTERS, trimmedContent } from '#domain/community/changelog.ts';
import { OWNER } from '../../server/platform/database/database.ts';
import { describeBothAtNight } from '../support/database/day-database.ts';
import { JSON_TYPE } from './support/backend.ts';
import { changelogWorld } from './support/services/changelog.ts';

const POST = 'id, content, author_id, created_at, updated_at, published_at';
const DAY_MS = 86_400_000;
const BLANK_RANGES = [
  [0x1, 0x2ff],
  [0x1680, 0x168f],
  [0x180a, 0x180f],
  [0x2000, 0x20ff],
  [0x2800, 0x280f],
  [0x3000, 0x31ff],
  [0xfe00, 0xffff],
] as const;

describeBothAtNight('the changelog', (kind) => {
  const { world, write, written, contentOf, countOf, empty } = changelogWorld(kind);

  test('lists what is published to everyone, newest first, a page at a time; drafts to admins, last', async () => {
    await empty();
    const published = Array.from({ length: 25 }, (_, n) => ({
      content: `Post ${n}`,
      published_at: new Date(Date.now() - n * DAY_MS).toISOString(),
    }));
    const hidden = [
      { content: 'Tomorrow', published_at: new Date(Date.now() + DAY_MS).toISOString() },
      { content: 'Draft', published_at: null },
    ];
    await world()
      .server.service()
      .from('changelog_posts')
      .insert([...published, ...hidden]);
    const page = async (client: SupabaseClient, from: number, to: number) => {
      const { data, count } = await client
        .from('changelog_posts')
        .select(POST, { count: 'exact' })
        .order('published_at', { ascending: false, nullsFirst: false })
        .order('created_at', { ascending: false })
        .range(from, to);
      return { count, contents: data?.map((row) => row.content) };
    };
    const names = published.map((post) => post.content);

    for (const client of [world().server.visitor(), world().user.client]) {
      expect(await page(client, 0, 19)).toEqual({ count: 25, contents: names.slice(0, 20) });
      expect(await page(client, 20, 39)).toEqual({ count: 25, contents: names.slice(20) });
    }
    expect(await page(world().chief.client, 0, 39)).toEqual({ count: 27, contents: ['Tomorrow', ...names, 'Draft'] });
  });

  test('takes a post as the screen sends it, published immediately whatever the browser’s clock shows', async () => {
    for (const offsetMs of [-DAY_MS, 0, DAY_MS]) {
      const { data } = await write(`  # Hi ${offsetMs}\n`, {
        published_at: new Date(Date.now() + offsetMs).toISOString(),
      })
        .select(POST)
        .single();

      expect(data).toMatchObject({ content: `# Hi ${offsetMs}`, author_id: world().chief.id });
      expect(data?.published_at).toBe(data?.created_at);
      expect(Math.abs(Date.parse(data?.published_at) - Date.now())).toBeLessThan(60_000);
      const { data: seen } = await world().server.visitor().from('changelog_posts').select('id').eq('id', data?.id);
      expect(seen).toHaveLength(1);
    }
  });

  test('lets only an admin write, and explains each refusal', async () => {
    const id = await written('Stays');
    const before = await countOf('changelog_posts');
    const { server, user } = world();
    const row = { content: 'x', author_id: user.id, published_at: new Date().toISOString() };
    const post = { code: '42501', message: CHANGELOG_MESSAGES.adminsPost };

    for (const author_id of [user.id, world().chief.id, null])
      expect((await user.client.from('changelog_posts').insert({ ...row, author_id })).error).toMatchObject(post);
    expect((await user.client.from('changelog_posts').update({ content: 'x' }).eq('id', id)).error).toMatchObject(post);
    expect((await user.client.from('changelog_posts').upsert({ content: 'x', author_id: user.id })).error?.code).toBe(
      '42501',
    );
    expect((await user.client.from('changelog_posts').delete().eq('id', id)).error).toMatchObject({
      code: '42501',
      message: CHANGELOG_MESSAGES.adminsDelete,
    });
    const visitor = server.visitor().from('changelog_posts');
    for (const refused of [
      visitor.insert(row),
      visitor.update({ content: 'x' }).eq('id', id),
      visitor.delete().eq('id', id),
    ]) {
      const { error, status } = await refused;
      expect([error?.code, status]).toEqual(['42501', 401]);
    }

    expect(await countOf('changelog_posts')).toBe(before);
    expect(await contentOf(id)).toBe('Stays');
  });

  test('refuses content with the same text on screen and in the database, and accepts the same', async () => {
    const id = await written('Before');
    // Wherever blanks and marks without width are, and what is around them.
    const codes = BLANK_RANGES.flatMap(([from, to]) => Array.from({ length: to - from + 1 }, (_, n) => from + n));
    const blanks = codes.map((code) => String.fromCharCode(code)).filter((char) => trimmedContent(char) === '');
    const trimmedBySql = await world().server.database.query<{ code: number }>(
      OWNER,
      `select n::int as code from jsonb_array_elements_text($1::jsonb) n where private.trimmed_post(chr(n::int)) = ''`,
      [JSON.stringify(codes)],
    );
    expect(trimmedBySql.map(({ code }) => String.fromCharCode(code))).toEqual(blanks);
    const letters = MAX_POST_CHARACTERS;
    const texts = [
      '',
      ' ',
      '\n\t\r\n',
      blanks.join(''),
      'x'.repeat(letters + 1),
      '😺'.repeat(letters + 1),
      'x'.repeat(200_000),
      `${'x'.repeat(letters)}\n\nx`,
    ];

    for (const content of texts) {
      const message = contentFault(content);
      expect(message).not.toBeNull();
      const { error: inserting } = await write(content);
      expect([content.slice(0, 9), inserting?.code, inserting?.message]).toEqual([
        content.slice(0, 9),
        '23514',
        message,
      ]);
    }
    for (const content of ['', '\u200b', 'x'.repeat(200_000)]) {
      const { error } = await world().chief.client.from('changelog_posts').update({ content }).eq('id', id);
      expect([error?.code, error?.message]).toEqual(['23514', contentFault(content)]);
    }
    expect(await contentOf(id)).toBe('Before');
    for (const content of ['.', '\u0001', 'x'.repeat(letters), ` \n${'😺'.repeat(letters)}${blanks.join('')}`]) {
      expect(contentFault(content)).toBeNull();
      expect(await contentOf(await written(content))).toBe(trimmedContent(content));
    }
  });

  test('stores hostile Markdown as text, character by character', async () => {
    const content = `<script>alert(1)</script> [x](javascript:alert(1)) ]]> "'; drop table changelog_posts; -- \u202e {{7*7}}`;

    expect(await contentOf(await written(content))).toBe(content);
  });

  test.each([
    ['a zero character', '{"content":"a\\u0000b"}'],
    ['half a pair', '{"content":"a\\ud800b"}'],
    ['an invalid time', '{"content":"a","published_at":"never"}'],
    ['bytes that are no UTF-8', Buffer.from([...Buffer.from('{"content":"a'), 0xc3, 0x28, ...Buffer.from('b"}')])],
    ['no JSON', '{"content":'],
  ])('stores no half of a post after %s', async (_what, body) => {
    const before = await countOf('changelog_posts');

    const answer = await world().server.request('/rest/v1/changelog_posts', {
      method: 'POST',
      headers: { ...JSON_TYPE, authorization: `Bearer ${world().chief.accessToken}` },
      body,
    });

    expect([answer.status, await countOf('changelog_posts')]).toEqual([400, before]);
  });
});
