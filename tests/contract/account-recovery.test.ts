/**
 * Recovery codes are created by a session that has shown the second factor, and one code opens the account without
 * it.
 */
import { expect, test } from 'vitest';
import { OWNER } from '../../server/platform/database/database.ts';
import { describeOneDatabase } from '../support/database/each-database.ts';
import { openedForTests } from '../support/run/opened-for-tests.ts';
import { accountTestServer, functionCalls } from './support/auth/account.ts';
import { authCalls } from './support/auth/auth.ts';
import { authenticatorApps } from './support/auth/factors.ts';

describeOneDatabase('recovery codes', (kind) => {
  const server = openedForTests(() => accountTestServer(kind));
  const call = functionCalls(server);
  const { statusOfUser } = authCalls(server);
  const { enroll, verified, signInAgain } = authenticatorApps(server);
  const status = (accessToken: string) => call(accessToken, 'recovery-codes', { action: 'status' });
  const recover = (accessToken: string, code: unknown) => call(accessToken, 'recover-second-factor', { code });

  async function makeCodes(accessToken: string): Promise<string[]> {
    const { codes } = await call(accessToken, 'recovery-codes', { action: 'create' });
    if (!Array.isArray(codes)) throw new Error('no codes');
    return codes.map(String);
  }

  async function mailsTo(email: string): Promise<unknown[]> {
    const rows = await server().database.query(
      OWNER,
      'select kind from private.outgoing_mail where to_address = $1 order by created_at, kind',
      [email],
    );
    return rows.map((row) => row.kind);
  }

  test('creates ten distinct codes and stores only their hashes', async () => {
    const account = await verified();
    expect(await status(account.accessToken)).toEqual({ status: 200, ok: true, remaining: 0, created_at: null });

    const { data } = await account.client.functions.invoke('recovery-codes', { body: { action: 'create' } });

    expect(data).toEqual({ ok: true, codes: expect.any(Array) });
    expect(new Set(data.codes).size).toBe(10);
    for (const code of data.codes) expect(code).toMatch(/^[0-9a-hjkmnp-tv-z]{4}(-[0-9a-hjkmnp-tv-z]{4}){2}$/);
    expect(await status(account.accessToken)).toMatchObject({
      remaining: 10,
      created_at: expect.stringMatching(/^\d{4}-.*Z$/),
    });
    const stored = JSON.stringify(
      await server().database.query(OWNER, 'select * from private.recovery_codes where user_id = $1', [account.id]),
    );
    for (const code of data.codes) expect(stored).not.toContain(code.replaceAll('-', ''));
    expect(await mailsTo(account.email)).toContain('recovery_codes_made');
  });

  test('recovers the account with a code: removes factors, signs out other sessions, notifies the owner', async () => {
    const account = await verified();
    const [code = ''] = await makeCodes(account.accessToken);
    const lost = await signInAgain(account);
    expect(await call(lost.accessToken, 'whoami')).toMatchObject({ status: 403, code: 'auth/second-factor-needed' });

    const { data } = await lost.client.functions.invoke('recover-second-factor', { body: { code } });

    expect(data).toEqual({ ok: true });
    expect(await call(lost.accessToken, 'whoami')).toMatchObject({ status: 200 });
    expect((await lost.client.from('profiles').select('id, two_factor_enabled')).data).toEqual([
      { id: account.id, two_factor_enabled: false },
    ]);
    expect((await lost.client.auth.mfa.listFactors()).data?.all).toEqual([]);
    expect(await call(account.accessToken, 'whoami')).toMatchObject({ status: 401 });
    expect(await statusOfUser(account.accessToken)).toBe(403);
    expect(await status(lost.accessToken)).toMatchObject({ remaining: 0 });
    expect(await mailsTo(account.email)).toContain('factor_recovered');
  });

  test('accepts a code in upper case, with spaces, other dashes, or O and I for 0 and 1', async () => {
    const account = await verified();
    const [code = ''] = await makeCodes(account.accessToken);
    const lost = await signInAgain(account);
    const typed = ` ${code.replaceAll('-', ' – ').toUpperCase().replaceAll('0', 'O').replaceAll('1', 'I')} `;

    expect(await recover(lost.accessToken, typed)).toMatchObject({ ok: true });
  });

  test('rejects wrong, replaced and other accounts’ codes without using any up', async () => {
    const account = await verified();
    const stranger = await verified();
    const [old = ''] = await makeCodes(account.accessToken);
    await makeCodes(account.accessToken);
    const [foreign = ''] = await makeCodes(stranger.accessToken);
    const lost = await signInAgain(account);

    for (const code of ['0000-0000-0000', old, foreign, '', 'no code', '💥'])
      expect(await recover(lost.accessToken, code)).toMatchObject({
        status: 200,
        ok: false,
        reason: 'account/wrong-recovery-code',
      });
    expect(await recover(lost.accessToken, 7)).toMatchObject({ status: 400 });
    expect(await recover(lost.accessToken, 'x'.repeat(101))).toMatchObject({ status: 400 });
    expect(await status(account.accessToken)).toMatchObject({ remaining: 10 });
    expect(await call(account.accessToken, 'whoami')).toMatchObject({ status: 200 });
  });

  test('accepts a code once when it is sent ten times at the same time', async () => {
    const account = await verified();
    const [code = ''] = await makeCodes(account.accessToken);
    const lost = await signInAgain(account);

    const answers = await Promise.all(Array.from({ length: 10 }, () => recover(lost.accessToken, code)));

    expect(answers.filter((one) => one.ok === true)).toHaveLength(1);
    const refused = answers.filter((one) => one.ok !== true).map((one) => one.reason ?? one.code);
    for (const reason of refused) expect(['account/no-second-factor', 'account/wrong-recovery-code']).toContain(reason);
    expect((await mailsTo(account.email)).filter((one) => one === 'factor_recovered')).toHaveLength(1);
  });

  test('leaves one session signed in when two devices recover at the same time', async () => {
    const account = await verified();
    const [first = '', second = ''] = await makeCodes(account.accessToken);
    const one = await signInAgain(account);
    const other = await signInAgain(account);

    const answers = await Promise.all([recover(one.accessToken, first), recover(other.accessToken, second)]);

    expect(answers.filter((answer) => answer.ok === true)).toHaveLength(1);
    const alive = await Promise.all([one, other].map(({ accessToken }) => call(accessToken, 'whoami')));
    expect(alive.map((answer) => answer.status).sort()).toEqual([200, 401]);
  });

  test('refuses to create codes without a factor, or in a session that has not shown it', async () => {
    const plain = await server().confirmedUser();
    const account = await verified();
    const lost = await signInAgain(account);

    expect(await call(plain.accessToken, 'recovery-codes', { action: 'create' })).toMatchObject({
      status: 200,
      ok: false,
      reason: 'account/no-second-factor',
    });
    expect(await recover(plain.accessToken, '0000-0000-0000')).toMatchObject({ reason: 'account/no-second-factor' });
    for (const action of ['status', 'create'])
      expect(await call(lost.accessToken, 'recovery-codes', { action })).toMatchObject({
        status: 403,
        code: 'auth/second-factor-needed',
      });
    expect(await call(account.accessToken, 'recovery-codes', { action: 'delete' })).toMatchObject({ status: 400 });
  });

  test('deletes the codes with their factor, so that they do not bypass a later one', async () => {
    const account = await verified();
    const [code = ''] = await makeCodes(account.accessToken);
    await account.client.auth.mfa.unenroll({ factorId: account.app.factorId });
    const { data } = await account.client.auth.refreshSession();
    expect(await status(data.session?.access_token ?? '')).toMatchObject({ remaining: 0 });
    const app = await enroll(account.client);
    await account.client.auth.mfa.challengeAndVerify({ factorId: app.factorId, code: app.code() });
    const lost = await signInAgain(account);

    expect(await recover(lost.accessToken, code)).toMatchObject({ reason: 'account/wrong-recovery-code' });
  });

  test('allows a new app right after a recovery, and rejects the used code for it', async () => {
    const account = await verified();
    const [code = ''] = await makeCodes(account.accessToken);
    const lost = await signInAgain(account);
    await recover(lost.accessToken, code);

    const app = await enroll(lost.client);
    const { error } = await lost.client.auth.mfa.challengeAndVerify({ factorId: app.factorId, code: app.code() });
    const again = await signInAgain(account);

    expect(error).toBeNull();
    expect(await recover(again.accessToken, code)).toMatchObject({ reason: 'account/wrong-recovery-code' });
  });
});

describeOneDatabase('recovery code guesses', (kind) => {
  const server = openedForTests(() =>
    accountTestServer(kind, {
      limits: {
        factorVerifyPerPair: { points: 3, perS: 300 },
        recoveryCodesPerAccount: { points: 1, perS: 3600 },
      },
      gateway: { clientAddress: (c) => c.req.header('x-test-address') ?? 'elsewhere' },
    }),
  );
  const call = functionCalls(server);
  const { verified, signInAgain } = authenticatorApps(server);

  test('counts recovery and app code guesses together, and refuses a right code past the limit', async () => {
    const account = await verified();
    const { codes } = await call(account.accessToken, 'recovery-codes', { action: 'create' });
    const lost = await signInAgain(account);
    const wrong = () => call(lost.accessToken, 'recover-second-factor', { code: '0000-0000-0000' });
    await lost.client.auth.mfa.challengeAndVerify({ factorId: account.app.factorId, code: '000000' });

    expect([(await wrong()).reason, (await wrong()).reason]).toEqual([
      'account/wrong-recovery-code',
      'account/wrong-recovery-code',
    ]);
    const right = Array.isArray(codes) ? codes[0] : '';
    expect(await call(lost.accessToken, 'recover-second-factor', { code: right })).toMatchObject({
      ok: false,
      reason: 'request/too-many',
    });
  });

  test('limits how many sets of codes an account creates an hour', async () => {
    const account = await verified();
    await call(account.accessToken, 'recovery-codes', { action: 'create' });

    expect(await call(account.accessToken, 'recovery-codes', { action: 'create' })).toMatchObject({
      ok: false,
      reason: 'request/too-many',
    });
  });
});
