/** @kat/client, whose types are generated from the OpenAPI document, against a whole server. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createContext, runInContext } from 'node:vm';
import { gzipSync } from 'node:zlib';
import { build } from 'vite';
import { expect, expectTypeOf, test } from 'vitest';
import { houseForecastId } from '#domain/share/forecast-id.ts';
import { type Kat, KatError, kat } from '../../packages/client/source/client.ts';
import type { KatEvent } from '../../packages/client/source/events.ts';
import { CLIENT_TYPES, documentHash } from '../../scripts/packages/client-types.ts';
import { insertRecords, makeRecords } from '../../server/record/testing/record-fixtures.ts';
import { describeOneDatabase } from '../support/database/each-database.ts';
import { openedForTests } from '../support/run/opened-for-tests.ts';
import { savePrediction } from './support/data/read-api.ts';
import { openProgramWorld } from './support/services/programs.ts';

const ROOT = join(import.meta.dirname, '../..');
const BTC = 'BTCUSDT.P';

test('has types of the current OpenAPI document', () => {
  // If this fails: npm ci --prefix scripts/packages/openapi-types && npm run release -- client-types
  expect(readFileSync(join(ROOT, CLIENT_TYPES), 'utf8').split('\n')[0]).toContain(documentHash());
});

test('has less than 8 KB of code, even as it is written', () => {
  const code = ['client.ts', 'events.ts'].map((file) => readFileSync(join(ROOT, 'packages/client/source', file)));
  expect(gzipSync(Buffer.concat(code)).length).toBeLessThan(8 * 1024);
});

describeOneDatabase('@kat/client', (kind) => {
  const world = openedForTests(openWorld);

  async function openWorld() {
    const opened = await openProgramWorld(kind);
    await insertRecords(opened.database, makeRecords({ slots: 3, market: 'simulated' }));
    const program = await opened.program('lion');
    for (let i = 0; i < 3; i++) await savePrediction(opened.database, { userId: program.userId });
    const client = kat({ url: opened.server.url, key: program.key });
    return { ...opened, owner: program, client };
  }

  test('returns every JSON answer with its type', async () => {
    const { client } = world();
    const { bands, lastClose } = await client.get('/bands');
    expectTypeOf(lastClose).toEqualTypeOf<number>();
    expect(bands).toHaveLength(50);
    const { path } = await client.get('/forecasts/latest', { sym: BTC, model: 'bobcat', tf: '1min' });
    expect(path).toHaveLength(50);
    const record = await client.get('/forecasts/{id}', { id: '1' });
    expectTypeOf(record.state).toEqualTypeOf<'sealed' | 'waiting' | 'known' | 'void'>();
    expect(record).toMatchObject({ id: '1', owner: 'house', bands: { length: 5 } });
    expect((await client.get('/candles', { sym: BTC, limit: 5 })).candles).toHaveLength(5);
    expect((await client.get('/markets', { query: 'btc' })).markets[0]).toMatchObject({ sym: BTC });
    expect(await client.get('/watchlist')).toEqual({ pairs: [] });
    expect((await client.get('/summary', { period: '30d' })).period).toBe('30d');
    expect((await client.get('/predictions')).predictions).toHaveLength(3);
    expect((await client.get('/me')).limits.minute.limit).toBe(60);
    // @ts-expect-error: the document knows no such address
    await expect(client.get('/nothing')).rejects.toThrow(KatError);
  });

  test('reads a house forecast by the name of its page, and by no other hash or token', async () => {
    const { client } = world();
    const { hash } = await client.get('/forecasts/{id}', { id: '1' });
    const named = houseForecastId(1, hash ?? '');
    expect(await client.get('/forecasts/{id}', { id: named })).toMatchObject({ id: '1', owner: 'house', hash });

    // Another first digit.
    const other = `1-${hash?.startsWith('0') ? '1' : '0'}${hash?.slice(1, 12)}`;
    await expect(client.get('/forecasts/{id}', { id: other })).rejects.toMatchObject({ code: 'request/not-found' });
    await expect(client.get('/forecasts/{id}', { id: 'a'.repeat(32) })).rejects.toMatchObject({ status: 400 });
  });

  test('works in less than 8 KB as a browser’s bundle, with nothing of Node', async () => {
    const { owner, server } = world();
    const bundle = await bundled('packages/client/source/client.ts');
    expect(gzipSync(bundle).length).toBeLessThan(8 * 1024);
    // A browser has these, and neither process nor Buffer nor require.
    const browser = { fetch, Headers, URLSearchParams, TextDecoderStream, AbortController, setTimeout, clearTimeout };
    const page = createContext({ ...browser, options: { url: server.url, key: owner.key } });
    runInContext(bundle, page);
    const read = (code: string): Promise<unknown> => runInContext(code, page);

    expect(await read("KatClient.kat(options).get('/bands').then(({ bands }) => bands.length)")).toBe(50);
    expect(await read("KatClient.kat({ ...options, key: 'x' }).get('/me').catch(({ code }) => code)")).toBe(
      'api/bad-key',
    );
    expect(await read('KatClient.kat(options).events().next().then(({ value }) => value.event)')).toBe('ready');
  });

  test('follows pages to the last one', async () => {
    const { client } = world();
    const seen: (string | undefined)[] = [];
    for await (const page of client.pages('/records', { from: '2025-11-12', to: '2025-11-13', limit: 10 }))
      seen.push(...page.records.map(({ hash }) => hash));
    expect(seen).toEqual(makeRecords({ slots: 3, market: 'simulated' }).hashes);
    const ids: string[] = [];
    for await (const page of client.pages('/predictions', { limit: 1 }))
      ids.push(...page.predictions.map(({ id }) => id));
    expect(new Set(ids).size).toBe(3);
  });

  test('takes an unchanged answer from memory', async () => {
    const { server, owner } = world();
    const statuses: number[] = [];
    const counting: typeof fetch = async (...args) => {
      const response = await fetch(...args);
      statuses.push(response.status);
      return response;
    };
    const client = kat({ url: `${server.url}/`, key: owner.key, fetch: counting });

    const once = await client.get('/predictions');
    expect(await client.get('/predictions')).toEqual(once);
    expect(statuses).toEqual([200, 304]);
  });

  test('reports a refusal with its code, details and time to wait', async () => {
    const { server, client } = world();
    const refusal = async (of: Kat, call: (of: Kat) => Promise<unknown>): Promise<KatError> => {
      const error = await call(of).catch((found: unknown) => found);
      if (!(error instanceof KatError)) throw new Error('not refused');
      return error;
    };

    expect(await refusal(client, (of) => of.get('/bands', { sym: 'ETHUSDT.P', model: 'lion' }))).toMatchObject({
      status: 403,
      code: 'forecast/not-opened',
      retryAfterS: null,
    });
    expect(await refusal(client, (of) => of.get('/records', { limit: 0 }))).toMatchObject({
      status: 400,
      details: { parameter: 'limit', problem: 'invalid' },
    });
    const stranger = kat({ url: server.url, key: 'kat_nobody' });
    expect(await refusal(stranger, (of) => of.get('/me'))).toMatchObject({ status: 401, code: 'api/bad-key' });
  });

  test('streams events, continues after a broken connection, and ends with its key', async () => {
    const { server, database } = world();
    const program = await world().program('free');
    const broken = new AbortController();
    const sent: (string | null)[] = [];
    const breaking: typeof fetch = (input, init) => {
      sent.push(new Headers(init?.headers).get('last-event-id'));
      return fetch(input, { ...init, signal: sent.length === 1 ? broken.signal : null });
    };
    const events = kat({ url: server.url, key: program.key, fetch: breaking }).events({ sym: BTC });
    const next = async (): Promise<KatEvent> => {
      const { value, done } = await events.next();
      if (done === true) throw new Error('the stream ended');
      return value;
    };

    const ready = await next();
    expect(ready.event).toBe('ready');
    const waiting = next();
    broken.abort();
    const [last] = await database.query<{ seq: number; hash: string }>(
      { role: 'owner', claims: null },
      "select seq, encode(hash, 'hex') as hash from private.track_records order by seq desc limit 1",
    );
    const firstSlotS = Math.floor(Date.now() / 300_000) * 300;
    const records = makeRecords({
      syms: [BTC],
      models: ['lion'],
      market: 'simulated',
      firstSlotS,
      after: last ?? { seq: 0, hash: '' },
    });
    await insertRecords(database, records);
    expect(await waiting).toMatchObject({ event: 'ready' });
    expect(await next()).toMatchObject({ event: 'forecast-issued', data: { id: String(records.bodies[0]?.seq) } });
    expect(sent).toEqual([null, ready.id]);

    await world().revoke(program);
    await expect(next()).rejects.toMatchObject({ code: 'api/key-revoked' });
  });
});

/** As a bundler makes it for a page, in one script. */
async function bundled(entry: string): Promise<string> {
  const lib = { entry: join(ROOT, entry), name: 'KatClient', formats: ['iife' as const] };
  const built = await build({ configFile: false, logLevel: 'silent', root: ROOT, build: { write: false, lib } });
  const chunks = [built].flat().flatMap((one) => ('output' in one ? one.output : []));
  return chunks.map((one) => ('code' in one ? one.code : '')).join('');
}
