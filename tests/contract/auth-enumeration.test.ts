/** Neither an answer nor its cost reveals whether an address has an account. The night tests measure the times. */
import { expect, test } from 'vitest';
import { describeBothAtNight } from '../support/database/day-database.ts';
import { openedForTests } from '../support/run/opened-for-tests.ts';
import { knownAddresses } from './support/auth/known-addresses.ts';
import { backendTestServer } from './support/backend.ts';
import { statementsOf } from './support/data/statements.ts';

const CHALLENGE = { code_challenge: 'c'.repeat(43), code_challenge_method: 'plain' };

/** The fields that each call sends with an address. */
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

describeBothAtNight('known and unknown addresses', (kind) => {
  const server = openedForTests(() =>
    backendTestServer(kind, { accounts: { settings: { isConfirmationRequired: true } } }),
  );
  const { post, confirmed, unknownAddress } = knownAddresses(server);

  async function answerOf(path: string, email: string, fields: Record<string, unknown>) {
    const answer = await post(`/auth/v1${path}`, { ...fields, email });
    const headers = [...answer.headers].filter(([name]) => name !== 'date' && name !== 'content-length');
    // Masks what differs in every answer: the address, a fresh id and the time.
    const body = (await answer.text())
      .replaceAll(email, 'ADDRESS')
      .replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'ID')
      .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME');
    return { status: answer.status, headers, body };
  }

  test.each(CALLS)('%s: returns identical answers', async (_what, path, fields) => {
    const known = await answerOf(path, await confirmed(), fields);
    const unknown = await answerOf(path, unknownAddress(), fields);

    expect(unknown).toEqual(known);
  });

  test.each(CALLS)('%s: sends the same statements', async (_what, path, fields) => {
    const address = await confirmed();
    const known = await statementsOf(server().database, () => post(`/auth/v1${path}`, { ...fields, email: address }));
    const unknown = await statementsOf(server().database, () =>
      post(`/auth/v1${path}`, { ...fields, email: unknownAddress() }),
    );

    expect(unknown).toEqual(known);
    expect(known.length).toBeGreaterThan(0);
  });

  test('returns the same answers and sends the same statements for a link that creates the account', async () => {
    const fields = { data: { full_name: 'Ada' }, ...CHALLENGE };
    const address = await confirmed();
    const [known, unknown] = [
      await statementsOf(server().database, () => post('/auth/v1/otp', { ...fields, email: address })),
      await statementsOf(server().database, () => post('/auth/v1/otp', { ...fields, email: unknownAddress() })),
    ];

    expect(unknown).toEqual(known);
    expect(await answerOf('/otp', unknownAddress(), fields)).toEqual(await answerOf('/otp', address, fields));
  });

  test('treats an unconfirmed address like a new one at sign-up', async () => {
    const waiting = unknownAddress();
    const fields = { password: 'Password1' };
    const fresh = await answerOf('/signup', waiting, fields);
    const again = await answerOf('/signup', waiting, fields);
    const statements = [
      await statementsOf(server().database, () => post('/auth/v1/signup', { ...fields, email: unknownAddress() })),
      await statementsOf(server().database, () => post('/auth/v1/signup', { ...fields, email: waiting })),
    ];

    expect(again).toEqual(fresh);
    expect(statements[1]).toEqual(statements[0]);
  });

  test.each(CALLS)('%s: computes the same number of password hashes', async (_what, path, fields) => {
    const hashesOf = async (email: string) => {
      const before = server().hashes();
      await post(`/auth/v1${path}`, { ...fields, email });
      return server().hashes() - before;
    };

    const known = await hashesOf(await confirmed());
    const unknown = await hashesOf(unknownAddress());

    expect(unknown).toBe(known);
    expect(known > 0).toBe('password' in fields);
  });
});
