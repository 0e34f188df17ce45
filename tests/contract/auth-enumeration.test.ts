/** Nobody learns from an answer, from its time or from what it costs whether an address has an account. */
import { describe, expect, test } from 'vitest';
import { testDatabaseKinds } from '../support/database.ts';
import { openedForTests } from '../support/opened-for-tests.ts';
import { authCalls } from './support-auth.ts';
import { mailCalls } from './support-auth-mail.ts';
import { backendTestServer } from './support-backend.ts';
import { statementsOf } from './support-statements.ts';

const CHALLENGE = { code_challenge: 'c'.repeat(43), code_challenge_method: 'plain' };
const ROUNDS = 25;
const ROUNDS_WITH_HASH = 5;
/** Half the product's work, and still several times that of everything else in a call. */
const PASSWORD_COST = 9;
/** Wide: the machine is shared, and that the statements are the same is the proof. A forgotten hash shows as a multiple. */
const NOISE = { atLeast: 0.4, atMost: 2.5 };

/** What each call sends for an address. */
const CALLS: readonly [string, string, Record<string, unknown>][] = [
  ['sign-in', '/token?grant_type=password', { password: 'Password2' }],
  ['recover', '/recover', {}],
  ['recover for one browser', '/recover', CHALLENGE],
  ['a link without an account', '/otp', { create_user: false }],
  ['resend', '/resend', { type: 'signup' }],
  ['resend a change', '/resend', { type: 'email_change', ...CHALLENGE }],
  ['a wrong code', '/verify', { type: 'email', token: '000000' }],
  ['sign-up', '/signup', { password: 'Password3', data: { full_name: 'Ada' } }],
];

describe.each(testDatabaseKinds())('known and unknown addresses on %s', (kind) => {
  const server = openedForTests(async () => {
    const accounts = { settings: { isConfirmationRequired: true } };
    return backendTestServer(kind, { accounts, passwordCost: PASSWORD_COST });
  });
  const { post } = authCalls(server);
  const { mailTo } = mailCalls(server);

  let people = 0;
  async function confirmed() {
    people += 1;
    const email = `known${people}@example.com`;
    await post('/auth/v1/signup', { email, password: 'Password1' });
    const { code } = await mailTo(email, 'confirmation');
    await post('/auth/v1/verify', { email, token: code, type: 'signup' });
    return email;
  }
  function nobody() {
    people += 1;
    return `none${people}@example.com`;
  }

  async function answerOf(path: string, email: string, fields: Record<string, unknown>) {
    const answer = await post(`/auth/v1${path}`, { ...fields, email });
    const headers = [...answer.headers].filter(([name]) => name !== 'date' && name !== 'content-length');
    // What is one's own in every answer: the address, a fresh id and the time.
    const body = (await answer.text())
      .replaceAll(email, 'ADDRESS')
      .replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'ID')
      .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME');
    return { status: answer.status, headers, body };
  }

  test.each(CALLS)('%s: the answers are the same, to the letter', async (_what, path, fields) => {
    const known = await answerOf(path, await confirmed(), fields);
    const unknown = await answerOf(path, nobody(), fields);

    expect(unknown).toEqual(known);
  });

  test.each(CALLS)('%s: the same statements are sent', async (_what, path, fields) => {
    const address = await confirmed();
    const known = await statementsOf(server().database, () => post(`/auth/v1${path}`, { ...fields, email: address }));
    const unknown = await statementsOf(server().database, () =>
      post(`/auth/v1${path}`, { ...fields, email: nobody() }),
    );

    expect(unknown).toEqual(known);
    expect(known.length).toBeGreaterThan(0);
  });

  test('a link that makes the account: answers and statements are the same', async () => {
    const fields = { data: { full_name: 'Ada' }, ...CHALLENGE };
    const address = await confirmed();
    const [known, unknown] = [
      await statementsOf(server().database, () => post('/auth/v1/otp', { ...fields, email: address })),
      await statementsOf(server().database, () => post('/auth/v1/otp', { ...fields, email: nobody() })),
    ];

    expect(unknown).toEqual(known);
    expect(await answerOf('/otp', nobody(), fields)).toEqual(await answerOf('/otp', address, fields));
  });

  test('an address that waits to be confirmed signs up like a new one', async () => {
    const waiting = nobody();
    const fields = { password: 'Password1' };
    const fresh = await answerOf('/signup', waiting, fields);
    const again = await answerOf('/signup', waiting, fields);
    const statements = [
      await statementsOf(server().database, () => post('/auth/v1/signup', { ...fields, email: nobody() })),
      await statementsOf(server().database, () => post('/auth/v1/signup', { ...fields, email: waiting })),
    ];

    expect(again).toEqual(fresh);
    expect(statements[1]).toEqual(statements[0]);
  });

  /** How long it takes for unknown addresses, as a multiple of the time for known ones. */
  async function timesRatio(path: string, fields: Record<string, unknown>, knownOnes: readonly string[]) {
    const timeOf = async (email: string) => {
      const startedMs = performance.now();
      await post(`/auth/v1${path}`, { ...fields, email });
      return performance.now() - startedMs;
    };
    const known: number[] = [];
    const unknown: number[] = [];
    for (const address of knownOnes) {
      known.push(await timeOf(address));
      unknown.push(await timeOf(nobody()));
    }
    return median(unknown) / median(known);
  }

  test.each<[string, string, Record<string, unknown>, number]>([
    ['recover', '/recover', {}, ROUNDS],
    ['a link', '/otp', {}, ROUNDS],
    ['resend', '/resend', { type: 'signup' }, ROUNDS],
    ['sign-in, with a hash for both', '/token?grant_type=password', { password: 'Password2' }, ROUNDS_WITH_HASH],
    ['sign-up, with a hash for both', '/signup', { password: 'Password3' }, ROUNDS_WITH_HASH],
  ])('%s: the times are the same within noise', async (_what, path, fields, rounds) => {
    const address = await confirmed();
    const addresses = Array.from({ length: rounds }, () => address);
    const isNoise = (ratio: number) => ratio > NOISE.atLeast && ratio < NOISE.atMost;

    const first = await timesRatio(path, fields, addresses);
    // Other work on the machine can spoil one measurement, hardly two.
    const ratios = isNoise(first) ? [first] : [first, await timesRatio(path, fields, addresses)];

    expect(ratios.filter(isNoise), `ratios ${ratios.join(', ')}`).not.toEqual([]);
  });
});

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
