/** Alpaca's own behaviour: one connection per key, and bars outside the exchange's hours. */
import { expect, test, vi } from 'vitest';
import WebSocket from 'ws';
import { MINUTE_MS, MSFT, never, shareVenues } from './support/market/share-venues.ts';

const { clock, opened, openAlpaca, follow } = shareVenues();

test("drops bars outside the exchange's hours without counting them as malformed", async () => {
  const bar = (iso: string) => ({ t: iso, o: 1, h: 2, l: 1, c: 2, v: 3, n: 1, vw: 1 });
  const times = ['2026-11-17T21:00:00Z', '2026-11-17T20:59:00Z', '2026-11-18T14:29:00Z', '2026-11-18T14:30:00Z'];
  const { venue } = openAlpaca(undefined, { bars: { MSFT: times.map(bar) }, next_page_token: null });

  const candles = await venue.candles(MSFT, 450, never);

  expect(candles.map((c) => new Date(c.time * 1000).toISOString().slice(0, 16))).toEqual([
    '2026-11-17T20:59',
    '2026-11-18T14:30',
  ]);
  expect(venue.malformed).toBe(0);
});

test('accepts a bar that Alpaca returns on a holiday of our table', async () => {
  const bar = { t: '2026-11-26T15:00:00Z', o: 1, h: 2, l: 1, c: 2, v: 3, n: 1, vw: 1 };
  clock.ms = Date.parse('2026-11-27T15:00:00Z');
  const { venue } = openAlpaca(undefined, { bars: { MSFT: [bar] }, next_page_token: null });

  expect(await venue.candles(MSFT, 600, never)).toHaveLength(1);
});

test('streams nothing while the key is connected elsewhere, and bars once it is free', async () => {
  const other = await authenticated();
  const { venue } = openAlpaca();
  const seen = follow(venue, [MSFT]);
  await turnMinutes(3);
  expect(seen).toEqual([]);
  other.close();

  const free = openAlpaca().venue;
  const freed = follow(free, [MSFT]);

  await vi.waitFor(async () => {
    await turnMinutes(1);
    expect(freed.length).toBeGreaterThan(0);
  });
  expect(freed.every((update) => update.isClosed)).toBe(true);
});

test.each([
  ['{"action":"subscribe","bars":["MSFT"]}', 401],
  ['{"action":"auth","key":"x","secret":"y"}', 402],
  ['nonsense', 400],
])("answers %s in the sandbox with Alpaca's error %d", async (text, code) => {
  const socket = await socketOf();

  socket.send(text);

  expect(await nextFrame(socket)).toMatchObject([{ T: 'error', code }]);
  socket.terminate();
});

async function turnMinutes(count: number): Promise<void> {
  for (let i = 0; i < count; i++) {
    clock.ms += MINUTE_MS;
    await new Promise((resolve) => setTimeout(resolve, 220));
  }
}

async function socketOf(): Promise<WebSocket> {
  const socket = new WebSocket(`${opened().addresses.alpaca.wsUrl}/v2/iex`);
  expect(await nextFrame(socket)).toEqual([{ T: 'success', msg: 'connected' }]);
  return socket;
}

async function authenticated(): Promise<WebSocket> {
  const socket = await socketOf();
  socket.send(JSON.stringify({ action: 'auth', key: 'sandbox', secret: 'sandbox' }));
  expect(await nextFrame(socket)).toEqual([{ T: 'success', msg: 'authenticated' }]);
  return socket;
}

function nextFrame(socket: WebSocket): Promise<unknown> {
  return new Promise((resolve, reject) => {
    socket.once('message', (data) => resolve(JSON.parse(String(data))));
    socket.once('error', reject);
  });
}
