/** Sends every call that writes an account's codes for one account at the same time; no two of them may deadlock. */
import { describe, expect, test } from 'vitest';
import { confirmEmail } from '../../server/backend/auth/mail/address-proof.ts';
import { markSignedIn } from '../../server/backend/auth/user-store.ts';
import { OWNER } from '../../server/platform/database/database.ts';
import { testDatabaseKinds } from '../support/database/database.ts';
import { describeEachDatabase } from '../support/database/each-database.ts';
import { openedForTests } from '../support/run/opened-for-tests.ts';
import { authCalls } from './support/auth/auth.ts';
import { mailCalls } from './support/auth/auth-mail.ts';
import { backendTestServer, JSON_TYPE } from './support/backend.ts';

const ROUNDS = 6;
const WAITING = `select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`;

// Runs on both databases: one session serialises the calls, ten sessions race for locks.
describeEachDatabase('simultaneous calls on one account', (kind) => {
  const server = openedForTests(() => backendTestServer(kind));
  const { post } = authCalls(server);
  const { mailsTo } = mailCalls(server);

  test('return no 5xx, and leave one code per purpose', async () => {
    const { email, accessToken } = await server().user();
    const authorization = `Bearer ${accessToken}`;
    const put = (body: unknown) =>
      server().request('/auth/v1/user', {
        method: 'PUT',
        headers: { ...JSON_TYPE, authorization },
        body: JSON.stringify(body),
      });

    const answers: Response[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const mails = (await mailsTo(email)).filter(({ code }) => code !== '').slice(0, 4);
      answers.push(
        ...(await Promise.all([
          post('/auth/v1/otp', { email }),
          post('/auth/v1/otp', { email }),
          post('/auth/v1/recover', { email }),
          post('/auth/v1/resend', { email, type: 'signup' }),
          post('/auth/v1/resend', { email, type: 'email_change' }),
          put({ email: `new${round}-${email}` }),
          put({ data: { round } }),
          server().request('/auth/v1/reauthenticate', { headers: { authorization } }),
          ...mails.flatMap(({ code, link }) => [
            post('/auth/v1/verify', { email, token: code, type: 'email' }),
            post('/auth/v1/verify', { email, token: code, type: 'recovery' }),
            ...(link === '' ? [] : [fetch(link, { redirect: 'manual' })]),
          ]),
        ])),
      );
    }

    expect(answers.filter(({ status }) => status >= 500)).toEqual([]);
    const doubles = await server().database.query(
      OWNER,
      'select user_id, purpose from auth.one_time_tokens group by 1, 2 having count(*) > 1',
    );
    expect(doubles).toEqual([]);
  });
});

// PGlite has one connection, so no call waits there.
describe.each(testDatabaseKinds().filter((kind) => kind === 'postgres'))('lock order on %s', (kind) => {
  const server = openedForTests(() => backendTestServer(kind));

  test.each([
    ['signing in', markSignedIn],
    ['confirming an address', confirmEmail],
  ])('%s locks the account first, and holds nothing else while it waits', async (_what, write) => {
    const { id } = await server().user();
    const { database } = server();
    let waiting: Promise<void> = Promise.resolve();

    const identities = await database.transaction(OWNER, async (tx) => {
      await tx.query('select 1 from auth.users where id = $1::text::uuid for no key update', [id]);
      waiting = database.transaction(OWNER, (other) => write(other, id, new Date().toISOString()));
      await expect.poll(async () => (await database.query(OWNER, WAITING)).length).toBe(1);
      // Fails immediately if the other transaction held the lock.
      return tx.query('select 1 from auth.identities where user_id = $1::text::uuid for update nowait', [id]);
    });

    expect(identities).toHaveLength(1);
    await waiting;
  });
});
