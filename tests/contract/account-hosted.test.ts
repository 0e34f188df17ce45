/** The account functions in front of a hosted project behave the same with that project's database. */
import { Secret, TOTP } from 'otpauth';
import { describe, expect, test } from 'vitest';
import { OWNER } from '../../server/platform/database/database.ts';
import { POSTGRES_SKIPPED, testDatabaseKinds } from '../support/database/database.ts';
import { openedForTests } from '../support/run/opened-for-tests.ts';
import { openHostedWorld, PASSWORD } from './support/hosted.ts';

const STREAM = '/stream-kat2?exc=BINANCE&sym=BTCUSDT.P&fbars=50&lkbk=450&amp=100&ver=213';
const isHere = testDatabaseKinds().includes('postgres');

describe.skipIf(!isHere)(`accounts of a hosted project${isHere ? '' : ` (${POSTGRES_SKIPPED})`}`, () => {
  const world = openedForTests(() => openHostedWorld());
  type User = Awaited<ReturnType<ReturnType<typeof world>['user']>>;

  async function signInAgain({ email }: User) {
    const client = world().visitor();
    const { data, error } = await client.auth.signInWithPassword({ email, password: PASSWORD });
    if (error) throw error;
    return { client, accessToken: data.session.access_token };
  }

  async function withFactor(): Promise<User> {
    const user = await world().user();
    await world().project.admin.query(OWNER, 'update auth.users set email_confirmed_at = now() where id = $1', [
      user.id,
    ]);
    const { data } = await user.client.auth.mfa.enroll({ factorType: 'totp', friendlyName: 'phone' });
    const code = new TOTP({ secret: Secret.fromBase32(data?.totp.secret ?? '') }).generate();
    const verified = await user.client.auth.mfa.challengeAndVerify({ factorId: data?.id ?? '', code });
    if (verified.error) throw verified.error;
    return { ...user, accessToken: verified.data.access_token };
  }

  const call = async (path: string, accessToken: string) => {
    const method = path.startsWith('/functions') ? 'POST' : 'GET';
    const answer = await world().request(path, { method, headers: { authorization: `Bearer ${accessToken}` } });
    return [answer.status, (await answer.json()).code];
  };

  test('lists devices and signs one out, and rejects its token immediately', async () => {
    const user = await world().user();
    const other = await signInAgain(user);

    const { data: listed } = await user.client.functions.invoke('list-sessions', { body: {} });
    const theirs = listed.sessions.find((one: { is_current: boolean }) => !one.is_current);
    expect(await call('/functions/v1/get-quota', other.accessToken)).toEqual([200, undefined]);
    const { data: ended } = await user.client.functions.invoke('end-session', { body: { session_id: theirs.id } });

    expect(listed.sessions).toMatchObject([
      { ip: '127.0.0.1', aal: 'aal1' },
      { ip: '127.0.0.1', aal: 'aal1' },
    ]);
    expect(ended).toEqual({ ok: true });
    expect(await call('/functions/v1/get-quota', other.accessToken)).toEqual([401, 'auth/session-ended']);
    expect((await other.client.auth.refreshSession()).error).not.toBeNull();
  });

  test('leaves deletion to the operator, because the project stores passwords and files', async () => {
    const user = await world().user();

    const body = { action: 'delete', password: 'Password1' };
    const { data } = await user.client.functions.invoke('delete-account', { body });

    expect(data).toMatchObject({ ok: false, reason: 'account/deletion-by-operator' });
    expect(await call('/functions/v1/get-quota', user.accessToken)).toEqual([200, undefined]);
  });

  test('blocks sessions without the second factor until a recovery code is used', async () => {
    const user = await world().user();
    expect(await call('/functions/v1/get-quota', user.accessToken)).toEqual([200, undefined]);
    const account = await withFactor();
    expect(await call('/functions/v1/get-quota', account.accessToken)).toEqual([200, undefined]);
    const { data: created } = await account.client.functions.invoke('recovery-codes', { body: { action: 'create' } });
    const lost = await signInAgain(account);

    const needed = [403, 'auth/second-factor-needed'];
    expect(await call('/functions/v1/get-quota', lost.accessToken)).toEqual(needed);
    expect(await call('/functions/v1/export-account', lost.accessToken)).toEqual(needed);
    expect(await call(STREAM, lost.accessToken)).toEqual(needed);
    expect(await call('/forecast/reservations', lost.accessToken)).toEqual(needed);
    expect((await lost.client.from('profiles').select('id')).data).toEqual([]);
    const { data: recovered } = await lost.client.functions.invoke('recover-second-factor', {
      body: { code: created.codes[3] },
    });

    expect(recovered).toEqual({ ok: true });
    expect(await call('/forecast/reservations', lost.accessToken)).toEqual([200, undefined]);
    expect(await call('/functions/v1/get-quota', account.accessToken)).toEqual([401, 'auth/session-ended']);
    expect((await lost.client.from('profiles').select('id')).data).toEqual([{ id: account.id }]);
    expect((await lost.client.auth.getUser()).data.user?.factors ?? []).toEqual([]);
  });

  test('does not require a second factor after it is removed', async () => {
    const account = await withFactor();
    const { data } = await account.client.auth.mfa.listFactors();
    expect(await call('/functions/v1/get-quota', account.accessToken)).toEqual([200, undefined]);

    await account.client.auth.mfa.unenroll({ factorId: data?.totp[0]?.id ?? '' });
    await account.client.auth.refreshSession();
    const token = (await account.client.auth.getSession()).data.session?.access_token ?? '';

    expect(await call('/functions/v1/get-quota', token)).toEqual([200, undefined]);
  });

  test('exports everything stored about an account', async () => {
    const account = await withFactor();

    const { data } = await account.client.functions.invoke('export-account', { body: {} });

    expect(data).toMatchObject({
      ok: true,
      account: { id: account.id, email: account.email },
      profiles: [{ id: account.id }],
      factors: [{ friendly_name: 'phone' }],
      sessions: [{ aal: 'aal2' }],
    });
  });
});
