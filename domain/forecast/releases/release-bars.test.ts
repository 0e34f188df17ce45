import { expect, test } from 'vitest';
import { releaseNamesByBar } from './release-bars.ts';

const JOIN_S = 1_760_000_400;
const release = (atS: number, name = 'US CPI') => ({ atS, kind: 'inflation', title: name, name });
const namesOf = (barS: number, ...list: ReturnType<typeof release>[]) => [...releaseNamesByBar({ list }, JOIN_S, barS)];

test.each([60, 300, 900])('gives a release to the bar of %d s that holds it, also at its first second', (barS) => {
  const openS = JOIN_S + 3 * barS;

  expect(namesOf(barS, release(openS))).toEqual([[openS, 'US CPI']]);
  expect(namesOf(barS, release(openS + barS - 1))).toEqual([[openS, 'US CPI']]);
});

test('gives a release at the close of the last candle to the first bar', () => {
  expect(namesOf(300, release(JOIN_S + 300))).toEqual([[JOIN_S + 300, 'US CPI']]);
});

test('names all releases of a bar in order, and none without releases', () => {
  const ofHour = namesOf(900, release(JOIN_S + 910), release(JOIN_S + 1000, 'US jobs'), release(JOIN_S + 1900));

  expect(ofHour).toEqual([
    [JOIN_S + 900, 'US CPI, US jobs'],
    [JOIN_S + 1800, 'US CPI'],
  ]);
  expect(releaseNamesByBar(undefined, JOIN_S, 60).size).toBe(0);
});
