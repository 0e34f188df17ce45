/**
 * What a second factor refuses: used and wrong codes, old challenges, other accounts, one factor where two are
 * required.
 */
import { expect, test } from 'vitest';
import { OWNER } from '../../server/platform/database/database.ts';
import { describeBothAtNight } from '../support/database/day-database.ts';
import { openedForTests } from '../support/run/opened-for-tests.ts';
import { authCalls } from './support/auth/auth.ts';
import { type App, authenticatorApps, type Client } from './support/auth/factors.ts';
import { backendTestServer, JSON_TYPE } from './support/backend.ts';

const WRONG_CODE = { status: 422, code: 'mfa_verification_failed', message: 'Invalid TOTP code entered' };
const NO_ID = '00000000-0000-4000-8000-000000000000';
const TRIES = 5;

describeBothAtNight('second factor refusals', (kind) => {
  const server = openedForTests(() =>
    backendTestServer(kind, { limits: { factorVerifyPerPair: { points: TRIES, perS: 300 } } }),
  );
  const { post } = authCalls(server);
  const { enroll, challenge, verified, signInAgain } = authenticatorApps(server);

  const tryCode = (client: Client, app: App, code: string) =>
    client.auth.mfa.challengeAndVerify({ factorId: app.factorId, code });

  test('rejects a used code in any session', async () => {
    const account = await verified();
    const code = account.app.code();
    const first = await tryCode(account.client, account.app, code);
    const { client } = await signInAgain(account);

    const again = await tryCode(account.client, account.app, code);
    const elsewhere = await tryCode(client, account.app, code);

    expect(first.error).toBeNull();
    expect(again.error).toMatchObject(WRONG_CODE);
    expect(elsewhere.error).toMatchObject(WRONG_CODE);
  });

  test('rejects a used code of the next step, and every code before it', async () => {
    const { client, app } = await verified();

    const early = await tryCode(client, app, app.code(1));
    const earlyAgain = await tryCode(client, app, app.code(1));
    const now = await tryCode(client, app, app.code());

    expect(early.error).toBeNull();
    expect(earlyAgain.error).toMatchObject(WRONG_CODE);
    expect(now.error).toMatchObject(WRONG_CODE);
  });

  test('rejects codes two steps away, codes of another secret and malformed codes', async () => {
    const { client, app } = await verified();
    const other = await enroll((await server().confirmedUser()).client);

    const outcomes = [app.code(-2), app.code(2), other.code(), '12345'].map((code) => tryCode(client, app, code));

    for (const { error } of await Promise.all(outcomes)) expect(error).toMatchObject(WRONG_CODE);
  });

  test('rejects a right code after five wrong ones sent at the same time', async () => {
    const { client, app } = await verified();
    const wrong = await Promise.all(Array.from({ length: TRIES + 3 }, () => tryCode(client, app, '000000')));

    const { error } = await tryCode(client, app, app.code());

    const codes = wrong.map((attempt) => attempt.error?.code).sort();
    expect(codes).toEqual([
      ...Array.from({ length: TRIES }, () => 'mfa_verification_failed'),
      ...Array.from({ length: 3 }, () => 'over_request_rate_limit'),
    ]);
    expect(error).toMatchObject({ status: 429, code: 'over_request_rate_limit' });
  });

  test('forgets earlier wrong codes after a right one', async () => {
    const { client, app } = await verified();
    for (let count = 1; count < TRIES; count += 1) await tryCode(client, app, '000000');

    const right = await tryCode(client, app, app.code());
    const wrongAgain = await tryCode(client, app, '000000');

    expect(right.error).toBeNull();
    expect(wrongAgain.error).toMatchObject(WRONG_CODE);
  });

  test('rejects a challenge older than five minutes', async () => {
    const { client, app } = await verified();
    const challengeId = await challenge(client, app);
    server().advance(5 * 60_000 + 1000);

    const { error } = await client.auth.mfa.verify({ factorId: app.factorId, challengeId, code: app.code() });

    expect(error).toMatchObject({
      status: 422,
      code: 'mfa_challenge_expired',
      message: `MFA challenge ${challengeId} has expired, verify against another challenge or create a new challenge.`,
    });
  });

  test('rejects a used challenge', async () => {
    const { client, app } = await verified();
    const challengeId = await challenge(client, app);
    const used = await client.auth.mfa.verify({ factorId: app.factorId, challengeId, code: app.code() });

    const { error } = await client.auth.mfa.verify({ factorId: app.factorId, challengeId, code: app.code(1) });

    expect(used.error).toBeNull();
    expect(error?.code).toBe('mfa_challenge_expired');
  });

  test('rejects every call on a factor of another account', async () => {
    const owner = await verified();
    const ownerChallenge = await challenge(owner.client, owner.app);
    const stranger = await server().confirmedUser();
    const { factorId } = owner.app;

    const challenged = await stranger.client.auth.mfa.challenge({ factorId });
    const verifiedBy = await stranger.client.auth.mfa.verify({
      factorId,
      challengeId: ownerChallenge,
      code: owner.app.code(),
    });
    const removed = await stranger.client.auth.mfa.unenroll({ factorId });

    for (const { error } of [challenged, verifiedBy, removed])
      expect(error).toMatchObject({ status: 404, code: 'mfa_factor_not_found', message: 'Factor not found' });
    expect((await owner.client.auth.mfa.listFactors()).data?.totp).toHaveLength(1);
  });

  test('rejects a challenge of another factor of the same account', async () => {
    const { client, app } = await verified();
    const tablet = await enroll(client, 'tablet');
    const challengeId = await challenge(client, tablet);

    const { error } = await client.auth.mfa.verify({ factorId: app.factorId, challengeId, code: app.code() });

    expect(error).toMatchObject({ status: 422, code: 'mfa_factor_not_found' });
  });

  test('rejects a code from another IP address than its challenge', async () => {
    const { client, app } = await verified();
    const challengeId = await challenge(client, app);
    await server().database.query(OWNER, "update auth.mfa_challenges set ip_address = '192.0.2.1' where id = $1", [
      challengeId,
    ]);

    const { error } = await client.auth.mfa.verify({ factorId: app.factorId, challengeId, code: app.code() });

    expect(error).toMatchObject({ status: 422, code: 'mfa_ip_address_mismatch' });
  });

  test('rejects adding or removing a factor in a session that shows only one', async () => {
    const account = await verified();
    const { client } = await signInAgain(account);

    const added = await client.auth.mfa.enroll({ factorType: 'totp', friendlyName: 'thief' });
    const removed = await client.auth.mfa.unenroll({ factorId: account.app.factorId });

    expect(added.error).toMatchObject({
      status: 403,
      code: 'insufficient_aal',
      message: 'AAL2 required to enroll a new factor',
    });
    expect(removed.error).toMatchObject({
      status: 422,
      code: 'insufficient_aal',
      message: 'AAL2 required to unenroll verified factor',
    });
  });

  test('rejects a duplicate name and an eleventh app, and drops unfinished ones after ten minutes', async () => {
    const { client } = await server().confirmedUser();
    await enroll(client, 'phone');
    const twice = await client.auth.mfa.enroll({ factorType: 'totp', friendlyName: 'phone' });
    for (let count = 2; count <= 10; count += 1) await enroll(client, '');

    const eleventh = await client.auth.mfa.enroll({ factorType: 'totp' });
    server().advance(10 * 60_000 + 1000);
    const later = await client.auth.mfa.enroll({ factorType: 'totp', friendlyName: 'phone' });

    expect(twice.error).toMatchObject({
      status: 422,
      code: 'mfa_factor_name_conflict',
      message: 'A factor with the friendly name "phone" for this user already exists',
    });
    expect(eleventh.error).toMatchObject({ status: 422, code: 'too_many_enrolled_mfa_factors' });
    expect(later.error).toBeNull();
    expect((await client.auth.mfa.listFactors()).data?.all).toHaveLength(1);
  });

  test.each([
    ['phone', 422, 'mfa_phone_enroll_not_enabled'],
    ['webauthn', 422, 'mfa_webauthn_enroll_not_enabled'],
    ['carrier pigeon', 400, 'validation_failed'],
    [null, 400, 'validation_failed'],
    [7, 400, 'validation_failed'],
  ])('rejects a factor of type %j', async (factorType, status, code) => {
    const { accessToken } = await server().confirmedUser();

    const answer = await post('/auth/v1/factors', { factor_type: factorType }, bearer(accessToken));

    expect([answer.status, (await answer.json()).error_code]).toEqual([status, code]);
  });

  test('rejects long names, broken text and invalid ids with 400 or 404', async () => {
    const { client, accessToken } = await server().confirmedUser();
    const app = await enroll(client);
    const enrollments = [
      { factor_type: 'totp', friendly_name: 'x'.repeat(101) },
      { factor_type: 'totp', issuer: 'x'.repeat(61) },
      { factor_type: 'totp', issuer: '\ud800' },
      { factor_type: 'totp', friendly_name: 'a\u0000b' },
      { factor_type: 'totp', friendly_name: { a: 1 } },
    ];
    const attempts = [{}, { challenge_id: 'x', code: '1' }, { challenge_id: NO_ID }, { challenge_id: NO_ID, code: 7 }];

    const answers = await Promise.all([
      ...enrollments.map((body) => post('/auth/v1/factors', body, bearer(accessToken))),
      ...attempts.map((body) => post(`/auth/v1/factors/${app.factorId}/verify`, body, bearer(accessToken))),
    ]);

    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 400));
    const noUuid = await post("/auth/v1/factors/1'--/challenge", {}, bearer(accessToken));
    const unknown = await post(`/auth/v1/factors/${NO_ID}/challenge`, {}, bearer(accessToken));
    expect([noUuid.status, unknown.status]).toEqual([404, 404]);
  });

  test('rejects visitors with 401', async () => {
    const answers = await Promise.all([
      post('/auth/v1/factors', { factor_type: 'totp' }),
      post(`/auth/v1/factors/${NO_ID}/challenge`, {}),
      post(`/auth/v1/factors/${NO_ID}/verify`, {}),
      server().request(`/auth/v1/factors/${NO_ID}`, { method: 'DELETE', headers: JSON_TYPE }),
    ]);

    expect(answers.map(({ status }) => status)).toEqual([401, 401, 401, 401]);
  });

  const bearer = (accessToken: string) => ({ authorization: `Bearer ${accessToken}` });
});
