/** The sandbox market without watchers: it goes on at a slow rate. */
import { afterEach, expect, test, vi } from 'vitest';
import { systemClock } from '#domain/time/clock.ts';
import { startSandboxMarket } from '../../sandbox/market/sandbox-market.ts';
import { openRawSocket, type RawMessage } from '../support/wire/raw-socket.ts';

const undo: (() => unknown)[] = [];
afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step();
});

/** Updates between one heartbeat and the next, which come each second. */
function updatesBySecond(messages: readonly RawMessage[]): number[] {
  const counts: number[] = [];
  for (const { type } of messages) {
    if (type === 'heartbeat') counts.push(0);
    else if (type === 'l2update' && counts.length > 0) counts[counts.length - 1] = (counts.at(-1) ?? 0) + 1;
  }
  return counts.slice(0, -1);
}

test('moves the book about once a second unwatched, and many times once watched', async () => {
  let isWatched = false;
  const market = { clock: systemClock, dataDir: null, speed: 1, seed: 's', startMs: null };
  const sandbox = await startSandboxMarket({ ...market, isWatched: () => isWatched });
  undo.push(() => sandbox.close());
  const socket = await openRawSocket(sandbox.addresses.coinbase.wsUrl);
  undo.push(() => socket.end());
  socket.send({ type: 'subscribe', product_ids: ['BTC-USD'], channels: ['level2_batch', 'heartbeat'] });

  await vi.waitFor(() => expect(updatesBySecond(socket.messages).length).toBeGreaterThanOrEqual(3));
  const atRest = updatesBySecond(socket.messages);
  isWatched = true;

  expect(Math.max(...atRest)).toBeLessThanOrEqual(3);
  expect(Math.max(...atRest)).toBeGreaterThan(0);
  await vi.waitFor(() => expect(Math.max(...updatesBySecond(socket.messages))).toBeGreaterThan(5));
});
