/**
 * Covers posts, votes, admin reports and the operator's view in front of a hosted project: its procedures, our
 * functions.
 */
import { describe, expect, test } from 'vitest';
import { OWNER } from '../../server/platform/database/database.ts';
import { POSTGRES_SKIPPED, testDatabaseKinds } from '../support/database/database.ts';
import { openedForTests } from '../support/run/opened-for-tests.ts';
import { openHostedWorld } from './support/hosted.ts';

const isHere = testDatabaseKinds().includes('postgres');

describe.skipIf(!isHere)(`a hosted project’s community${isHere ? '' : ` (${POSTGRES_SKIPPED})`}`, () => {
  const world = openedForTests(() => openHostedWorld());

  async function admin() {
    const user = await world().user();
    await world().project.admin.query(OWNER, "update public.profiles set role = 'admin' where id = $1", [user.id]);
    return user;
  }

  test('accepts one vote a day and shows everyone the count', async () => {
    const { client } = await world().user();

    const first = await client.rpc('submit_vote', { p_currency: 'btc', p_direction: 'up' });
    const second = await client.rpc('submit_vote', { p_currency: 'btc', p_direction: 'down' });
    const stats = await world().visitor().rpc('get_vote_stats', { p_currency: 'btc' });

    expect(first.error).toBeNull();
    expect(second.error?.message).toContain('TOO_SOON');
    expect(stats.data).toMatchObject([{ up_count: 1, down_count: 0, total: 1 }]);
  });

  test('publishes posts by an admin and refuses posts by other users', async () => {
    const [chief, guest] = [await admin(), await world().user()];

    const written = await chief.client
      .from('changelog_posts')
      .insert({ content: 'Hosted', author_id: chief.id, published_at: new Date().toISOString() });
    const refused = await guest.client.from('changelog_posts').insert({ content: 'No', author_id: guest.id });
    const read = await world().visitor().from('changelog_posts').select('content');

    expect(written.error).toBeNull();
    expect(refused.error).not.toBeNull();
    expect(read.data).toEqual([{ content: 'Hosted' }]);
    expect(await (await fetch(`${world().url}/change-log.atom`)).text()).toContain('Hosted');
  });

  test('shows admins reports and the site state, and refuses both to other users', async () => {
    const [chief, guest] = [await admin(), await world().user()];
    const list = (client: typeof chief.client) =>
      client.rpc('admin_list_users', {}, { count: 'exact' }).select('id,role').eq('id', guest.id).limit(200);

    const found = await list(chief.client);
    const daily = await chief.client.rpc('admin_remaining_daily').in('user_id', [guest.id]);
    const summary = await chief.client.rpc('admin_summary');
    const state = await world().invoke('operations-state', chief.accessToken);

    expect([found.count, found.data]).toEqual([1, [{ id: guest.id, role: 'user' }]]);
    expect(daily.data).toMatchObject([{ user_id: guest.id, plan_tier: 'free' }]);
    expect(summary.error).toBeNull();
    expect([state.status, Object.keys(await state.json()).length > 3]).toEqual([200, true]);
    expect((await list(guest.client)).error).toMatchObject({ code: '42501' });
    expect((await world().invoke('operations-state', guest.accessToken)).status).toBe(403);
  });
});
