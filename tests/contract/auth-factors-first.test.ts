/** The first second factor needs a recent sign-in, and its owner is notified of every change. */
import { expect, test } from 'vitest';
import { OWNER } from '../../server/platform/database/database.ts';
import { describeBothAtNight } from '../support/database/day-database.ts';
import { openedForTests } from '../support/run/opened-for-tests.ts';
import { mailCalls } from './support/auth/auth-mail.ts';
import { authenticatorApps } from './support/auth/factors.ts';
import { backendTestServer } from './support/backend.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const CALLS = 14;

describeBothAtNight('the first second factor', (kind) => {
  const server = openedForTests(() =>
    backendTestServer(kind, { limits: { factorCallsPerAccount: { points: CALLS, perS: 3600 } } }),
  );
  const { mailsTo, mailTo } = mailCalls(server);
  const { enroll, verified, signInAgain } = authenticatorApps(server);
  const kindsTo = async (email: string) => (await mailsTo(email)).map((mail) => mail.kind);

  test('can be enrolled before the address is confirmed, and is removed by a recovery', async () => {
    const { client, email } = await server().user();
    const app = await enroll(client);
    await client.auth.mfa.challengeAndVerify({ factorId: app.factorId, code: app.code() });
    const owner = server().visitor();
    await owner.auth.resetPasswordForEmail(email);
    const { code } = await mailTo(email, 'recovery');

    const { error } = await owner.auth.verifyOtp({ email, token: code, type: 'recovery' });
    const factors = await owner.auth.mfa.listFactors();

    expect(error).toBeNull();
    expect(factors.data?.all).toEqual([]);
  });

  test('can be enrolled by an account without an address', async () => {
    const { client, id } = await server().user();
    await server().database.query(OWNER, 'update auth.users set email = null where id = $1', [id]);

    const app = await enroll(client);
    const { error } = await client.auth.mfa.challengeAndVerify({ factorId: app.factorId, code: app.code() });

    expect(error).toBeNull();
  });

  test('is refused in a session proven over a day ago, until a new sign-in', async () => {
    const owner = await server().confirmedUser();
    server().advance(DAY_MS + 60_000);
    await owner.client.auth.refreshSession();

    const old = await owner.client.auth.mfa.enroll({ factorType: 'totp' });
    const { client } = await signInAgain(owner);
    const fresh = await client.auth.mfa.enroll({ factorType: 'totp' });

    expect(old.error).toMatchObject({
      status: 400,
      code: 'reauthentication_needed',
      message: 'Setting up a second factor requires reauthentication',
    });
    expect(fresh.error).toBeNull();
  });

  test('notifies the owner when verified and when removed, but not for unfinished enrollments', async () => {
    const { client, email } = await server().confirmedUser();
    const begun = await enroll(client, 'begun');
    await client.auth.mfa.unenroll({ factorId: begun.factorId });
    const app = await enroll(client);
    const before = await kindsTo(email);
    await client.auth.mfa.challengeAndVerify({ factorId: app.factorId, code: app.code() });
    await client.auth.mfa.challengeAndVerify({ factorId: app.factorId, code: app.code(1) });
    const added = await kindsTo(email);

    await client.auth.mfa.unenroll({ factorId: app.factorId });

    expect(before).toEqual(['confirmation']);
    expect(added).toEqual(['factor_added', 'confirmation']);
    expect(await kindsTo(email)).toEqual(['factor_removed', 'factor_added', 'confirmation']);
    expect(await mailTo(email, 'factor_added')).toMatchObject({ state: 'waiting', code: '', link: '' });
  });

  test('allows a second one without a fresh sign-in, from a session that shows the first', async () => {
    const { client } = await verified();
    server().advance(DAY_MS + 60_000);
    await client.auth.refreshSession();

    const { error } = await client.auth.mfa.enroll({ factorType: 'totp', friendlyName: 'tablet' });

    expect(error).toBeNull();
  });

  test('allows ten enrollments and fourteen calls an hour per account', async () => {
    const { client } = await server().confirmedUser();

    const codes = [];
    for (let count = 0; count <= CALLS; count += 1)
      codes.push((await client.auth.mfa.enroll({ factorType: 'totp' })).error?.code ?? 'drawn');

    expect(codes).toEqual([
      ...Array(10).fill('drawn'),
      ...Array(CALLS - 10).fill('too_many_enrolled_mfa_factors'),
      'over_request_rate_limit',
    ]);
  });
});
