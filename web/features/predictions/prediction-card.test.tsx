import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Candle } from '#domain/market/candle.ts';
import { PredictionCard } from './prediction-card.tsx';
import {
  aBand,
  aKnownOutcome,
  aRow,
  aVoidOutcome,
  aWaitingOutcome,
  NOW,
  someCandles,
} from './testing/prediction-fixtures.ts';

beforeEach(() => void vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(null));
afterEach(() => vi.restoreAllMocks());

/** 150 candles that closed at 11, and a path that ends `moveBp` above. */
function aPath(moveBp: number, count = 200): Candle[] {
  return someCandles(count).map((candle, i) =>
    i === 199 ? { ...candle, close: 11 * Math.exp(moveBp / 1e4) } : candle,
  );
}

function show(data: readonly Candle[], cryptocurrency = 'BTC'): void {
  render(
    <PredictionCard
      row={aRow(0, { data, cryptocurrency })}
      outcome={null}
      hasOutcomeFailed={false}
      onPopOut={vi.fn()}
    />,
  );
}

test('says that a path ends within trading costs, and by what figures', () => {
  show(aPath(4));

  const label = screen.getByText('The predicted move (4 bp) is smaller than trading costs (about 10 bp).');
  expect(label.title).toMatch(/^Assumes a fee of 5 bp per side/);
});

test.each([
  ['a path that goes farther', aPath(40), 'BTC'],
  ['a prediction that is not whole', aPath(0, 120), 'BTC'],
  ['an unknown symbol', aPath(0), 'XYZ'],
])('shows no such note for %s', (_what, data, label) => {
  show(data, label);

  expect(screen.queryByText(/smaller than trading costs/)).toBeNull();
});

test.each([
  ['draws the bands that were saved', { band: aBand() }, /the 80% band there runs from 10\.0 to 12\.0/, '80% band'],
  ['says so where a prediction has none', { band: null }, /closes at 11\.0, [^;]+\.$/, 'no bands saved'],
  ['says so for a row from before bands were saved', {}, /closes at 11\.0, [^;]+\.$/, 'no bands saved'],
])('%s', (_what, change, picture, key) => {
  render(<PredictionCard row={aRow(0, change)} outcome={null} hasOutcomeFailed={false} onPopOut={vi.fn()} />);

  expect(screen.getByRole('img').getAttribute('aria-label')).toMatch(picture);
  expect(screen.getByText(key)).toBeDefined();
});

test('shows a market that this browser has not met with the digits of its prices, and its costs', () => {
  const scaled = (price: number) => Number((price * 1e-6).toFixed(8));
  const data = someCandles(200, 11.01).map((candle) => ({ ...candle, close: scaled(candle.close) }));
  const { lower80, upper80, lower95, upper95 } = aBand();
  const band = {
    lower80: lower80.map(scaled),
    upper80: upper80.map(scaled),
    lower95: lower95.map(scaled),
    upper95: upper95.map(scaled),
  };
  const row = aRow(0, { data, band, cryptocurrency: 'PEPE/USDT' });
  render(<PredictionCard row={row} outcome={null} hasOutcomeFailed={false} onOpen={vi.fn()} onPopOut={vi.fn()} />);

  expect(screen.getByRole('img').getAttribute('aria-label')).toMatch(
    /closes at 0\.00001101.*80% band there runs from 0\.00001000 to 0\.00001200/,
  );
  expect(screen.getByRole('button', { name: 'Open in chart' })).toBeDefined();
  expect(screen.getByText(/smaller than trading costs/)).toBeDefined();
});

test('says nothing of bands for a prediction that is too short to have a forecast', () => {
  show(someCandles(120));

  expect(screen.queryByText('no bands saved')).toBeNull();
});

test('pops out with outcome and bands', async () => {
  const onPopOut = vi.fn();
  const outcome = aKnownOutcome('p0');
  render(
    <PredictionCard row={aRow(0, { band: aBand() })} outcome={outcome} hasOutcomeFailed={false} onPopOut={onPopOut} />,
  );

  await userEvent.click(screen.getByRole('button', { name: 'Pop-out' }));

  expect(onPopOut).toHaveBeenCalledExactlyOnceWith(
    'BTC 1min Bobcat (Kat 1)',
    someCandles(200),
    outcome.candles,
    aBand(),
  );
});

test.each([
  ['waits for its outcome', aWaitingOutcome('p0', NOW + 60_000), 1],
  ['is resolved', aKnownOutcome('p0'), 0],
  ['is not scored', aVoidOutcome('p0', 'market-closed'), 0],
  ['has no outcome stored', null, 0],
  ['is not known yet', undefined, 0],
])('shows alerts for a prediction that %s, or none', (_what, outcome, count) => {
  render(
    <PredictionCard
      row={aRow(0)}
      outcome={outcome}
      hasOutcomeFailed={false}
      alerts={{ atPrediction: (row, title) => <p>{`alerts of ${row.id}, ${title}`}</p> }}
      onPopOut={vi.fn()}
    />,
  );

  expect(screen.queryAllByText('alerts of p0, BTC 1min Bobcat (Kat 1)')).toHaveLength(count);
});

test('opens a whole prediction in the chart', async () => {
  const onOpen = vi.fn();
  const row = aRow(0);
  render(<PredictionCard row={row} outcome={null} hasOutcomeFailed={false} onOpen={onOpen} onPopOut={vi.fn()} />);

  await userEvent.click(screen.getByRole('button', { name: 'Open in chart' }));

  expect(onOpen).toHaveBeenCalledExactlyOnceWith(row);
});

test.each([
  ['is not whole', { data: someCandles(120) }],
  ['is of a symbol no longer offered', { cryptocurrency: 'XYZ' }],
])('offers no chart for a prediction that %s', (_what, change) => {
  const row = aRow(0, change);
  render(<PredictionCard row={row} outcome={null} hasOutcomeFailed={false} onOpen={vi.fn()} onPopOut={vi.fn()} />);

  expect(screen.queryByRole('button', { name: 'Open in chart' })).toBeNull();
});
