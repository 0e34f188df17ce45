/** What a server that others than this machine reach does not show them: everybody's mails, signing in as anybody. */
import { expect, test } from 'vitest';
import { openTestDatabase } from '../support/database/database.ts';
import { openedForTests } from '../support/run/opened-for-tests.ts';
import { startWholeServer } from '../support/servers/whole-server.ts';
import { askUnder } from '../support/wire/ask-under.ts';

async function started(env: Readonly<Record<string, string>>) {
  const database = await openTestDatabase('pglite');
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

test('a server that listens for everybody has no mailbox page and no stand-ins; one of this machine has both', async () => {
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

test('a request that names another port is not answered: links in mails would lead there', async () => {
  const statusUnder = async (host: string) => (await askUnder(`${local().address}/config.json`, host)).status;
  const own = new URL(local().address).port;

  const statuses = [
    await statusUnder(`localhost:${own}`),
    await statusUnder('localhost:6666'),
    await statusUnder('localhost'),
  ];

  expect(statuses).toEqual([200, 421, 421]);
});
