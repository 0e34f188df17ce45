/**
 * A new password locks out anyone who knew the old one: it ends sessions, pending codes and a pending address change.
 */
import { expect, test } from 'vitest';
import { OWNER } from '../../server/platform/database/database.ts';
import { describeBothAtNight } from '../support/database/day-database.ts';
import { openedForTests } from '../support/run/opened-for-tests.ts';
import { authCalls } from './support/auth/auth.ts';
import { mailCalls } from './support/auth/auth-mail.ts';
import { authenticatorApps } from './support/auth/factors.ts';
import { backendTestServer } from './support/backend.ts';

const VERIFIER = 'v'.repeat(50);
const BY_CODE = { code_challenge: VERIFIER, code_challenge_method: 'plain' };

describeBothAtNight('new password', (kind) => {
  const server = openedForTests(() => backendTestServer(kind));
  const { post, statusOfUser } = authCalls(server);
  const { mailTo, mailsTo, follow } = mailCalls(server);
  const { enroll, verified, signInAgain, startNextStep } = authenticatorApps(server);

  const left = async (id: string) =>
    (
      await server().database.query(
        OWNER,
        `select u.email, u.email_change as change, u.email_change_proofs::int as proofs,
           (select count(*)::int from auth.one_time_tokens where user_id = u.id) as tokens,
           (select count(*)::int from auth.flow_state where user_id = u.id or linking_user_id = u.id) as flows
         from auth.users u where id = $1`,
        [id],
      )
    )[0];
  const redeem = (code: string) => post('/auth/v1/token?grant_type=pkce', { auth_code: code, code_verifier: VERIFIER });
  /** Returns an auth code that can be exchanged. */
  async function authCode(email: string): Promise<string> {
    await post('/auth/v1/otp', { ...BY_CODE, email });
    const { target } = await follow((await mailTo(email, 'magic_link')).link);
    return target.searchParams.get('code') ?? '';
  }

  test('cancels a pending address change by a thief', async () => {
    const owner = await server().confirmedUser();
    const thief = await signInAgain(owner);
    const evil = `evil-${owner.email}`;
    await thief.client.auth.updateUser({ email: evil });
    const planted = await mailTo(evil, 'email_change');

    const change = await owner.client.auth.updateUser({ password: 'Password2' });
    const theft = await server().visitor().auth.verifyOtp({ email: evil, token: planted.code, type: 'email_change' });

    expect([change.error, theft.error?.code]).toEqual([null, 'otp_expired']);
    expect(change.data.user).not.toHaveProperty('new_email');
    expect(await left(owner.id)).toEqual({ email: owner.email, change: null, proofs: 0, tokens: 0, flows: 0 });
  });

  test('voids pending codes and links, and auth codes not yet exchanged', async () => {
    const owner = await server().confirmedUser();
    await server().visitor().auth.resetPasswordForEmail(owner.email);
    const recovery = await mailTo(owner.email, 'recovery');
    const code = await authCode(owner.email);

    await owner.client.auth.updateUser({ password: 'Password2' });

    const byCode = await server()
      .visitor()
      .auth.verifyOtp({ email: owner.email, token: recovery.code, type: 'recovery' });
    const byLink = await follow(recovery.link);
    expect(byCode.error?.code).toBe('otp_expired');
    expect(byLink.target.hash).toContain('otp_expired');
    expect((await redeem(code)).status).toBe(404);
  });

  test('voids them after a recovery too', async () => {
    const owner = await server().confirmedUser();
    await owner.client.auth.updateUser({ email: `evil-${owner.email}` });
    const code = await authCode(owner.email);
    const client = server().visitor();
    await client.auth.resetPasswordForEmail(owner.email);
    await client.auth.verifyOtp({
      email: owner.email,
      token: (await mailTo(owner.email, 'recovery')).code,
      type: 'recovery',
    });

    const { error } = await client.auth.updateUser({ password: 'Password2' });

    expect(error).toBeNull();
    expect((await redeem(code)).status).toBe(404);
    expect(await left(owner.id)).toMatchObject({ change: null, tokens: 0, flows: 0 });
    expect(await statusOfUser(owner.accessToken)).toBe(403);
  });

  test('keeps an address change from the same request', async () => {
    const { client, email, id } = await server().confirmedUser();

    const { data } = await client.auth.updateUser({ email: `new-${email}`, password: 'Password2' });

    expect(data.user?.new_email).toBe(`new-${email}`);
    expect(await left(id)).toMatchObject({ tokens: 2 });
  });

  test('notifies a confirmed address without a code or link, and no other address', async () => {
    const [owner, unconfirmed] = [await server().confirmedUser(), await server().user()];

    for (const { client } of [owner, unconfirmed]) await client.auth.updateUser({ password: 'Password2' });

    expect(await mailTo(owner.email, 'password_changed')).toMatchObject({ state: 'waiting', code: '', link: '' });
    expect((await mailsTo(unconfirmed.email)).map((mail) => mail.kind)).toEqual(['confirmation']);
  });

  test('sends no notice when it is refused', async () => {
    const owner = await server().confirmedUser();

    const { error } = await owner.client.auth.updateUser({ password: owner.password });

    expect(error?.code).toBe('same_password');
    expect((await mailsTo(owner.email)).map((mail) => mail.kind)).toEqual(['confirmation']);
  });

  test('is refused to an aal2 token whose factor was removed, as is a new address', async () => {
    const account = await verified();
    const owner = await signInAgain(account);
    await owner.client.auth.mfa.challengeAndVerify({ factorId: account.app.factorId, code: account.app.code() });
    startNextStep();
    const tablet = await enroll(owner.client, 'tablet');
    await owner.client.auth.mfa.challengeAndVerify({ factorId: tablet.factorId, code: tablet.code() });
    await owner.client.auth.mfa.unenroll({ factorId: account.app.factorId });

    const refusals = [
      await account.client.auth.updateUser({ password: 'of-the-thief' }),
      await account.client.auth.updateUser({ email: 'thief@example.com' }),
    ];

    expect(refusals.map(({ error }) => error?.code)).toEqual(['insufficient_aal', 'insufficient_aal']);
    expect((await owner.client.auth.updateUser({ password: 'Password2' })).error).toBeNull();
  });

  test('keeps auth codes on a local sign-out, and voids them on a global one', async () => {
    const owner = await server().confirmedUser();
    const [unused, again] = [await authCode(owner.email), await signInAgain(owner)];
    await again.client.auth.signOut({ scope: 'local' });
    const here = await redeem(unused);
    const code = await authCode(owner.email);

    await owner.client.auth.signOut({ scope: 'global' });

    expect([here.status, (await redeem(code)).status]).toEqual([200, 404]);
  });
});
