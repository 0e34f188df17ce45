import fc from 'fast-check';
import { expect, test } from 'vitest';
import { describeDelay } from '#domain/format/relative-time.ts';
import { describeStaleness, readCandleSource } from './candle-source.ts';

const NOON_MS = Date.parse('2025-11-12T12:00:00Z');
const readSource = (headers: Record<string, string>, nowMs = NOON_MS) =>
  readCandleSource(new Headers(headers), nowMs, 60);

test('describes whose prices they are, how late and how old', () => {
  const source = readSource({
    'x-market-attribution': 'IEX via Alpaca',
    'x-market-delay-s': '900',
    'x-market-stale': 'true',
    'x-market-as-of': String(NOON_MS / 1000 - 660),
  });

  expect(source).toMatchObject({ attribution: 'IEX via Alpaca', delayS: 900, isStale: true });
  expect(describeDelay(source.delayS)).toBe('delayed 15 min');
  expect(describeStaleness(source, NOON_MS)).toBe('stale · 10 min');
  expect(describeStaleness(source, NOON_MS + 110 * 60_000)).toBe('stale · 2 h');
  expect(describeStaleness(source, NOON_MS + 3 * 86_400_000)).toBe('stale · 3 days');
});

test('computes ages regardless of a wrong clock of the browser', () => {
  const headers = { 'x-market-stale': 'true', 'x-market-as-of': String(NOON_MS / 1000 - 660) };
  const source = readSource({ ...headers, date: new Date(NOON_MS).toUTCString() }, NOON_MS + 9_000_000);

  expect(describeStaleness(source, NOON_MS + 9_000_000 + 60_000)).toBe('stale · 11 min');
});

test('counts an answer without details as neither late nor old', () => {
  const source = readSource({});

  expect([source.attribution, describeDelay(source.delayS), describeStaleness(source, NOON_MS)]).toEqual([
    null,
    null,
    null,
  ]);
});

test('returns whole sentences, whatever the headers hold', () => {
  const value = fc.oneof(fc.constantFrom('true', 'false', '-1', '1e99', 'NaN', ''), fc.nat().map(String));
  fc.assert(
    fc.property(value, value, value, value, (attribution, delay, stale, asOf) => {
      const source = readSource({
        'x-market-attribution': attribution,
        'x-market-delay-s': delay,
        'x-market-stale': stale,
        'x-market-as-of': asOf,
      });
      expect(describeDelay(source.delayS) ?? 'delayed 1 min').toMatch(/^delayed [1-9]\d* min$/);
      expect(describeStaleness(source, NOON_MS) ?? 'stale').toMatch(/^stale( · [1-9]\d* (min|h|days))?$/);
    }),
  );
});
