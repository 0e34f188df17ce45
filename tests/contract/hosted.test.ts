/** A hosted project behind our origin, transparent to the client library. */
import { describe, expect, test, vi } from 'vitest';
import { OWNER } from '../../server/platform/database/database.ts';
import { photograph } from '../support/browser/pictures.ts';
import { POSTGRES_SKIPPED, testDatabaseKinds } from '../support/database/database.ts';
import { openedForTests } from '../support/run/opened-for-tests.ts';
import { openHostedWorld, PASSWORD } from './support/hosted.ts';

const isHere = testDatabaseKinds().includes('postgres');
describe.skipIf(!isHere)(`a hosted project${isHere ? '' : ` (${POSTGRES_SKIPPED})`}`, () => {
  const world = openedForTests(() => openHostedWorld());

  test("gives browsers our own address and the project's anon key", async () => {
    const config = await (await fetch(`${world().url}/config.json`)).json();

    expect(config).toMatchObject({ supabaseUrl: world().url, supabaseAnonKey: world().project.anonKey });
  });

  test('includes the project in readiness', async () => {
    // A check that takes too long counts as failed, until the next one.
    await vi.waitFor(async () => {
      const ready = await (await fetch(`${world().url}/readyz`)).json();
      expect(ready.checks).toMatchObject({ database: true, project: true });
    });
  });

  describe('accounts', () => {
    test('signs an account up, in and out, refreshes its session and changes it', async () => {
      const { email, id } = await world().user();
      const client = world().visitor();

      const signedIn = await client.auth.signInWithPassword({ email, password: PASSWORD });
      const refreshed = await client.auth.refreshSession();
      const changed = await client.auth.updateUser({ data: { full_name: 'Ada' } });
      const user = await client.auth.getUser();
      const signedOut = await client.auth.signOut();

      expect([signedIn.error, refreshed.error, changed.error, user.error, signedOut.error]).toEqual(
        Array.from({ length: 5 }, () => null),
      );
      expect(refreshed.data.session?.refresh_token).not.toBe(signedIn.data.session?.refresh_token);
      expect(user.data.user).toMatchObject({ id, email, user_metadata: { full_name: 'Ada' } });
    });

    test("returns the project's account refusals unchanged", async () => {
      const { email } = await world().user();

      const again = await world().visitor().auth.signUp({ email, password: PASSWORD });
      const wrong = await world().visitor().auth.signInWithPassword({ email, password: 'Password2' });

      expect(again.error).toMatchObject({
        status: 422,
        code: 'user_already_exists',
        message: 'User already registered',
      });
      expect(wrong.error).toMatchObject({
        status: 400,
        code: 'invalid_credentials',
        message: 'Invalid login credentials',
      });
    });

    test("creates a profile through our trigger on the project's table", async () => {
      const { client, id, email } = await world().user();

      const { data } = await client.from('profiles').select('id, email').single();

      expect(data).toEqual({ id, email });
    });

    test("lets the client library verify tokens with the project's public keys", async () => {
      const { client, id } = await world().user();

      const { data, error } = await client.auth.getClaims();

      expect(error).toBeNull();
      expect(data?.claims).toMatchObject({ sub: id, iss: `${world().project.url}/auth/v1` });
    });
  });

  describe('tables', () => {
    test('inserts, upserts, updates, counts and pages rows', async () => {
      const { client, id } = await world().user();
      const activity = { user_id: id, activity_type: 'account_created', activity_data: { n: 1 } };
      await world().project.database.query(
        OWNER,
        `insert into public.user_predictions (user_id, cryptocurrency, model, data)
         select $1::text::uuid, coin, 'kat1', (select jsonb_agg('{}'::jsonb) from generate_series(1, 200))
           from unnest(array['BTC', 'ETH', 'SOL']) as c (coin)`,
        [id],
      );

      const inserted = await client.from('user_activity').insert(activity).select('activity_data');
      const reported = await client.from('error_logs').insert([{ error_message: 'one' }, { error_message: 'two' }]);
      const upserted = await client.from('profiles').upsert({ id, bio: 'no' }, { ignoreDuplicates: true }).select();
      const updated = await client.from('profiles').update({ bio: 'hello' }).eq('id', id).select('bio').single();
      const counted = await client.from('user_predictions').select('*', { count: 'exact', head: true });
      const page = await client
        .from('user_predictions')
        .select('cryptocurrency', { count: 'exact' })
        .order('cryptocurrency')
        .range(1, 1);

      expect(inserted.data).toEqual([{ activity_data: { n: 1 } }]);
      expect(reported.status).toBe(201);
      expect([upserted.error, upserted.data]).toEqual([null, []]);
      expect(updated.data).toEqual({ bio: 'hello' });
      expect(counted.count).toBe(3);
      expect([page.status, page.count, page.data]).toEqual([206, 3, [{ cryptocurrency: 'ETH' }]]);
    });

    test('honors the Range header', async () => {
      const answer = await world().request('/rest/v1/billing_prices?select=plan&order=plan', {
        headers: { range: '1-1', 'range-unit': 'items', prefer: 'count=exact' },
      });

      expect([answer.status, answer.headers.get('content-range')]).toEqual([206, '1-1/2']);
      expect(await answer.json()).toEqual([{ plan: 'lion' }]);
    });

    test("returns the project's table refusals unchanged", async () => {
      const { client } = await world().user();

      const unknown = await client.from('nothing').select();
      const refused = await client.from('billing_prices').insert({ price_id: 'x', plan: 'lion', unit_amount: 1 });
      const procedure = await client.rpc('nothing', { a: 1 });
      const none = await client.from('profiles').select().eq('email', 'nobody@example.com').single();

      expect([unknown.status, unknown.error?.code]).toEqual([404, 'PGRST205']);
      expect([refused.status, refused.error?.code]).toEqual([403, '42501']);
      expect([procedure.status, procedure.error?.code]).toEqual([404, 'PGRST202']);
      expect([none.status, none.error?.code, none.error?.details]).toEqual([
        406,
        'PGRST116',
        'The result contains 0 rows',
      ]);
    });

    test('calls a procedure', async () => {
      await world().project.admin.query(
        OWNER,
        "create function public.twice(n integer) returns integer language sql stable set search_path = '' as 'select n * 2'",
      );
      await world().project.admin.query(OWNER, 'grant execute on function public.twice to authenticated');
      await world().project.admin.query(OWNER, 'notify pgrst');
      const { client } = await world().user();

      await expect.poll(async () => (await client.rpc('twice', { n: 21 })).data).toBe(42);
    });
  });

  describe('files', () => {
    test('uploads a file and serves it under our own address', async () => {
      const { client, id } = await world().user();
      const picture = await photograph('png', 8);
      const path = `${id}/1.png`;
      const avatars = client.storage.from('avatars');

      const uploaded = await avatars.upload(path, new Blob([picture], { type: 'image/png' }));
      const { publicUrl } = avatars.getPublicUrl(path).data;
      const shown = await fetch(publicUrl);

      expect(uploaded.error).toBeNull();
      expect(publicUrl.startsWith(`${world().url}/storage/v1/`)).toBe(true);
      expect([shown.status, shown.headers.get('content-type')]).toEqual([200, 'image/png']);
      expect((await shown.arrayBuffer()).byteLength).toBeGreaterThan(50);
    });

    test("returns the project's refusal of an upload into another user's folder", async () => {
      const { client } = await world().user();
      const other = await world().user();

      const { error } = await client.storage
        .from('avatars')
        .upload(`${other.id}/1.png`, new Blob(['x'], { type: 'image/png' }));

      expect(error).toMatchObject({ name: 'StorageApiError', statusCode: expect.stringMatching(/^4/) });
    });
  });

  describe('our own functions', () => {
    test("accepts the project's tokens", async () => {
      const { client } = await world().user();

      const { data, error } = await client.functions.invoke('get-quota');

      expect(error).toBeNull();
      expect(data).toMatchObject({ ok: true, remaining_daily: 0 });
    });

    test('refuses visitors, who carry the anon key', async () => {
      const answer = await world().invoke('get-quota', world().project.anonKey);

      expect([answer.status, (await answer.json()).code]).toEqual([401, 'auth/not-signed-in']);
    });
  });
});
