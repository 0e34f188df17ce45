/** The community counters of a whole server, broken through its own address as browser tests do. */
import { afterEach, expect, test, vi } from 'vitest';
import { channelStatsSchema, chatMembersSchema, patronStatsSchema } from '#domain/community/counters.ts';
import { openTestDatabase } from '../support/database.ts';
import { startWholeServer, type WholeServer } from '../support/whole-server.ts';

const undo: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step();
});

async function start(env: Readonly<Record<string, string>>): Promise<WholeServer> {
  const database = await openTestDatabase('pglite');
  undo.push(() => database.close());
  const server = await startWholeServer(database, { env });
  undo.push(() => server.close());
  return server;
}

test('anyone may read the counters, and with MARKET_FAULTS=1 their services can be broken', async () => {
  const { url } = await start({ MARKET_FAULTS: '1' });
  const path = `${url}/dev/community-faults`;
  const fault = { part: 'rest', dialect: 'youtube', what: 'empty' };
  const post = (body: unknown) =>
    fetch(path, { method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json' } });
  const told = async (name: string): Promise<unknown> => (await fetch(`${url}/functions/v1/${name}`)).json();

  await vi.waitFor(async () => {
    expect(channelStatsSchema.parse(await told('channel-stats')).videos).toHaveLength(10);
    expect(chatMembersSchema.parse(await told('chat-members')).members).toBeGreaterThan(0);
    expect(patronStatsSchema.parse(await told('patron-stats')).patrons).toBeGreaterThan(0);
  }, 20_000);
  const added = await post(fault);
  const refused = await post({ ...fault, what: 'nothing known' });
  const ended = await fetch(path, { method: 'DELETE' });

  expect([added.status, await added.json()]).toEqual([200, { faults: [fault] }]);
  expect(refused.status).toBe(400);
  expect(await ended.json()).toEqual({ faults: [] });
});

test('without it there is no such path', async () => {
  const { url } = await start({});

  expect((await fetch(`${url}/dev/community-faults`)).status).toBe(404);
});
