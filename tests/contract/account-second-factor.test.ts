/** Until the second factor is shown, a password alone gives access only to the calls that lead to it. */
import { expect, test } from 'vitest';
import { OWNER } from '../../server/platform/database/database.ts';
import { photograph } from '../support/browser/pictures.ts';
import { describeBothAtNight } from '../support/database/day-database.ts';
import { openedForTests } from '../support/run/opened-for-tests.ts';
import { accountTestServer, functionCalls } from './support/auth/account.ts';
import { authCalls } from './support/auth/auth.ts';
import { authenticatorApps } from './support/auth/factors.ts';

describeBothAtNight('a session that has not shown the second factor', (kind) => {
  const server = openedForTests(() => accountTestServer(kind));
  const call = functionCalls(server);
  const { statusOfUser } = authCalls(server);
  const { enroll, verified, signInAgain, startNextStep } = authenticatorApps(server);

  test('cannot read or change any of the owner’s rows and files', async () => {
    const account = await verified();
    const picture = new Blob([await photograph('png', 8)], { type: 'image/png' });
    const path = `${account.id}/1.png`;
    expect((await account.client.storage.from('avatars').upload(path, picture)).error).toBeNull();
    const { client } = await signInAgain(account);
    const avatars = client.storage.from('avatars');

    const read = await client.from('profiles').select('id');
    const changed = await client.from('profiles').update({ bio: 'taken' }).eq('id', account.id).select('id');
    const upserted = await client.from('profiles').upsert({ id: account.id, bio: 'taken' });
    const added = await client.from('user_activity').insert({ user_id: account.id, activity_type: 'account_created' });
    const listed = await avatars.list(account.id);
    const uploaded = await avatars.upload(`${account.id}/2.png`, picture);
    const replaced = await avatars.upload(path, picture, { upsert: true });
    const removed = await avatars.remove([path]);

    expect([read.data, changed.data, listed.data, removed.data]).toEqual([[], [], [], []]);
    expect([upserted.error?.code, added.error?.code]).toEqual(['42501', '42501']);
    expect([uploaded.error, replaced.error]).toMatchObject([{ statusCode: '403' }, { statusCode: '403' }]);
    expect((await account.client.from('profiles').select('bio')).data).toEqual([{ bio: null }]);
    expect((await account.client.storage.from('avatars').list(account.id)).data).toHaveLength(1);
  });

  test('can call none of our functions except the one that recovers a lost app', async () => {
    const account = await verified();
    const { accessToken } = await signInAgain(account);

    for (const name of [
      'whoami',
      'list-sessions',
      'end-session',
      'recovery-codes',
      'export-account',
      'delete-account',
      'create-api-key',
      'revoke-api-key',
    ])
      expect([name, await call(accessToken, name)]).toMatchObject([
        name,
        { status: 403, code: 'auth/second-factor-needed', error: expect.stringContaining('authenticator') },
      ]);
    expect(await call(accessToken, 'recover-second-factor', { code: 'x' })).toMatchObject({ status: 200 });
    expect(await statusOfUser(accessToken)).toBe(200);
  });

  test('can sign out, or show the factor and get full access immediately', async () => {
    const account = await verified();
    const leaving = await signInAgain(account);
    const staying = await signInAgain(account);
    expect(await call(staying.accessToken, 'whoami')).toMatchObject({ status: 403 });

    const { error } = await leaving.client.auth.signOut({ scope: 'local' });
    const { data } = await staying.client.auth.mfa.challengeAndVerify({
      factorId: account.app.factorId,
      code: account.app.code(),
    });

    expect(error).toBeNull();
    expect(await statusOfUser(leaving.accessToken)).toBe(403);
    expect(await call(data?.access_token ?? '', 'whoami')).toMatchObject({ status: 200 });
    expect((await staying.client.from('profiles').select('id')).data).toEqual([{ id: account.id }]);
    // The token from before is still without the second factor.
    expect(await call(staying.accessToken, 'whoami')).toMatchObject({ status: 403 });
  });

  test('includes sessions verified with a factor that was removed while another one remains', async () => {
    const account = await verified();
    const other = await signInAgain(account);
    await other.client.auth.mfa.challengeAndVerify({ factorId: account.app.factorId, code: account.app.code() });
    const raised = (await other.client.auth.getSession()).data.session?.access_token ?? '';
    startNextStep();
    const second = await enroll(account.client, 'tablet');
    await account.client.auth.mfa.challengeAndVerify({ factorId: second.factorId, code: second.code() });
    expect(await call(raised, 'whoami')).toMatchObject({ status: 200 });

    await account.client.auth.mfa.unenroll({ factorId: account.app.factorId });

    expect(await call(raised, 'whoami')).toMatchObject({ status: 403, code: 'auth/second-factor-needed' });
    expect((await other.client.from('profiles').select('id')).data).toEqual([]);
    expect((await account.client.from('profiles').select('id')).data).toEqual([{ id: account.id }]);
  });

  test('replaces old tokens and ends other sessions once the first factor is verified', async () => {
    const account = await server().confirmedUser();
    const other = await signInAgain(account);
    expect(await call(other.accessToken, 'whoami')).toMatchObject({ status: 200 });
    expect(await call(account.accessToken, 'whoami')).toMatchObject({ status: 200 });
    const app = await enroll(account.client);

    const { data } = await account.client.auth.mfa.challengeAndVerify({ factorId: app.factorId, code: app.code() });

    expect(await call(data?.access_token ?? '', 'whoami')).toMatchObject({ status: 200 });
    expect(await call(account.accessToken, 'whoami')).toMatchObject({ status: 403 });
    expect(await call(other.accessToken, 'whoami')).toMatchObject({ status: 401 });
  });

  test('is detected without a database query beyond the session check', async () => {
    const account = await verified();
    const requested: string[] = [];
    const query = server().database.query;
    server().database.query = (caller, text, params) => {
      requested.push(text);
      return query(caller, text, params);
    };
    for (let n = 0; n < 3; n += 1) await call(account.accessToken, 'whoami');
    server().database.query = query;

    expect(requested.filter((text) => text.includes('auth.sessions'))).toHaveLength(1);
    expect(requested).toHaveLength(1);
  });

  test('does not include sessions of an account whose app enrollment is unfinished', async () => {
    const account = await server().confirmedUser();
    await enroll(account.client);

    expect(await call(account.accessToken, 'whoami')).toMatchObject({ status: 200 });
    const [row] = await server().database.query(OWNER, 'select status from auth.mfa_factors where user_id = $1', [
      account.id,
    ]);
    expect(row).toEqual({ status: 'unverified' });
  });
});
