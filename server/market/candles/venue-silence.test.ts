import { expect, test } from 'vitest';
import { symbolNamed } from '#domain/market/testing/symbol-named.ts';
import { venueSilence } from './venue-silence.ts';

const candle = { time: 1_762_959_600, open: 1, high: 1, low: 1, close: 1 };

function aWorld() {
  const time = { ms: 0 };
  const silence = venueSilence(() => time.ms);
  const send = (label: string, isClosed: boolean, venueId = 'one') =>
    silence.take({ symbol: symbolNamed(label), candle, isClosed, venueId });
  return { time, silence, send, idleMs: (label: string) => silence.idleMs(symbolNamed(label).sym) };
}

test('counts a venue that streams open candles as silent after 15 seconds', () => {
  const { time, send, idleMs } = aWorld();
  send('BTC', false);
  time.ms = 15_000;
  expect(idleMs('BTC')).toBe(0);
  time.ms = 20_000;
  expect(idleMs('BTC')).toBe(20_000);
});

test('does not blame a quiet symbol while its venue sends another one', () => {
  const { time, send, idleMs } = aWorld();
  send('BTC', false);
  send('ETH', false);
  send('SOL', false, 'two');
  time.ms = 60_000;
  send('ETH', false);
  expect([idleMs('BTC'), idleMs('SOL')]).toEqual([0, 60_000]);
});

test('waits 90 seconds for a venue that sends closed candles alone', () => {
  const { time, send, idleMs } = aWorld();
  send('MSFT', true);
  time.ms = 90_000;
  expect(idleMs('MSFT')).toBe(0);
  time.ms = 91_000;
  expect(idleMs('MSFT')).toBe(91_000);
});

test('does not know the silence of a symbol that has sent nothing yet', () => {
  const { time, silence, idleMs } = aWorld();
  silence.take({ symbol: symbolNamed('BTC'), candle, isClosed: false, venueId: 'one' });
  time.ms = 60_000;
  expect([idleMs('BTC'), idleMs('ETH')]).toEqual([60_000, 0]);
});
