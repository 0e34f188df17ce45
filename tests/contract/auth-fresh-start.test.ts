/** What an account holds about its owner once the address is proven for the first time. */
import { expect, test } from 'vitest';
import { OWNER } from '../../server/platform/database/database.ts';
import { describeOneDatabase } from '../support/database/each-database.ts';
import { openedForTests } from '../support/run/opened-for-tests.ts';
import { mailCalls } from './support/auth/auth-mail.ts';
import { openOAuthWorld, signInThrough } from './support/auth/oauth.ts';

const PLANTED = { full_name: 'Mallory', avatar_url: 'https://evil.example/p.png', note: 'call me' };

describeOneDatabase('first proof of an address', (kind) => {
  const world = openedForTests(() => openOAuthWorld(kind));
  const { mailTo } = mailCalls(() => world().server);

  const profilesOf = (email: string) =>
    world().server.database.query(
      OWNER,
      'select full_name as name, avatar_url as picture from public.profiles where email = $1::text',
      [email],
    );

  test('keeps the name and drops the password when a sign-in link proves the address', async () => {
    const email = 'forgetful@example.com';
    const password = 'Password1';
    const metadata = { full_name: 'Forgetful' };
    await world()
      .server.visitor()
      .auth.signUp({ email, password, options: { data: metadata } });
    const client = world().server.visitor();
    await client.auth.signInWithOtp({ email });
    const { code } = await mailTo(email, 'magic_link');

    const { data, error } = await client.auth.verifyOtp({ email, token: code, type: 'magiclink' });
    const byPassword = await world().server.visitor().auth.signInWithPassword({ email, password });

    expect(error).toBeNull();
    expect(data.user?.user_metadata).toEqual(metadata);
    expect(await profilesOf(email)).toEqual([{ name: 'Forgetful', picture: null }]);
    expect(byPassword.error?.code).toBe('invalid_credentials');
  });

  test('keeps only the provider’s data when a provider proves it, in the profile too', async () => {
    const email = 'planted.too@example.com';
    await world()
      .server.visitor()
      .auth.signUp({ email, password: 'Password1', options: { data: PLANTED } });

    const { session } = await signInThrough(world().server, 'google', { name: 'Owner', email });

    expect(session?.user.user_metadata).toMatchObject({ full_name: 'Owner' });
    expect(session?.user.user_metadata).not.toHaveProperty('note');
    expect(await profilesOf(email)).toEqual([{ name: 'Owner', picture: null }]);
  });

  test('keeps the sign-up data when its own confirmation proves the address', async () => {
    const email = 'own.words@example.com';
    const client = world().server.visitor();
    await client.auth.signUp({ email, password: 'Password1', options: { data: { full_name: 'Own Words' } } });
    const { code } = await mailTo(email, 'confirmation');

    const { data } = await client.auth.verifyOtp({ email, token: code, type: 'signup' });

    expect(data.user?.user_metadata).toMatchObject({ full_name: 'Own Words' });
    expect(await profilesOf(email)).toEqual([{ name: 'Own Words', picture: null }]);
  });
});
