import { render, screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { MarketFeed, OperationsFacts } from '#domain/operations/operations-state.ts';
import { aFeed, NOON_MS, someFacts } from '#domain/operations/testing/operations-fixtures.ts';
import { MarketFeedsPanel } from './market-feeds-panel.tsx';

const { market } = someFacts();

function show(change: Partial<OperationsFacts['market']>) {
  const facts = someFacts({ market: { ...market, ...change } });
  render(<MarketFeedsPanel state={{ ok: true, ...facts, attention: [] }} />);
}
const value = (name: string) => screen.getByText(name).nextElementSibling?.textContent;
const rows = () =>
  within(screen.getByRole('table', { name: 'Candle feeds' }))
    .getAllByRole('row')
    .slice(1)
    .map((row) => [...row.children].map(({ textContent }) => textContent));
const ofFeed = (subject: string, change: Partial<MarketFeed>) => aFeed({ subject, ...change });

test('tells a feed that serves from one that waits, and says whose last call failed', () => {
  show({
    feeds: [
      ofFeed('BTC', {}),
      ofFeed('ETH', { isServing: false }),
      ofFeed('SOL', { failures: 2, problem: 'answered 502' }),
      ofFeed('DOGE', { isServing: false, failures: 1 }),
    ],
  });

  expect(rows().map(([subject, , state, , failures, , , , problem]) => [subject, state, failures, problem])).toEqual([
    ['BTC', 'serving', '0', ''],
    ['ETH', 'standby', '0', ''],
    ['SOL', 'serving, last call failed', '2', 'answered 502'],
    ['DOGE', 'failing', '1', ''],
  ]);
});

test('shows how old the last candle is and until when a venue is paused, or that there is none', () => {
  show({ feeds: [ofFeed('BTC', { heldUntilMs: NOON_MS + 60_000 }), aFeed({ subject: null, ageS: null })] });

  expect(rows().map(([subject, , , age, , , , held]) => [subject, age, held])).toEqual([
    ['BTC', '30 s ago', 'in 1 min'],
    ['candles', '–', '–'],
  ]);
});

test('says which order books are stale, and how many candles wait or were lost', () => {
  const book = { ...market.book, staleProducts: ['BTC-USD', 'ETH-USD'], gaps: 3, malformed: 1, refusals: 2 };
  show({ kind: 'simulated', book, store: { waiting: 7, dropped: 2, malformed: 0, failures: 0 }, feeds: [] });

  expect(value('Order book, Coinbase Exchange')).toBe('stale: BTC-USD, ETH-USD');
  expect(value('Order book: gaps, malformed, refused')).toBe('3, 1, 2');
  expect(value('Candle storage queue')).toBe('7 waiting, 2 lost');
  expect(screen.getByText('simulated')).toBeDefined();
  expect(screen.getByText('No one has requested candles from this process yet.')).toBeDefined();
});

test('says that candles are not stored', () => {
  show({ store: null });

  expect([value('Candle storage queue'), value('Order book, Coinbase Exchange')]).toEqual(['not stored', 'fresh']);
});
