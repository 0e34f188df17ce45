import { expect, test } from 'vitest';
import { type AnsweredForecast, answerOfForecast, answerOfUsual } from './answer-line.ts';

const edge = (atEnd: number) => Array.from({ length: 50 }, (_, i) => 100 + ((atEnd - 100) * (i + 1)) / 50);
const BAND = { lower80: edge(99.72), upper80: edge(100.28), lower95: edge(99.5), upper95: edge(100.5) };

const forecast = (closes: readonly number[], change: Partial<AnsweredForecast> = {}): AnsweredForecast => ({
  symbol: { assetClass: 'crypto' },
  timeframe: '1min',
  lastClose: 100,
  band: BAND,
  closes,
  spreadBp: null,
  ...change,
});

test('says the range and how it compares with trading costs', () => {
  expect(answerOfForecast(forecast([]))).toEqual({
    lead: '80% between −0.28 and +0.28% in 50 minutes',
    facts: ['up to 2.7 times trading costs'],
  });
  const narrow = { ...BAND, lower80: edge(99.95), upper80: edge(100.05) };
  expect(answerOfForecast(forecast([], { band: narrow }))?.facts).toEqual(['smaller than trading costs']);
  expect(answerOfForecast(forecast([], { spreadBp: 40 }))?.facts).toEqual(['smaller than trading costs']);
});

test('counts the closes inside as bars close, at their own bars', () => {
  expect(answerOfForecast(forecast([100, 100.001, 100.2]))?.facts[1]).toBe('2 of 3 so far inside');
});

test('turns into the result with the fiftieth', () => {
  const closes = Array.from({ length: 50 }, () => 100);
  expect(answerOfForecast(forecast(closes))).toEqual({
    lead: 'Closed at 0.00%, inside the 80% range',
    facts: ['50 of 50 closes inside', 'forecast between −0.28 and +0.28%'],
  });
  const outside = [...closes.slice(0, 49), 100.4];
  expect(answerOfForecast(forecast(outside))?.lead).toBe('Closed at +0.40%, outside the 80% range');
});

test('names longer horizons as elsewhere', () => {
  expect(answerOfForecast(forecast([], { timeframe: '15min' }))?.lead).toMatch(/ in 12 h 30$/);
});

test('labels the usual range as what it is', () => {
  expect(answerOfUsual({ timeframe: '5min', lastClose: 100, ...BAND })).toEqual({
    lead: '80% between −0.28 and +0.28% in 4 h 10',
    facts: ['usual range, from past volatility', 'no model'],
  });
});

test('says nothing of a band that has not all its bars', () => {
  expect(answerOfForecast(forecast([], { band: { ...BAND, lower80: BAND.lower80.slice(0, 3) } }))).toBeNull();
});
