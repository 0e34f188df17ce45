import { expect, test } from 'vitest';
import {
  chanceText,
  countdownText,
  sharesText,
  similarText,
  spokenChance,
  spokenCountdown,
  spokenLine,
} from './chance-text.ts';

test('writes no chance as certain', () => {
  expect([0.000001, 0.004, 0.38, 0.994, 0.996, 0.999999, Number.NaN].map(chanceText)).toEqual([
    '<1%',
    '<1%',
    '38%',
    '99%',
    '>99%',
    '>99%',
    '–',
  ]);
  expect(spokenChance(0.001)).toBe('under 1%');
});

test('writes three shares that sum to 100', () => {
  expect(sharesText(0.405, 0.365)).toEqual(['41%', '37%', '22%']);
  expect(sharesText(0.6, 0.398)).toEqual(['60%', '40%', '<1%']);
});

test('says where a line is', () => {
  expect(spokenLine(64_192, 64_000, 1)).toBe('64,192.0, 0.30% above the price');
  expect(spokenLine(63_936, 64_000, 1)).toBe('63,936.0, 0.10% below the price');
  expect(spokenLine(64_000, 64_000, 1)).toBe('64,000.0, at the price');
  expect(spokenLine(64_000, null, 1)).toBe('64,000.0');
});

test('says how often similar chances came true, unless too few are known', () => {
  expect(similarText({ count: 1240, happened: 756 })).toBe('Of 1,240 similar chances, 61% came true.');
  expect(similarText({ count: 12, happened: 6 })).toBe('Only 12 similar chances so far, of 30 needed.');
  expect(similarText(null)).toBeNull();
});

test('counts down', () => {
  expect([102_000, 101_001, 0, -5, 3_600_000].map(countdownText)).toEqual(['1:42', '1:42', '0:00', '0:00', '1:00:00']);
  expect([102_000, 61_000, 0].map(spokenCountdown)).toEqual(['1 minute 42 seconds', '1 minute 1 second', '0 seconds']);
});
