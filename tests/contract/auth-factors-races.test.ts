/** Second factors when several requests arrive at the same time: the database decides which one wins. */
import { expect, test } from 'vitest';
import { describeEachDatabase } from '../support/database/each-database.ts';
import { openedForTests } from '../support/run/opened-for-tests.ts';
import { authCalls } from './support/auth/auth.ts';
import { authenticatorApps } from './support/auth/factors.ts';
import { backendTestServer } from './support/backend.ts';

// Runs on both databases, because row locks decide which request wins.
describeEachDatabase('simultaneous second factor requests', (kind) => {
  const server = openedForTests(() => backendTestServer(kind));
  const { post } = authCalls(server);
  const { enroll, challenge, verified, signInAgain } = authenticatorApps(server);

  async function verifyRaw(accessToken: string, factorId: string, body: unknown) {
    const answer = await post(`/auth/v1/factors/${factorId}/verify`, body, { authorization: `Bearer ${accessToken}` });
    return { status: answer.status, body: await answer.json() };
  }

  test('accepts one of four simultaneous uses of a challenge', async () => {
    const { client, app, accessToken } = await verified();
    const challengeId = await challenge(client, app);
    const codes = [app.code(-1), app.code(), app.code(1), app.code()];

    const answers = await Promise.all(
      codes.map((code) => verifyRaw(accessToken, app.factorId, { challenge_id: challengeId, code })),
    );

    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422, 422, 422]);
  });

  test('accepts one of four simultaneous uses of a code, each with its own challenge', async () => {
    const { client, app, accessToken } = await verified();
    const challengeIds = [1, 2, 3, 4].map(() => challenge(client, app));
    const code = app.code();

    const answers = await Promise.all(
      (await Promise.all(challengeIds)).map((id) => verifyRaw(accessToken, app.factorId, { challenge_id: id, code })),
    );

    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422, 422, 422]);
  });

  test('verifies several sessions of one account at the same time without blocking', async () => {
    const account = await verified();
    const sessions = await Promise.all([1, 2, 3].map(() => signInAgain(account)));
    const challengeIds = await Promise.all(sessions.map(({ client }) => challenge(client, account.app)));
    const codes = [account.app.code(-1), account.app.code(), account.app.code(1)];

    const answers = await Promise.all(
      sessions.map(({ accessToken }, at) =>
        verifyRaw(accessToken, account.app.factorId, { challenge_id: challengeIds[at], code: codes[at] }),
      ),
    );

    expect(answers.filter(({ status }) => status >= 500)).toEqual([]);
    expect(answers.some(({ status }) => status === 200)).toBe(true);
  });

  test('returns no 5xx when verifications meet global sign-outs', async () => {
    const sessions: { one: Awaited<ReturnType<typeof verified>>; again: Awaited<ReturnType<typeof signInAgain>> }[] =
      [];
    for (let account = 0; account < 3; account += 1) {
      const one = await verified();
      for (let count = 0; count < 3; count += 1) sessions.push({ one, again: await signInAgain(one) });
    }
    const challengeIds = await Promise.all(sessions.map(({ one, again }) => challenge(again.client, one.app)));

    const statuses = await Promise.all(
      sessions.flatMap(({ one, again }, at) => [
        verifyRaw(again.accessToken, one.app.factorId, { challenge_id: challengeIds[at], code: one.app.code() }),
        post('/auth/v1/logout?scope=global', {}, { authorization: `Bearer ${again.accessToken}` }),
      ]),
    );

    expect(statuses.filter(({ status }) => status >= 500)).toEqual([]);
  });

  test('accepts one of two first apps verified at the same time, and rejects the other', async () => {
    const { client, accessToken } = await server().confirmedUser();
    const apps = [await enroll(client, 'one'), await enroll(client, 'two')];
    const challengeIds = await Promise.all(apps.map((app) => challenge(client, app)));

    const answers = await Promise.all(
      apps.map((app, at) => verifyRaw(accessToken, app.factorId, { challenge_id: challengeIds[at], code: app.code() })),
    );

    // The app that is verified removes the other, which a request that comes a moment later no longer finds.
    expect([
      [200, 404],
      [200, 422],
    ]).toContainEqual(answers.map(({ status }) => status).sort());
    const { data } = await client.auth.mfa.listFactors();
    expect(data?.all.map(({ status }) => status)).toEqual(['verified']);
  });
});
