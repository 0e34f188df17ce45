import { expect, test } from 'vitest';
import { type Palette, withAlpha } from '../palette.ts';
import { candleColours } from './candle-colours.ts';

const PALETTE: Palette = {
  text: 'rgb(1, 1, 1)',
  muted: 'rgb(2, 2, 2)',
  line: 'rgb(3, 3, 3)',
  surface: 'rgb(4, 4, 4)',
  accent: 'rgb(5, 5, 5)',
  accentLine: 'rgb(5, 6, 6)',
  accentFill: 'rgb(5, 7, 7)',
  onAccent: 'rgb(5, 8, 8)',
  band: 'rgb(242, 180, 65)',
  up: 'rgb(47, 191, 155)',
  down: 'rgb(240, 112, 95)',
};
const REAL = { isForecast: false, isThin: false };
const rising = { time: 60, open: 1, high: 3, low: 1, close: 2 };
const falling = { ...rising, open: 2, close: 1 };
const alphaOf = (color: string) => Number(color.match(/[\d.]+/g)?.[3]);

test('marks direction by a second cue beside colour: rising is hollow, falling is filled', () => {
  expect(candleColours(rising, REAL, PALETTE)).toMatchObject({ color: PALETTE.surface, borderColor: PALETTE.up });
  expect(candleColours(falling, REAL, PALETTE)).toMatchObject({ color: PALETTE.down, borderColor: PALETTE.down });
  expect(candleColours(falling, { isForecast: true, isThin: false }, PALETTE)).toMatchObject({
    color: withAlpha(PALETTE.down, 0.45),
  });
});

test('draws thin rising bars paler than falling ones, and both stronger than nothing', () => {
  const thin = { isForecast: false, isThin: true };
  const [up, down] = [candleColours(rising, thin, PALETTE), candleColours(falling, thin, PALETTE)];

  expect(up.borderColor).toBe(up.color);
  expect(alphaOf(up.color)).toBeLessThan(alphaOf(down.color));
  expect(alphaOf(up.wickColor)).toBeLessThan(alphaOf(up.color));
});
