import { expect, test, vi } from 'vitest';
import { openFunctionRoutes } from '../platform/http/calls/open-function.ts';
import { createLogger } from '../platform/telemetry/log.ts';
import { type CounterReaders, counterFunctions } from './counter-functions.ts';
import type { Counted } from './counter-store.ts';
import type { PatronCount } from './patreon.ts';

const FETCHED_MS = Date.parse('2026-11-20T12:00:00Z');
const KNOWN: Counted<PatronCount> = { value: { patrons: 213 }, fetchedAtMs: FETCHED_MS };

function setUp(patrons: CounterReaders['patrons']) {
  const readers = { channel: null, members: null, patrons };
  const functions = counterFunctions({ kind: 'live', readers, log: createLogger('silent') });
  const routes = openFunctionRoutes(functions);
  return async () => {
    const answer = await routes.request('/functions/v1/patron-stats');
    const body: unknown = await answer.json();
    return { status: answer.status, keeping: answer.headers.get('cache-control'), body };
  };
}

test('returns a known count with its time, cacheable for a minute', async () => {
  const request = setUp(async () => KNOWN);

  expect(await request()).toEqual({
    status: 200,
    keeping: 'public, max-age=60',
    body: { kind: 'live', fetchedAt: '2026-11-20T12:00:00.000Z', patrons: 213 },
  });
});

test('returns null, cacheable for a minute, for a service that is not configured', async () => {
  expect(await setUp(null)()).toEqual({
    status: 200,
    keeping: 'public, max-age=60',
    body: { kind: 'live', fetchedAt: null, patrons: null },
  });
});

test('returns null with no-store while the database is unavailable', async () => {
  let isAway = true;
  const request = setUp(async () => {
    if (isAway) throw new Error('connection refused');
    return KNOWN;
  });

  expect(await request()).toMatchObject({ status: 200, keeping: 'no-store', body: { patrons: null, fetchedAt: null } });
  isAway = false;
  await vi.waitFor(async () => expect(await request()).toMatchObject({ body: { patrons: 213 } }));
});

test('shares one database query among simultaneous requests', async () => {
  const read = vi.fn(async () => KNOWN);
  const request = setUp(read);

  await Promise.all(Array.from({ length: 50 }, request));
  await request();

  expect(read).toHaveBeenCalledOnce();
});
