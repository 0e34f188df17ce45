import { readFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { shortName } from '#domain/forecast/figures/figure-messages.ts';
import type { Candle } from '#domain/market/candle.ts';
import { bandCoverage } from '#domain/record/scoring/band-coverage.ts';
import { savedExamples } from '../gallery/saved-closes.ts';
import { drawnUntil, frameSvg } from './film-frame.ts';
import { captionsOf, FILM_HISTORY, FILM_SECONDS, momentAt, sceneAt, scenesOf } from './film-scenes.ts';

const FILMS = resolve(import.meta.dirname, '../../web/public/films');
const CANDLE: Candle = { time: 0, open: 10, high: 14, low: 8, close: 12 };
const series = (count: number): Candle[] => Array.from({ length: count }, (_, i) => ({ ...CANDLE, time: 60 * i }));
const prices = (price: number) => Array.from({ length: 50 }, () => price);
const FILMED = {
  history: series(150),
  path: series(50),
  outcome: series(50),
  band: { lower80: prices(11), upper80: prices(13), lower95: prices(10), upper95: prices(14) },
};

test('draws a candle from its open to its close', () => {
  expect(drawnUntil([CANDLE, CANDLE], 1.5)).toEqual([CANDLE, { open: 10, high: 12, low: 9, close: 11 }]);
  expect(drawnUntil([CANDLE, CANDLE], 2)).toEqual([CANDLE, CANDLE]);
  expect(drawnUntil([CANDLE], 0)).toEqual([]);
});

test('shows history, join, bands, path and outcome in turn, all whole at the end', () => {
  expect(momentAt(0)).toEqual({ historyBars: 0, join: 0, bandBars: 0, pathBars: 0, candleShare: 1, outcomeBars: 0 });
  expect(momentAt(4.1)).toMatchObject({ historyBars: FILM_HISTORY, join: 0 });
  expect(momentAt(9)).toMatchObject({ bandBars: 50, pathBars: 0 });
  expect(momentAt(14)).toMatchObject({ pathBars: 50, outcomeBars: 0 });
  expect(momentAt(FILM_SECONDS)).toMatchObject({ candleShare: 0, outcomeBars: 50 });
});

test('draws no invalid figure in any frame', () => {
  for (let second = 0; second <= FILM_SECONDS; second += 0.13) {
    expect(frameSvg(FILMED, momentAt(second))).not.toMatch(/NaN|undefined|Infinity/);
  }
});

test('shows a caption in every second, long enough to be read', () => {
  const scenes = scenesOf('Lion', 'BTC', 40);

  expect(scenes[0]?.fromS).toBe(0);
  expect(scenes.at(-1)?.toS).toBe(FILM_SECONDS);
  for (const [i, { fromS, toS }] of scenes.entries()) {
    expect(toS - fromS).toBeGreaterThanOrEqual(2);
    if (i > 0) expect(fromS).toBe(scenes[i - 1]?.toS);
    expect(sceneAt(scenes, fromS)).toBe(i);
  }
});

test('ships the captions of the filmed example', () => {
  const filmed = savedExamples()[3];
  if (filmed === undefined) throw new Error('There is no such example.');
  const within80 = bandCoverage(filmed, filmed.outcome).within80;

  const captions = captionsOf(scenesOf(shortName(filmed.model), filmed.symbol, within80));

  expect(captions).toMatch(/^WEBVTT\n\n00:00:00\.000 --> 00:00:04\.200\nSimulated candles of /);
  expect(readFileSync(resolve(FILMS, 'models.en.vtt'), 'utf8')).toBe(captions);
});

test('ships a small film and poster, and a film that plays before it has fully loaded', () => {
  const film = readFileSync(resolve(FILMS, 'models.mp4'));

  expect(film.length).toBeLessThan(1_200_000);
  expect(film.indexOf('moov')).toBeLessThan(film.indexOf('mdat'));
  expect(statSync(resolve(FILMS, 'models-poster.webp')).size).toBeLessThan(60_000);
});
