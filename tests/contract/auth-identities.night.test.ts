/** Linking a second identity to an account, and unlinking it, through the client library. */
import type { SupabaseClient } from '@supabase/supabase-js';
import { expect, test } from 'vitest';
import { OWNER } from '../../server/platform/database/database.ts';
import { describeOneDatabase } from '../support/database/each-database.ts';
import { openedForTests } from '../support/run/opened-for-tests.ts';
import {
  fragmentOf,
  linkThrough,
  openOAuthWorld,
  type ProviderName,
  pkceClient,
  signInThrough,
  startLink,
  type Who,
} from './support/auth/oauth.ts';

describeOneDatabase('identities', (kind) => {
  const world = openedForTests(() => openOAuthWorld(kind));

  const start = (client: SupabaseClient, provider: ProviderName) => startLink(world().server, client, provider);
  const link = (client: SupabaseClient, provider: ProviderName, who: Who) =>
    linkThrough(world().server, client, provider, who);

  async function identitiesOf(client: SupabaseClient) {
    const { data, error } = await client.auth.getUserIdentities();
    if (error) throw error;
    return data.identities;
  }

  async function unlink(client: SupabaseClient, provider: string) {
    const identity = (await identitiesOf(client)).find((one) => one.provider === provider);
    if (identity === undefined) throw new Error(`no identity of ${provider}`);
    return client.auth.unlinkIdentity(identity);
  }

  test('links an identity with another address, and leaves the address of the account', async () => {
    const { client, email, id } = await world().server.user();

    const end = await link(client, 'google', { email: 'elsewhere@example.com' });

    expect(end.pathname).toBe('/account/security');
    expect([end.search, end.hash]).toEqual(['', '']);
    const identities = await identitiesOf(client);
    expect(identities.map(({ provider }) => provider)).toEqual(['email', 'google']);
    expect(identities[1]).toMatchObject({ user_id: id, identity_data: { email: 'elsewhere@example.com' } });
    const { data } = await client.auth.getUser();
    expect(data.user?.email).toBe(email);
    expect(data.user?.app_metadata).toEqual({ provider: 'email', providers: ['email', 'google'] });
    const { session } = await signInThrough(world().server, 'google', { email: 'elsewhere@example.com' });
    expect(session?.user.id).toBe(id);
  });

  test('refuses an identity of another account, and reports it to the page', async () => {
    await signInThrough(world().server, 'github', { email: 'taken@example.com' });
    const { client } = await world().server.user();

    const end = await link(client, 'github', { email: 'taken@example.com' });

    expect(end.pathname).toBe('/account/security');
    expect(fragmentOf(end)).toMatchObject({
      error_code: 'identity_already_exists',
      error_description: 'Identity is already linked to another user',
    });
    expect(await identitiesOf(client)).toHaveLength(1);
  });

  test('refuses to link an identity twice', async () => {
    const { client } = await world().server.user();
    await link(client, 'github', { email: 'mine@example.com' });

    const end = await link(client, 'github', { email: 'mine@example.com' });

    expect(fragmentOf(end)).toMatchObject({
      error_code: 'identity_already_exists',
      error_description: 'Identity is already linked',
    });
  });

  test('links an identity to one of two accounts that claim it at the same time', async () => {
    const users = await Promise.all([world().server.user(), world().server.user()]);
    const ways = await Promise.all(
      users.map(async ({ client }) => {
        const { browser, url } = await start(client, 'google');
        const callback = await browser.signInUntilCallback(url, { email: 'contested@example.com' });
        return { browser, callback };
      }),
    );

    const ends = await Promise.all(ways.map(({ browser, callback }) => browser.follow(callback.href)));

    const codes = ends.map((end) => fragmentOf(end).error_code ?? 'linked').sort();
    expect(codes).toEqual(['identity_already_exists', 'linked']);
  });

  test('refuses a link that was begun before the user signed out', async () => {
    const { client, id } = await world().server.user();
    const { browser, url } = await start(client, 'github');
    await client.auth.signOut({ scope: 'local' });

    const end = await browser.signIn(url, { email: 'too.late@example.com' });

    expect(fragmentOf(end).error_code).toBe('session_not_found');
    const rows = await world().server.database.query(
      OWNER,
      'select 1 from auth.identities where user_id = $1::text::uuid',
      [id],
    );
    expect(rows).toHaveLength(1);
  });

  test('drops prompt=none from a link, and forwards other prompts', async () => {
    const { client } = await world().server.user();
    const promptOf = async (prompt: string) => {
      const { data: current } = await client.auth.getSession();
      const page = pkceClient(world().server);
      if (current.session !== null) await page.auth.setSession(current.session);
      const { data } = await page.auth.linkIdentity({ provider: 'google', options: { queryParams: { prompt } } });
      return new URL(data.url ?? '').searchParams.get('prompt');
    };

    expect(await promptOf('none')).toBeNull();
    expect(await promptOf('None consent')).toBeNull();
    expect(await promptOf('consent')).toBe('consent');
  });

  test('refuses to link without a session or through an unknown provider', async () => {
    const { accessToken } = await world().server.user();
    const path = '/auth/v1/user/identities/authorize?skip_http_redirect=true&provider=';

    const stranger = await world().server.request(`${path}google`);
    const odd = await world().server.request(`${path}facebook`, {
      headers: { authorization: `Bearer ${accessToken}` },
    });

    expect(stranger.status).toBe(401);
    expect(await odd.json()).toMatchObject({ code: 400, error_code: 'validation_failed' });
  });

  test('unlinks only the identity and its provider', async () => {
    const { client, email } = await world().server.user();
    await link(client, 'github', { email: 'gone@example.com' });

    const { error } = await unlink(client, 'github');

    expect(error).toBeNull();
    const { data } = await client.auth.getUser();
    expect(data.user).toMatchObject({ email, app_metadata: { provider: 'email', providers: ['email'] } });
    const again = await signInThrough(world().server, 'github', { email: 'gone@example.com' });
    expect(again.session?.user.id).not.toBe(data.user?.id);
  });

  test('refuses to unlink the only identity that proves the address of the account', async () => {
    const { client, email } = await world().server.user();
    await link(client, 'google', { email: 'next.proven@example.com' });
    await link(client, 'github', { email, isVerified: false });

    const { error } = await unlink(client, 'email');

    expect(error).toMatchObject({ status: 422, code: 'email_conflict_identity_not_deletable' });
    expect(await identitiesOf(client)).toHaveLength(3);
    const { data } = await client.auth.getUser();
    expect(data.user?.email).toBe(email);
  });

  test('unlinks the email identity when another one proves the same address', async () => {
    const { client, email } = await world().server.user();
    await link(client, 'google', { email });

    const { error } = await unlink(client, 'email');

    expect(error).toBeNull();
    const { data } = await client.auth.getUser();
    expect(data.user).toMatchObject({ email, app_metadata: { provider: 'google', providers: ['google'] } });
  });

  test('refuses to unlink the last identity', async () => {
    const { client } = await world().server.user();

    const { error } = await unlink(client, 'email');

    expect(error).toMatchObject({
      status: 422,
      code: 'single_identity_not_deletable',
      message: 'User must have at least 1 identity after unlinking',
    });
  });

  test('refuses one of two simultaneous unlinks of the last two identities', async () => {
    for (let round = 0; round < 5; round += 1) {
      const who = { email: `parallel${round}@example.com` };
      await signInThrough(world().server, 'google', who);
      const { client } = await signInThrough(world().server, 'github', who);
      const identities = await identitiesOf(client);

      const answers = await Promise.all(identities.map((identity) => client.auth.unlinkIdentity(identity)));

      const codes = answers.map(({ error }) => error?.code ?? 'unlinked').sort();
      expect(codes).toEqual(['single_identity_not_deletable', 'unlinked']);
      expect(await identitiesOf(client)).toHaveLength(1);
    }
  });

  test.each([
    ['no UUID', 'not-a-uuid', 404, 'validation_failed'],
    ['an unknown UUID', '00000000-0000-4000-8000-000000000000', 422, 'identity_not_found'],
  ])('rejects an identity id that is %s', async (_which, id, status, code) => {
    const { client, accessToken } = await world().server.user();
    await link(client, 'github', { email: `${code}@example.com` });

    const answer = await world().server.request(`/auth/v1/user/identities/${id}`, {
      method: 'DELETE',
      headers: { authorization: `Bearer ${accessToken}` },
    });

    expect(await answer.json()).toMatchObject({ code: status, error_code: code });
  });

  test('reports the identity of another account as not found', async () => {
    const other = await world().server.user();
    const [theirs] = await identitiesOf(other.client);
    const { client } = await world().server.user();
    await link(client, 'github', { email: 'own.second@example.com' });
    if (theirs === undefined) throw new Error('no identity');

    const { error } = await client.auth.unlinkIdentity(theirs);

    expect(error).toMatchObject({ status: 422, code: 'identity_not_found' });
    expect(await identitiesOf(other.client)).toHaveLength(1);
  });
});
