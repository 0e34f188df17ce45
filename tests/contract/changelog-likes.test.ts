/** Likes and read state of the changelog: one per user, never for another, and all of them counted. */
import type { SupabaseClient } from '@supabase/supabase-js';
import { expect, test } from 'vitest';
import { MAX_COUNTED_POSTS } from '#domain/community/changelog.ts';
import { OWNER } from '../../server/platform/database/database.ts';
import { describeBothAtNight } from '../support/database/day-database.ts';
import { changelogWorld } from './support/services/changelog.ts';

// On PostgreSQL by day, where simultaneous likes meet: the policies are the same migration on both.
describeBothAtNight('likes and read state', (kind) => {
  const { world, write, written } = changelogWorld(kind);

  test('leave one like of a hundred simultaneous tabs', async () => {
    const id = await written('Liked');
    const { client, id: userId } = world().user;
    const like = () => client.from('changelog_post_likes').insert({ post_id: id, user_id: userId });

    const answers = await Promise.all(Array.from({ length: 100 }, like));

    expect(answers.filter(({ error }) => error === null)).toHaveLength(1);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201, 409]));
    const { data } = await client.from('changelog_post_likes').select('post_id, user_id').in('post_id', [id]);
    expect(data).toEqual([{ post_id: id, user_id: userId }]);
  });

  test('leave one or none after likes and removals in any order, and the last one counts', async () => {
    const id = await written('Liked and not');
    const { client, id: userId } = world().user;
    const like = () => client.from('changelog_post_likes').insert({ post_id: id, user_id: userId });
    const unlike = () => client.from('changelog_post_likes').delete().match({ post_id: id, user_id: userId });
    const count = async () => (await client.rpc('changelog_like_counts', { p_posts: [id] })).data;

    const answers = await Promise.all(Array.from({ length: 60 }, (_, n) => (n % 2 === 0 ? like() : unlike())));

    expect(answers.map(({ status }) => status).filter((status) => ![201, 204, 409].includes(status))).toEqual([]);
    await unlike();
    expect(await count()).toEqual([{ post_id: id, likes: 0 }]);
    await like();
    expect(await count()).toEqual([{ post_id: id, likes: 1 }]);
  });

  test('reveal to no one else who likes a post, whatever is tried, and to all how many do', async () => {
    const { server, chief, user } = world();
    const id = await written('Liked in private');
    for (const { client, id: userId } of [chief, user])
      await client.from('changelog_post_likes').insert({ post_id: id, user_id: userId });

    for (const [client, own] of [
      [server.visitor(), []],
      [user.client, [{ post_id: id, user_id: user.id }]],
    ] as const) {
      const likes = () => client.from('changelog_post_likes');
      const specified = await likes().select('post_id, user_id', { count: 'exact' }).in('post_id', [id]);
      expect(specified).toMatchObject({ error: null, data: own, count: own.length });
      expect((await likes().select('*').eq('user_id', chief.id)).data).toEqual([]);
      expect((await likes().select('post_id').neq('user_id', user.id)).data).toEqual([]);
      expect((await likes().select('user_id').order('user_id').limit(1)).data).toEqual(
        own.map(({ user_id }) => ({ user_id })),
      );
      const embedded = await client.from('changelog_posts').select('id, changelog_post_likes(user_id)').eq('id', id);
      expect(JSON.stringify(embedded.data)).not.toContain(chief.id);
      const counts = await client.rpc('changelog_like_counts', { p_posts: [id] });
      expect(counts.data).toEqual([{ post_id: id, likes: 2 }]);
    }
  });

  test('count likes of a draft for admins alone', async () => {
    const { server, chief, user } = world();
    const { data: draft } = await write('Draft', { published_at: null }).select('id').single();
    const counted = async (client: SupabaseClient) =>
      (await client.rpc('changelog_like_counts', { p_posts: [draft?.id] })).data;

    expect(await counted(chief.client)).toEqual([{ post_id: draft?.id, likes: 0 }]);
    expect(await counted(user.client)).toEqual([]);
    expect(await counted(server.visitor())).toEqual([]);
  });

  test('count more likes than one answer holds, for posts that the caller may read', async () => {
    const { server, user } = world();
    const id = await written('Loved');
    const { data: draft } = await write('Draft', { published_at: null }).select('id').single();
    await server.database.transaction(
      OWNER,
      async (tx) => {
        // Without profiles, which take their time.
        await tx.query('alter table auth.users disable trigger user');
        await tx.query(
          `with fans as (insert into auth.users (id, email) select gen_random_uuid(), 'fan' || n || '@fans.example'
                           from generate_series(1, 1199) n returning id)
           insert into public.changelog_post_likes select $1::text::uuid, id from fans`,
          [id],
        );
        await tx.query('alter table auth.users enable trigger user');
      },
      { statementLimitMs: 0 },
    );
    await user.client.from('changelog_post_likes').insert({ post_id: id, user_id: user.id });
    const visitor = server.visitor();

    const counts = await visitor.rpc('changelog_like_counts', { p_posts: [id, draft?.id, crypto.randomUUID()] });
    const own = await user.client
      .from('changelog_post_likes')
      .select('post_id')
      .in('post_id', [id])
      .eq('user_id', user.id);

    expect(counts.data).toEqual([{ post_id: id, likes: 1200 }]);
    expect(own.data).toEqual([{ post_id: id }]);
    const many = await visitor.rpc('changelog_like_counts', {
      p_posts: Array.from({ length: MAX_COUNTED_POSTS + 1 }, () => id),
    });
    expect([many.status, many.error?.message]).toEqual([400, 'At most 200 posts at once']);
    expect((await visitor.rpc('changelog_like_counts', { p_posts: ['x'] })).error?.code).toBe('22P02');
  });
});
