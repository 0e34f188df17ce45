/**
 * Calls the account functions with marked secrets (answered, refused and failing) and checks that no mark reaches the
 * log.
 */
import { expect, test } from 'vitest';
import type { Database } from '../../server/platform/database/database.ts';
import { createLogger } from '../../server/platform/telemetry/log.ts';
import { describeOneDatabase } from '../support/database/each-database.ts';
import { openedForTests } from '../support/run/opened-for-tests.ts';
import { accountTestServer } from './support/auth/account.ts';
import { authenticatorApps } from './support/auth/factors.ts';

const MARK = 'MARKED5e7c0ffee';

describeOneDatabase('account function log', (kind) => {
  const lines: string[] = [];
  const log = createLogger('trace', { write: (line) => void lines.push(line) });
  const server = openedForTests(() => accountTestServer(kind, { log }));
  const { verified, signInAgain } = authenticatorApps(server);

  test('holds no code, token, address or row', async () => {
    const account = await verified();
    await account.client.from('profiles').update({ bio: MARK }).eq('id', account.id);
    const { data } = await account.client.functions.invoke('recovery-codes', { body: { action: 'create' } });
    const [code = '', spent = ''] = data.codes;
    const lost = await signInAgain(account);
    const calls: [string, unknown][] = [
      ['list-sessions', {}],
      ['end-session', { session_id: MARK }],
      ['recovery-codes', { action: 'status', note: MARK }],
      ['recovery-codes', { action: MARK }],
      ['recover-second-factor', { code: `${MARK} wrong` }],
      ['recover-second-factor', { code }],
      ['recover-second-factor', `{"code": "${MARK}`],
      ['export-account', {}],
      ['delete-account', { action: 'delete', password: MARK }],
    ];
    const send = async (accessToken: string) => {
      const statuses = [];
      for (const [name, body] of calls) {
        const answer = await server().request(`/functions/v1/${name}?secret=${MARK}`, {
          method: 'POST',
          headers: { authorization: `Bearer ${accessToken}`, 'user-agent': `browser ${MARK}` },
          body: typeof body === 'string' ? body : JSON.stringify(body),
        });
        statuses.push(answer.status);
        await answer.text();
      }
      return statuses;
    };

    const answered = [...(await send(account.accessToken)), ...(await send(lost.accessToken)), ...(await send(MARK))];
    const linesBefore = lines.length;
    const repair = breakDown(server().database);
    const broken = await send(account.accessToken);
    repair();

    expect(answered.filter((status) => status >= 500)).toEqual([]);
    expect(broken.filter((status) => status === 500).length).toBeGreaterThan(3);
    expect(lines.length).toBeGreaterThan(linesBefore);
    const secrets = [MARK, account.email, account.accessToken, lost.accessToken, code, code.replaceAll('-', ''), spent];
    for (const secret of secrets) expect(lines.filter((line) => line.includes(secret))).toEqual([]);
  });
});

/** Makes every query fail as a driver might, with an error that holds the parameters. */
function breakDown(database: Database): () => void {
  const { query, transaction } = database;
  const fail = (_caller: unknown, _text: unknown, parameters: unknown) =>
    Promise.reject(Object.assign(new Error('the statement failed'), { parameters, cause: { parameters: [MARK] } }));
  Object.assign(database, { query: fail, transaction: fail });
  return () => void Object.assign(database, { query, transaction });
}
