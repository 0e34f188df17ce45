/**
 * A new address is taken over once both addresses have agreed, or the new one alone where the old was never
 * confirmed.
 */
import { expect, test } from 'vitest';
import { OWNER } from '../../server/platform/database/database.ts';
import { describeBothAtNight } from '../support/database/day-database.ts';
import { openedForTests } from '../support/run/opened-for-tests.ts';
import { mailCalls, otherCode } from './support/auth/auth-mail.ts';
import { backendTestServer } from './support/backend.ts';

const ACCEPTED = 'Confirmation link accepted. Please proceed to confirm link sent to the other email';

describeBothAtNight('address change', (kind) => {
  const server = openedForTests(() => backendTestServer(kind));
  const { mailTo, mailsTo, follow } = mailCalls(server);

  async function confirmed() {
    const user = await server().user();
    const { code } = await mailTo(user.email, 'confirmation');
    await server().visitor().auth.verifyOtp({ email: user.email, token: code, type: 'signup' });
    return { ...user, newEmail: `new-${user.email}` };
  }
  const agree = (email: string, token: string) =>
    server().visitor().auth.verifyOtp({ email, token, type: 'email_change' });
  const emailOf = async (id: string) =>
    (await server().database.query(OWNER, 'select email from auth.users where id = $1', [id]))[0]?.email;

  test('waits for both addresses, and shows the pending one', async () => {
    const { client, email, newEmail, id } = await confirmed();

    const requested = await client.auth.updateUser({ email: newEmail.toUpperCase() });
    const first = await agree(email, (await mailTo(email, 'email_change')).code);
    const between = await emailOf(id);
    const second = await agree(newEmail, (await mailTo(newEmail, 'email_change')).code);

    expect(requested.data.user).toMatchObject({ email, new_email: newEmail, email_change_sent_at: expect.any(String) });
    expect([first.error, first.data.session, between]).toEqual([null, null, email]);
    expect(second.data.user).toMatchObject({
      id,
      email: newEmail,
      email_confirmed_at: expect.any(String),
      identities: [{ provider: 'email', identity_data: { email: newEmail, email_verified: true } }],
    });
    expect(second.data.user).not.toHaveProperty('new_email');
    expect((await mailsTo(email))[0]).toMatchObject({ kind: 'email_changed', state: 'waiting', code: '', link: '' });
    expect((await mailsTo(newEmail)).map((mail) => mail.kind)).toEqual(['email_change']);
    expect(second.data.session).not.toBeNull();
    const profile = await server().database.query(OWNER, 'select email from public.profiles where id = $1', [id]);
    expect(profile).toEqual([{ email: newEmail }]);
  });

  test('reports the first agreement in body and link, in either order', async () => {
    const one = await confirmed();
    const two = await confirmed();
    await one.client.auth.updateUser({ email: one.newEmail });
    await two.client.auth.updateUser({ email: two.newEmail });

    const { code } = await mailTo(one.newEmail, 'email_change');
    const byCode = await server().request('/auth/v1/verify', {
      method: 'POST',
      body: JSON.stringify({ type: 'email_change', email: one.newEmail, token: code }),
    });
    const byLink = await follow((await mailTo(two.newEmail, 'email_change')).link);
    const last = await follow((await mailTo(two.email, 'email_change')).link);

    expect(await byCode.json()).toEqual({ msg: ACCEPTED, code: '200' });
    expect(byLink.target.hash).toBe(`#${new URLSearchParams({ message: ACCEPTED })}`);
    expect(last.target.hash).toContain('type=email_change');
    expect(await emailOf(two.id)).toBe(two.newEmail);
  });

  test('requires only the new address where the old one was never confirmed', async () => {
    const { client, email, id } = await server().user();
    const newEmail = `new-${email}`;

    await client.auth.updateUser({ email: newEmail });
    const { error } = await agree(newEmail, (await mailTo(newEmail, 'email_change')).code);

    expect(error).toBeNull();
    expect(await emailOf(id)).toBe(newEmail);
    expect((await mailsTo(email)).filter((mail) => mail.kind === 'email_change').map(({ state }) => state)).toEqual([
      'suppressed',
    ]);
  });

  test('does not let one address agree for both', async () => {
    const { client, newEmail, email, id } = await confirmed();
    await client.auth.updateUser({ email: newEmail });
    const { code, link } = await mailTo(newEmail, 'email_change');

    await agree(newEmail, code);
    const again = await agree(newEmail, code);
    const byLink = await follow(link);
    const forOther = await agree(email, code);

    expect([again.error?.code, forOther.error?.code]).toEqual(['otp_expired', 'otp_expired']);
    expect(byLink.target.hash).toContain('otp_expired');
    expect(await emailOf(id)).toBe(email);
  });

  test('discards the first request and its agreement when another is made', async () => {
    const { client, email, newEmail, id } = await confirmed();
    await client.auth.updateUser({ email: newEmail });
    const old = { current: await mailTo(email, 'email_change'), next: await mailTo(newEmail, 'email_change') };
    await agree(email, old.current.code);
    await client.auth.updateUser({ email: `other-${email}` });

    const late = await agree(newEmail, old.next.code);
    const fresh = await agree(`other-${email}`, (await mailTo(`other-${email}`, 'email_change')).code);

    expect(late.error?.code).toBe('otp_expired');
    expect(fresh.data.session).toBeNull();
    expect(await emailOf(id)).toBe(email);
  });

  test('applies once when both addresses agree at the same time', async () => {
    const { client, email, newEmail, id } = await confirmed();
    await client.auth.updateUser({ email: newEmail });
    const codes = [await mailTo(email, 'email_change'), await mailTo(newEmail, 'email_change')];

    const answers = await Promise.all(codes.map(({ to, code }) => agree(to, code)));

    expect(answers.map(({ error }) => error)).toEqual([null, null]);
    expect(answers.filter(({ data }) => data.session !== null)).toHaveLength(1);
    expect(await emailOf(id)).toBe(newEmail);
  });

  test('voids the codes that were sent to the old address', async () => {
    const { client, email, newEmail } = await confirmed();
    await server().visitor().auth.resetPasswordForEmail(email);
    const { link } = await mailTo(email, 'recovery');
    await client.auth.updateUser({ email: newEmail });
    await agree(email, (await mailTo(email, 'email_change')).code);
    await agree(newEmail, (await mailTo(newEmail, 'email_change')).code);

    const { target } = await follow(link);

    expect(target.hash).toContain('otp_expired');
  });

  test('refuses an address that has an account, or gets one meanwhile', async () => {
    const taken = await server().user();
    const { client, email, newEmail } = await confirmed();
    const immediate = await client.auth.updateUser({ email: taken.email });
    await client.auth.updateUser({ email: newEmail });
    await agree(email, (await mailTo(email, 'email_change')).code);
    const { code } = await mailTo(newEmail, 'email_change');
    await server().visitor().auth.signUp({ email: newEmail, password: 'Password1' });

    const late = await agree(newEmail, code);

    const refusal = { status: 422, code: 'email_exists' };
    expect(immediate.error).toMatchObject(refusal);
    expect(late.error).toMatchObject(refusal);
  });

  test('resends emails to both addresses and voids the old code', async () => {
    const { client, email, newEmail, id } = await confirmed();
    await client.auth.updateUser({ email: newEmail });
    const first = await mailTo(newEmail, 'email_change');

    const { error } = await server().visitor().auth.resend({ type: 'email_change', email });
    const old = await agree(
      newEmail,
      first.code === (await mailTo(newEmail)).code ? otherCode(first.code) : first.code,
    );
    await agree(email, (await mailTo(email, 'email_change')).code);
    await agree(newEmail, (await mailTo(newEmail, 'email_change')).code);

    expect([error, old.error?.code]).toEqual([null, 'otp_expired']);
    expect(await emailOf(id)).toBe(newEmail);
  });

  test('ignores an unchanged address, and rejects an invalid one and a phone number', async () => {
    const { client, email } = await confirmed();

    const same = await client.auth.updateUser({ email: email.toUpperCase() });
    const broken = await client.auth.updateUser({ email: 'nobody' });
    const phone = await client.auth.updateUser({ phone: '+10000000000' });

    expect(same.error).toBeNull();
    expect(same.data.user).not.toHaveProperty('new_email');
    expect([broken.error?.code, phone.error?.code]).toEqual(['validation_failed', 'phone_provider_disabled']);
  });
});
