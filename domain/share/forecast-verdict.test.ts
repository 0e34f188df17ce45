import { expect, test } from 'vitest';
import { forecastTitle, forecastVerdict, issuedText } from './forecast-verdict.ts';
import type { ForecastContent, ForecastSubject, ForecastView } from './forecast-view.ts';

const JOIN_S = Date.UTC(2026, 10, 27, 10, 4) / 1000;
const BARS = Array.from({ length: 50 }, (_, i) => i + 1);
const NO_BAND = { bandBars: [], band: { lower80: [], upper80: [], lower95: [], upper95: [] } };
const SUBJECT: ForecastSubject = {
  id: null,
  origin: 'house',
  label: 'BTC',
  model: 'bobcat',
  timeframe: '1min',
  market: 'live',
  decimals: 1,
  joinS: JOIN_S,
  issuedMs: (JOIN_S + 60) * 1000,
  seal: null,
};

const edge = (price: number): number[] => BARS.map(() => price);
const CONTENT: ForecastContent = {
  lastClose: 100,
  history: [],
  path: [],
  bandBars: BARS,
  outcome: [],
  band: { lower80: edge(90), upper80: edge(110), lower95: edge(80), upper95: edge(120) },
};

const closes = (prices: readonly number[]) => prices.map((close, i) => ({ bar: i + 1, close }));
/** Closes of all bars: the first few inside the 80% band, the next inside the 95% band, the rest outside both. */
const spread = (within80: number, within95: number) =>
  closes(BARS.map((bar) => (bar <= within80 ? 100 : bar <= within95 ? 115 : 125)));

function verdict(state: 'running' | 'waiting' | 'known', own: Partial<ForecastContent>): string {
  return forecastVerdict({ ...SUBJECT, state, content: { ...CONTENT, ...own } });
}

test('names a forecast by coin, model and timeframe, and by its amplification if it has one', () => {
  expect(forecastTitle(SUBJECT)).toBe('BTC · Bobcat (Kat 1) · 1 minute');
  expect(forecastTitle({ ...SUBJECT, timeframe: '15min', ampPercent: 300 })).toBe(
    'BTC · Bobcat (Kat 1) · 15 minutes · amplified 300%',
  );
});

test('says of a saved forecast when it was saved, of any other when it was issued', () => {
  expect(issuedText(SUBJECT)).toBe('Issued 27 Nov 2026, 10:05 UTC');
  expect(issuedText({ ...SUBJECT, origin: 'saved' })).toBe('Saved 27 Nov 2026, 10:05 UTC');
});

test('says of a sealed forecast only when it opens', () => {
  expect(forecastVerdict({ ...SUBJECT, state: 'sealed', content: null })).toBe(
    'Sealed until 27 Nov 2026, 10:55 UTC. Its hash is already public.',
  );
});

test.each<[string, Partial<ForecastContent>, string]>([
  ['before its first close', {}, '80% range at its end, 27 Nov 2026, 10:55 UTC: 90.0 to 110.0.'],
  [
    'with twelve closes',
    { outcome: closes([...Array<number>(11).fill(100), 111]) },
    '12 of 50 minutes so far: 11 of 12 closes inside the 80% band.',
  ],
  [
    'without bands, whether or not closes are known',
    { ...NO_BAND, outcome: closes([100]) },
    'Runs until 27 Nov 2026, 10:55 UTC. No bands were saved with it.',
  ],
])('says of a running forecast how it does: %s', (_what, own, text) => {
  expect(verdict('running', own)).toBe(text);
});

test('says that the outcome of an ended forecast is being fetched', () => {
  expect(verdict('waiting', {})).toBe('Its 50 minutes are over. The outcome is being fetched.');
  const view: ForecastView = { ...SUBJECT, timeframe: '15min', state: 'waiting', content: CONTENT };
  expect(forecastVerdict(view)).toMatch(/^Its 12 h 30 are over\./);
});

test.each<[string, Partial<ForecastContent>, string]>([
  [
    'every close inside both bands',
    { outcome: spread(50, 50) },
    'The bands held: 50 of 50 closes inside the 80% band, none outside the 95% band.',
  ],
  [
    'most closes outside',
    { outcome: spread(5, 10) },
    'The bands missed: 5 of 50 closes inside the 80% band, 40 outside the 95% band.',
  ],
  [
    'an old record, which has bands at the scored bars only',
    { ...CONTENT, bandBars: [1, 50], outcome: spread(49, 50) },
    'The bands held in part: 1 of 2 scored closes inside the 80% band, none outside the 95% band.',
  ],
  [
    'no bands',
    { ...NO_BAND, outcome: spread(50, 50) },
    'No bands were saved with this forecast, so its range can’t be judged.',
  ],
])('judges the bands of a known forecast by its closes: %s', (_what, own, text) => {
  expect(verdict('known', own)).toBe(text);
});

test('gives the reason of a forecast without an outcome', () => {
  const view: ForecastView = { ...SUBJECT, state: 'void', reason: 'Its market was closed.', content: CONTENT };
  expect(forecastVerdict(view)).toBe('Its market was closed.');
});
