/** Linked identities must not open another user's account, nor take an account away from its owner. */
import { expect, test } from 'vitest';
import { OWNER } from '../../server/platform/database/database.ts';
import { describeOneDatabase } from '../support/database/each-database.ts';
import { openedForTests } from '../support/run/opened-for-tests.ts';
import { mailCalls } from './support/auth/auth-mail.ts';
import { openOAuthWorld } from './support/auth/oauth.ts';

const PASSWORD = 'Victims-Pass1';

describeOneDatabase('identities with addresses of other users', (kind) => {
  const world = openedForTests(() => openOAuthWorld(kind, { settings: { isConfirmationRequired: true } }));
  const { mailTo } = mailCalls(() => world().server);

  const idTokenOf = (email: string, isEmailVerified: boolean) =>
    world().sandbox.googleIdToken({ name: 'Mallory', email, isEmailVerified });

  async function signIn(email: string) {
    const client = world().server.visitor();
    const token = await idTokenOf(email, true);
    const { data, error } = await client.auth.signInWithIdToken({ provider: 'google', token });
    if (error) throw error;
    return { client, user: data.user, own: data.user.identities?.[0] };
  }

  async function linkUnconfirmed(client: Awaited<ReturnType<typeof signIn>>['client'], email: string): Promise<void> {
    const token = await idTokenOf(email, false);
    const { error } = await client.auth.linkIdentity({ provider: 'google', token });
    if (error) throw error;
  }

  test('never moves an account to a linked unproven address, whose owner signs up separately', async () => {
    const { client, user, own } = await signIn('mallory@evil.example');
    if (own === undefined) throw new Error('no identity');
    await linkUnconfirmed(client, 'victim@x.example');

    const { error } = await client.auth.unlinkIdentity(own);

    expect(error).toMatchObject({ status: 422, code: 'email_conflict_identity_not_deletable' });
    const { data } = await client.auth.refreshSession();
    expect(data.user?.email).toBe('mallory@evil.example');
    await world().server.visitor().auth.signUp({ email: 'victim@x.example', password: PASSWORD });
    const { code } = await mailTo('victim@x.example', 'confirmation');
    const victim = await world()
      .server.visitor()
      .auth.verifyOtp({ type: 'signup', email: 'victim@x.example', token: code });
    expect(victim.data.user?.id).not.toBe(user.id);
    const again = await world()
      .server.visitor()
      .auth.signInWithPassword({ email: 'victim@x.example', password: PASSWORD });
    expect(again.data.user?.id).toBe(victim.data.user?.id);
  });

  test('emails the owner of an account that gets another way to sign in', async () => {
    const email = 'owner.of.two@x.example';
    const owner = await signIn(email);
    const notices = () =>
      world().server.database.query(
        OWNER,
        "select kind from private.outgoing_mail where to_address = $1::text and kind = 'sign_in_linked'",
        [email],
      );
    expect(await notices()).toEqual([]);

    await linkUnconfirmed(owner.client, 'another.of.mine@x.example');

    expect(await notices()).toHaveLength(1);
  });

  test('answers an unlink the same whether or not the other address has an account', async () => {
    await world().server.visitor().auth.signUp({ email: 'known@x.example', password: PASSWORD });
    const answers = await Promise.all(
      ['known@x.example', 'unknown@x.example'].map(async (address, index) => {
        const { client, own } = await signIn(`prober${index}@evil.example`);
        if (own === undefined) throw new Error('no identity');
        await linkUnconfirmed(client, address);
        return (await client.auth.unlinkIdentity(own)).error;
      }),
    );

    expect(answers[0]?.code).toBe('email_conflict_identity_not_deletable');
    expect(answers[1]).toEqual(answers[0]);
  });

  test('opens only the linked account for an identity with the address of another user', async () => {
    const victim = await world().server.visitor().auth.signUp({ email: 'true.owner@x.example', password: PASSWORD });
    const mallory = await signIn('mallory.two@evil.example');
    await linkUnconfirmed(mallory.client, 'true.owner@x.example');
    const token = await idTokenOf('true.owner@x.example', false);

    const { data } = await world().server.visitor().auth.signInWithIdToken({ provider: 'google', token });

    expect(data.user?.id).toBe(mallory.user.id);
    expect(data.user?.email).toBe('mallory.two@evil.example');
    expect(data.user?.id).not.toBe(victim.data.user?.id);
  });
});
