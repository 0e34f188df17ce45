import { expect, test } from 'vitest';
import { type ForecastReleases, NO_RELEASES } from './forecast-releases.ts';
import { describeReleases } from './release-text.ts';

const CPI = { atS: 100, kind: 'inflation', title: 'CPI m/m', name: 'US CPI' };
const PMI = { atS: 200, kind: 'us-other', title: 'Flash Services PMI', name: 'Flash Services PMI' };
const textOf = (change: Partial<ForecastReleases>) =>
  describeReleases({ ...NO_RELEASES, ...change }, (atS) => `0${atS / 100}:30`);

test('says by how much releases widen the band, and when they come', () => {
  expect(textOf({ list: [CPI], factor: 1.94 })).toBe('band 1.9 times wider for US CPI at 01:30');
  expect(textOf({ list: [CPI, PMI], factor: 2 })).toBe(
    'band 2.0 times wider for US CPI at 01:30, Flash Services PMI at 02:30',
  );
});

test('names no figure that would round to one', () => {
  expect(textOf({ list: [PMI], factor: 1.02 })).toBe('band a little wider for Flash Services PMI at 02:30');
});

test('says nothing without a release, and that some may be unknown without a calendar', () => {
  expect(textOf({})).toBe('');
  expect(textOf({ isComplete: false })).toBe('calendar missing, so releases may be unknown');
  expect(textOf({ list: [CPI], factor: 1.5, isComplete: false })).toBe(
    'band 1.5 times wider for US CPI at 01:30; calendar missing, so releases may be unknown',
  );
});
