/**
 * Fault injection into the sandbox market and the community fakes, through the server's own address as browser tests
 * do it.
 */
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { channelStatsSchema, chatMembersSchema, patronStatsSchema } from '#domain/community/counters.ts';
import { openTestDatabase } from '../support/database/database.ts';
import { dayDatabase } from '../support/database/day-database.ts';
import { startWholeServer, type WholeServer } from '../support/servers/whole-server.ts';

const undo: (() => Promise<unknown>)[] = [];
/** DEVELOPMENT is 'faults'. */
let open: WholeServer;
/** DEVELOPMENT is not set, as by default. */
let closed: WholeServer;

beforeAll(async () => {
  open = await start({ DEVELOPMENT: 'faults' });
  closed = await start({});
});

afterAll(async () => {
  for (const step of undo.splice(0).reverse()) await step();
});

async function start(env: Readonly<Record<string, string>>): Promise<WholeServer> {
  const database = await openTestDatabase(dayDatabase);
  undo.push(() => database.close());
  const server = await startWholeServer(database, { env, hasCommunity: true });
  undo.push(() => server.close());
  return server;
}

const CONTROLS = [
  {
    name: 'market-faults',
    // Targets a service that no test reads, so that the fault's count is never spent.
    fault: { part: 'stream', dialect: 'nobody', product: 'BTC-USD', what: 'crossed', count: 3 },
    beside: 'binance/fapi/v1/time',
  },
  {
    name: 'community-faults',
    fault: { part: 'rest', dialect: 'nobody', product: 'a channel', what: 'empty', count: 3 },
    beside: 'youtube/channels',
  },
];

describe.each(CONTROLS)('/dev/$name', ({ name, fault, beside }) => {
  const post = (url: string, body: string, type = 'application/json') =>
    fetch(`${url}/dev/${name}`, { method: 'POST', body, headers: { 'content-type': type } });

  test('adds, lists and clears faults with DEVELOPMENT=faults, and refuses every other request', async () => {
    const { url } = open;
    const path = `${url}/dev/${name}`;

    const added = await post(url, JSON.stringify(fault));
    const listed = await fetch(path);
    const part = await post(url, '{"part":"rest"}');
    const unknown = await post(url, JSON.stringify({ ...fault, what: 'nothing known' }));
    const form = await post(url, JSON.stringify(fault), 'text/plain');
    const large = await post(url, JSON.stringify({ ...fault, product: 'x'.repeat(70_000) }));
    const other = await fetch(path, { method: 'PUT', body: '{}' });
    const neighbour = await fetch(`${path}/../${beside}`);
    const ended = await fetch(path, { method: 'DELETE' });

    expect([added.status, await added.json()]).toEqual([200, { faults: [fault] }]);
    expect(await listed.json()).toEqual({ faults: [fault] });
    const refused = [part, unknown, form, large, other, neighbour];
    expect(refused.map(({ status }) => status)).toEqual([400, 400, 400, 413, 405, 404]);
    expect(await ended.json()).toEqual({ faults: [] });
  });

  test('returns 404 without DEVELOPMENT=faults', async () => {
    const { url } = closed;

    expect((await fetch(`${url}/dev/${name}`)).status).toBe(404);
    expect((await post(url, JSON.stringify(fault))).status).toBe(404);
  });
});

test('serves the counters to anonymous visitors', async () => {
  const bodyOf = async (name: string): Promise<unknown> => (await fetch(`${closed.url}/functions/v1/${name}`)).json();

  await vi.waitFor(async () => {
    expect(channelStatsSchema.parse(await bodyOf('channel-stats')).videos).toHaveLength(10);
    expect(chatMembersSchema.parse(await bodyOf('chat-members')).members).toBeGreaterThan(0);
    expect(patronStatsSchema.parse(await bodyOf('patron-stats')).patrons).toBeGreaterThan(0);
  });
});
