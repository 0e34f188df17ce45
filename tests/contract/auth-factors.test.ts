/** Setting up an authenticator app, showing it at sign-in, and removing it. */
import { decodeJwt } from 'jose';
import { expect, test } from 'vitest';
import { OWNER } from '../../server/platform/database/database.ts';
import { describeBothAtNight } from '../support/database/day-database.ts';
import { openedForTests } from '../support/run/opened-for-tests.ts';
import { authCalls } from './support/auth/auth.ts';
import { authenticatorApps } from './support/auth/factors.ts';
import { backendTestServer } from './support/backend.ts';

const METHODS = (token: string) => (decodeJwt(token).amr as { method: string }[]).map(({ method }) => method).sort();

describeBothAtNight('second factors', (kind) => {
  const server = openedForTests(() => backendTestServer(kind));
  const { refresh, statusOfUser } = authCalls(server);
  const { enroll, challenge, verified, signInAgain, startNextStep } = authenticatorApps(server);

  const profileOf = async (userId: string) => {
    const { data } = await server().service().from('profiles').select('two_factor_enabled').eq('id', userId).single();
    return data?.two_factor_enabled;
  };

  test('enrolls an app with a secret, a URI and a QR code, still unverified', async () => {
    const { client, email } = await server().confirmedUser();

    const { data, error } = await client.auth.mfa.enroll({ factorType: 'totp', friendlyName: 'phone' });

    expect(error).toBeNull();
    expect(data).toMatchObject({ type: 'totp', friendly_name: 'phone' });
    expect(data?.totp.secret).toMatch(/^[A-Z2-7]{32}$/);
    expect(decodeURIComponent(data?.totp.uri ?? '')).toContain(`${new URL(server().url).host}:${email}?`);
    expect(data?.totp.qr_code).toMatch(/^data:image\/svg\+xml;utf-8,<svg [^#%]+<\/svg>$/s);
    const factors = await client.auth.mfa.listFactors();
    expect(factors.data?.all).toMatchObject([{ id: data?.id, status: 'unverified', friendly_name: 'phone' }]);
    expect(factors.data?.totp).toEqual([]);
    const stored = await server().database.query(OWNER, 'select secret from auth.mfa_factors where id = $1', [
      data?.id,
    ]);
    expect(String(stored[0]?.secret)).not.toContain(data?.totp.secret ?? '?');
  });

  test('raises the session to aal2 with a code, and reports it everywhere', async () => {
    const { client, id } = await server().confirmedUser();
    const app = await enroll(client);
    const before = await client.auth.mfa.getAuthenticatorAssuranceLevel();
    const challenged = await client.auth.mfa.challenge({ factorId: app.factorId });

    const { data, error } = await client.auth.mfa.verify({
      factorId: app.factorId,
      challengeId: challenged.data?.id ?? '',
      code: app.code(),
    });

    expect(error).toBeNull();
    expect(before.data).toMatchObject({ currentLevel: 'aal1', nextLevel: 'aal1' });
    expect(challenged.data).toMatchObject({ type: 'totp' });
    expect(Math.abs((challenged.data?.expires_at ?? 0) - server().clock.nowMs() / 1000 - 300)).toBeLessThan(5);
    expect(decodeJwt(data?.access_token ?? '')).toMatchObject({ aal: 'aal2', sub: id });
    expect(METHODS(data?.access_token ?? '')).toEqual(['password', 'totp']);
    expect(data?.user.factors).toMatchObject([{ id: app.factorId, status: 'verified' }]);
    const after = await client.auth.mfa.getAuthenticatorAssuranceLevel();
    expect(after.data).toMatchObject({ currentLevel: 'aal2', nextLevel: 'aal2' });
    expect((await client.auth.mfa.listFactors()).data?.totp).toMatchObject([{ id: app.factorId }]);
    expect(await profileOf(id)).toBe(true);
  });

  test('keeps the session at its level across refreshes', async () => {
    const { client, accessToken } = await verified();

    const once = await client.auth.refreshSession();
    const twice = await client.auth.refreshSession();

    for (const { data } of [once, twice]) {
      const token = data.session?.access_token ?? '';
      expect(decodeJwt(token)).toMatchObject({ aal: 'aal2', session_id: decodeJwt(accessToken).session_id });
      expect(METHODS(token)).toEqual(['password', 'totp']);
    }
  });

  test('starts a new sign-in at aal1 and reports that aal2 is possible', async () => {
    const account = await verified();

    const again = await signInAgain(account);

    expect(decodeJwt(again.accessToken)).toMatchObject({ aal: 'aal1' });
    const level = await again.client.auth.mfa.getAuthenticatorAssuranceLevel();
    expect(level.data).toMatchObject({ currentLevel: 'aal1', nextLevel: 'aal2' });
    const { error } = await again.client.auth.mfa.challengeAndVerify({
      factorId: account.app.factorId,
      code: account.app.code(),
    });
    expect(error).toBeNull();
    expect((await again.client.auth.mfa.getAuthenticatorAssuranceLevel()).data?.currentLevel).toBe('aal2');
  });

  test('ends sessions with one factor on verification, and leaves those with two', async () => {
    const account = await verified();
    const strong = await signInAgain(account);
    const weak = await signInAgain(account);
    await strong.client.auth.mfa.challengeAndVerify({ factorId: account.app.factorId, code: account.app.code() });
    const strongToken = (await strong.client.auth.getSession()).data.session?.access_token ?? '';
    const weakAgain = await signInAgain(account);
    expect(await statusOfUser(weakAgain.accessToken)).toBe(200);

    await account.client.auth.mfa.challengeAndVerify({ factorId: account.app.factorId, code: account.app.code(1) });

    expect(await statusOfUser(weak.accessToken)).toBe(403);
    expect(await statusOfUser(weakAgain.accessToken)).toBe(403);
    expect((await weakAgain.client.auth.refreshSession()).error?.code).toBe('refresh_token_not_found');
    expect(await statusOfUser(strongToken)).toBe(200);
  });

  test('does not raise a refresh token from before the second factor', async () => {
    const { client } = await server().confirmedUser();
    const before = (await client.auth.getSession()).data.session?.refresh_token ?? '';
    const app = await enroll(client);
    const { data } = await client.auth.mfa.challengeAndVerify({ factorId: app.factorId, code: app.code() });

    const soon = await refresh(before);
    server().advance(11_000);
    const late = await refresh(before);

    expect(data?.refresh_token).not.toBe(before);
    expect(soon).toMatchObject({ status: 400, body: { error_code: 'refresh_token_not_found' } });
    expect(late).toMatchObject({ status: 400, body: { error_code: 'refresh_token_already_used' } });
  });

  test('removes unfinished apps on verification', async () => {
    const { client } = await server().confirmedUser();
    const begun = await enroll(client, 'begun');
    const app = await enroll(client, 'finished');

    await client.auth.mfa.challengeAndVerify({ factorId: app.factorId, code: app.code() });

    const { data } = await client.auth.mfa.listFactors();
    expect(data?.all.map(({ id }) => id)).toEqual([app.factorId]);
    expect((await client.auth.mfa.challenge({ factorId: begun.factorId })).error?.code).toBe('mfa_factor_not_found');
  });

  test('returns the sessions to aal1 when the app is removed', async () => {
    const account = await verified();
    const other = await signInAgain(account);
    await other.client.auth.mfa.challengeAndVerify({ factorId: account.app.factorId, code: account.app.code() });

    const { data, error } = await account.client.auth.mfa.unenroll({ factorId: account.app.factorId });

    expect(error).toBeNull();
    expect(data).toEqual({ id: account.app.factorId });
    for (const { client } of [account, other]) {
      const token = (await client.auth.refreshSession()).data.session?.access_token ?? '';
      expect(decodeJwt(token)).toMatchObject({ aal: 'aal1' });
      expect(METHODS(token)).toEqual(['password']);
    }
    expect((await account.client.auth.mfa.listFactors()).data?.all).toEqual([]);
    expect(await profileOf(account.id)).toBe(false);
  });

  test('rejects an aal2 token once its factor is removed', async () => {
    const { client, app } = await verified();
    const second = await enroll(client, 'tablet');
    startNextStep();
    await client.auth.mfa.challengeAndVerify({ factorId: second.factorId, code: second.code() });
    await client.auth.mfa.unenroll({ factorId: second.factorId });

    const { error } = await client.auth.mfa.unenroll({ factorId: app.factorId });

    expect(error).toMatchObject({ status: 422, code: 'insufficient_aal' });
    expect((await client.auth.mfa.enroll({ factorType: 'totp', friendlyName: 'x' })).error?.code).toBe(
      'insufficient_aal',
    );
  });

  test('allows two apps side by side, each of which verifies a session', async () => {
    const account = await verified();
    const tablet = await enroll(account.client, 'tablet');
    const added = await account.client.auth.mfa.challengeAndVerify({ factorId: tablet.factorId, code: tablet.code() });
    startNextStep();

    for (const app of [account.app, tablet]) {
      const { client } = await signInAgain(account);
      const { error } = await client.auth.mfa.challengeAndVerify({ factorId: app.factorId, code: app.code() });
      expect(error).toBeNull();
    }

    expect(added.error).toBeNull();
    expect((await account.client.auth.mfa.listFactors()).data?.totp).toHaveLength(2);
  });

  test('retains only the ten newest open challenges of a factor', async () => {
    const { client } = await server().confirmedUser();
    const app = await enroll(client);

    for (let count = 0; count < 13; count += 1) await challenge(client, app);

    const open = await server().database.query(OWNER, 'select 1 from auth.mfa_challenges where factor_id = $1', [
      app.factorId,
    ]);
    expect(open).toHaveLength(10);
  });
});
