/** Personal keys are created, listed, refused and revoked, and none of them reaches a log. */
import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { asOwner, OWNER } from '../../server/platform/database/database.ts';
import { describeOneDatabase } from '../support/database/each-database.ts';
import { openedForTests } from '../support/run/opened-for-tests.ts';
import { authenticatorApps } from './support/auth/factors.ts';
import { apiCalls, readApiServer } from './support/data/read-api.ts';

const DAY_MS = 86_400_000;

describeOneDatabase('personal keys', (kind) => {
  const lines: string[] = [];
  const server = openedForTests(() => readApiServer(kind, { log: (line) => void lines.push(line) }));
  const { call, newKey, request } = apiCalls(server);
  const { verified, signInAgain, enroll } = authenticatorApps(server);
  const refusal = (status: number, code: string) => ({ status, body: { code } });
  const columns = 'id, name, prefix, created_at, last_used_at, expires_at, revoked_at';

  test('shows a key once, stores its hash, lists its prefix and emails the owner', async () => {
    const user = await server().confirmedUser();

    const { id, key } = await newKey(user, { name: ' laptop ', expires_in_days: 30 });

    expect(key).toMatch(/^kat_[A-Za-z0-9]{40}$/);
    const [row] = await asOwner(server().database).query<Record<string, unknown>>(
      `select encode(key_hash, 'hex') as hash, (k.*)::text as text, expires_at - created_at = interval '30 days' as lives
         from public.api_keys k where id = $1::text::uuid`,
      [id],
    );
    expect(row).toMatchObject({ hash: createHash('sha256').update(key).digest('hex'), lives: true });
    expect(row?.text).not.toContain(key.slice(10));
    const { data } = await user.client.from('api_keys').select(columns);
    expect(data).toMatchObject([
      { id, name: 'laptop', prefix: key.slice(0, 10), last_used_at: null, revoked_at: null },
    ]);
    expect((await user.client.from('api_keys').select('key_hash')).error?.code).toBe('42501');
    const mails = await server().database.query(
      OWNER,
      'select kind from private.outgoing_mail where to_address = $1::text',
      [user.email],
    );
    expect(mails).toContainEqual({ kind: 'api_key_made' });
    const exported = await call(user.accessToken, 'export-account');
    expect(exported.api_keys).toMatchObject([{ id, name: 'laptop' }]);
    expect(JSON.stringify(exported)).not.toContain('key_hash');
  });

  test('creates no key before the address is proven, because the creator may not be its owner', async () => {
    const stranger = await server().user();
    const wanted = { name: 'mine from now on' };

    const refused = { ok: false, reason: 'account/address-not-proven' };
    expect(await call(stranger.accessToken, 'create-api-key', wanted)).toMatchObject(refused);
    expect((await stranger.client.from('api_keys').select('id')).data).toEqual([]);
  });

  test.each([
    ['no name', {}],
    ['a blank one', { name: '  ' }],
    ['one of 61 characters', { name: 'n'.repeat(61) }],
    ['one with a line end', { name: 'a\nb' }],
    ['no day at all', { name: 'a', expires_in_days: 0 }],
    ['half a day', { name: 'a', expires_in_days: 0.5 }],
    ['more than ten years', { name: 'a', expires_in_days: 3651 }],
    ['an owner', { name: 'a', user_id: '00000000-0000-4000-8000-000000000001' }],
  ])('creates no key when the request has %s', async (_what, body) => {
    const user = await server().confirmedUser();
    expect(await call(user.accessToken, 'create-api-key', body)).toMatchObject({
      status: 400,
      code: 'request/invalid',
    });
    expect((await user.client.from('api_keys').select('id')).data).toEqual([]);
  });

  test('allows ten live keys, also in parallel; revoked and expired keys free a place', async () => {
    const user = await server().confirmedUser();
    const created = await Promise.all(
      Array.from({ length: 13 }, (_, i) =>
        call(user.accessToken, 'create-api-key', { name: `key ${i}`, ...(i === 0 && { expires_in_days: 1 }) }),
      ),
    );
    expect(created.filter(({ ok }) => ok)).toHaveLength(10);
    expect(created.find(({ ok }) => ok === false)).toMatchObject({ status: 200, reason: 'account/too-many-keys' });

    const [one] = (await user.client.from('api_keys').select('id')).data ?? [];
    expect(await call(user.accessToken, 'revoke-api-key', { id: one?.id })).toMatchObject({ ok: true });
    expect(await call(user.accessToken, 'create-api-key', { name: 'eleventh' })).toMatchObject({ ok: true });
    expect(await call(user.accessToken, 'create-api-key', { name: 'twelfth' })).toMatchObject({ ok: false });
    await asOwner(server().database).query(
      `update public.api_keys set created_at = now() - interval '2 days', expires_at = now() - interval '1 day' where id in
         (select id from public.api_keys where user_id = $1::text::uuid and revoked_at is null limit 1)`,
      [user.id],
    );
    expect(await call(user.accessToken, 'create-api-key', { name: 'twelfth' })).toMatchObject({ ok: true });
  });

  test('rejects missing keys, malformed keys and session tokens', async () => {
    const user = await server().confirmedUser();
    const { key } = await newKey(user);
    const bad = [
      `${key.slice(0, -1)}`,
      `${key}x`,
      key.toLowerCase(),
      `kat_${'a'.repeat(40)}`,
      user.accessToken,
      server().keys.anonKey,
      "kat_' or 1=1",
    ];

    expect(await request('/me', null)).toMatchObject(refusal(401, 'api/no-key'));
    for (const text of bad)
      expect([text, await request('/me', text)]).toMatchObject([text, refusal(401, 'api/bad-key')]);
    expect(await request('/me', null, { headers: { authorization: `Basic ${btoa(key)}` } })).toMatchObject(
      refusal(401, 'api/bad-key'),
    );
    expect(await request('/me', key)).toMatchObject({ status: 200, body: { key: { name: 'laptop' } } });
  });

  test('does not open functions, tables or accounts with a personal key', async () => {
    const { key } = await newKey(await server().confirmedUser());

    expect(await call(key, 'list-sessions')).toMatchObject({ status: 401, code: 'auth/bad-token' });
    const rest = await server().request('/rest/v1/api_keys?select=id', { headers: { authorization: `Bearer ${key}` } });
    expect(rest.status).toBe(401);
    const auth = await server().request('/auth/v1/user', { headers: { authorization: `Bearer ${key}` } });
    expect([401, 403]).toContain(auth.status);
  });

  test('rejects a key in the query string under any parameter name', async () => {
    const { key } = await newKey(await server().confirmedUser());

    for (const query of [
      `?key=${key}`,
      '?api_key=x',
      '?apikey=x',
      '?access_token=x',
      `?sym=${key}`,
      `?${key}`,
      `?sym=kat%5F${key.slice(4)}`,
    ])
      for (const sent of [null, key])
        expect([query, await request(`/records${query}`, sent)]).toMatchObject([
          query,
          refusal(400, 'api/key-in-address'),
        ]);
  });

  test('refuses a revoked key immediately, and lets users revoke only their own keys, once', async () => {
    const [ada, bob] = [await server().confirmedUser(), await server().confirmedUser()];
    const { id, key } = await newKey(ada);

    for (const other of [id, '00000000-0000-4000-8000-000000000001'])
      expect(await call(bob.accessToken, 'revoke-api-key', { id: other })).toMatchObject({
        ok: false,
        reason: 'account/no-such-key',
      });
    expect((await request('/me', key)).status).toBe(200);

    expect(await call(ada.accessToken, 'revoke-api-key', { id })).toMatchObject({ ok: true });
    expect(await request('/me', key)).toMatchObject(refusal(401, 'api/key-revoked'));
    expect(await call(ada.accessToken, 'revoke-api-key', { id })).toMatchObject({
      ok: false,
      reason: 'account/no-such-key',
    });
    expect(await call(ada.accessToken, 'revoke-api-key', { id: "' or true --" })).toMatchObject({ status: 400 });
  });

  test('refuses the keys of deleted and banned accounts', async () => {
    const [deleted, banned] = [await server().confirmedUser(), await server().confirmedUser()];
    const [{ key: ofDeleted }, { key: ofBanned }] = [await newKey(deleted), await newKey(banned)];
    const { database } = server();

    await database.query(OWNER, 'delete from auth.users where id = $1::text::uuid', [deleted.id]);
    await database.query(
      OWNER,
      "update auth.users set banned_until = now() + interval '10 days' where id = $1::text::uuid",
      [banned.id],
    );

    expect(await request('/me', ofDeleted)).toMatchObject(refusal(401, 'api/bad-key'));
    expect(await request('/me', ofBanned)).toMatchObject(refusal(403, 'auth/forbidden'));
  });

  test('requires the second factor to create or revoke keys, and refuses keys from before it', async () => {
    const user = await server().confirmedUser();
    const before = await newKey(user, { name: 'before' });
    expect((await request('/me', before.key)).status).toBe(200);
    const app = await enroll(user.client);
    const { data } = await user.client.auth.mfa.challengeAndVerify({ factorId: app.factorId, code: app.code() });

    expect(await request('/me', before.key)).toMatchObject(refusal(403, 'api/key-too-weak'));
    const after = await newKey({ accessToken: data?.access_token ?? '' }, { name: 'after' });
    expect((await request('/me', after.key)).status).toBe(200);

    const account = await verified();
    const { id, key } = await newKey(account);
    const { accessToken, client } = await signInAgain(account);
    expect(await call(accessToken, 'create-api-key', { name: 'weak' })).toMatchObject({
      status: 403,
      code: 'auth/second-factor-needed',
    });
    expect(await call(accessToken, 'revoke-api-key', { id })).toMatchObject({
      status: 403,
      code: 'auth/second-factor-needed',
    });
    expect((await client.from('api_keys').select('id')).data).toEqual([]);
    expect((await request('/me', key)).status).toBe(200);
  });

  test('rounds the last use to the hour, and reports an expired key as expired', async () => {
    const user = await server().confirmedUser();
    const { id, key } = await newKey(user, { name: 'short', expires_in_days: 1 });

    await request('/me', key);
    const { data } = await user.client.from('api_keys').select('last_used_at').eq('id', id).single();
    expect(Date.parse(data?.last_used_at) % 3_600_000).toBe(0);
    expect(Math.abs(server().clock.nowMs() - Date.parse(data?.last_used_at))).toBeLessThan(3_600_000);

    server().advance(DAY_MS + 1000);
    expect(await request('/me', key)).toMatchObject(refusal(401, 'api/key-expired'));
  });

  test('writes no key to the log', async () => {
    const { key } = await newKey(await server().confirmedUser());
    await request(`/records?sym=${key}`, key);
    await request(`/${key}`, key);
    await request('/predictions?cursor=wrong', key);

    expect(lines.length).toBeGreaterThanOrEqual(4);
    expect(lines.filter((line) => /kat_[A-Za-z0-9]{11}/.test(line))).toEqual([]);
  });
});
