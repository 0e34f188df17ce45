/** What a publicly reachable server hides: all users' emails, and signing in as any user. */
import { expect, test } from 'vitest';
import { requestUnderName } from '../../sandbox/testing/request-under-name.ts';
import { openTestDatabase } from '../support/database/database.ts';
import { dayDatabase } from '../support/database/day-database.ts';
import { openedForTests } from '../support/run/opened-for-tests.ts';
import { startWholeServer } from '../support/servers/whole-server.ts';

async function started(env: Readonly<Record<string, string>>) {
  const database = await openTestDatabase(dayDatabase);
  const server = await startWholeServer(database, { env });
  const address = `http://127.0.0.1:${new URL(server.url).port}`;
  return {
    address,
    async close() {
      await server.close();
      await database.close();
    },
  };
}

const reachable = openedForTests(() => started({ HOST: '0.0.0.0' }));
const local = openedForTests(() => started({}));

const statusOf = async (path: string, address: string) => (await fetch(`${address}${path}`)).status;
const configOf = async (address: string) => (await fetch(`${address}/config.json`)).json();

test('hides the mailbox and fake providers on a public address, and serves both locally', async () => {
  const paths = ['/dev/mailbox', '/dev/mailbox.json', '/auth/v1/authorize?provider=google&skip_http_redirect=true'];

  const open = await Promise.all(paths.map((path) => statusOf(path, reachable().address)));
  const own = await Promise.all(paths.map((path) => statusOf(path, local().address)));

  expect(open).toEqual([404, 404, 400]);
  expect(own).toEqual([200, 200, 200]);
  expect(await configOf(reachable().address)).toMatchObject({
    mail: 'smtp',
    providers: { google: 'off', github: 'off' },
  });
  expect(await configOf(local().address)).toMatchObject({
    mail: 'mailbox',
    providers: { google: 'sandbox', github: 'sandbox' },
  });
});

test('returns 421 for a host with another port, to which email links would lead', async () => {
  const statusUnder = async (host: string) => (await requestUnderName(`${local().address}/config.json`, host)).status;
  const own = new URL(local().address).port;

  const statuses = [
    await statusUnder(`localhost:${own}`),
    await statusUnder('localhost:6666'),
    await statusUnder('localhost'),
  ];

  expect(statuses).toEqual([200, 421, 421]);
});
