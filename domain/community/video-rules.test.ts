import { expect, test } from 'vitest';
import { durationSeconds, isShort } from './video-rules.ts';

test.each([
  ['PT59S', 59],
  ['PT1M', 60],
  ['PT4M13S', 253],
  ['PT1H2M', 3720],
  ['P1DT2H', 93_600],
  ['P1W', 604_800],
  ['PT0.9S', null],
  ['P0D', null],
  ['PT0S', null],
  ['P', null],
  ['PT', null],
  ['', null],
  ['4:13', null],
  ['PT-5S', null],
  ['PT5S ', null],
  [`PT${'9'.repeat(400)}S`, null],
])('reads the duration %s as %s seconds', (text, seconds) => {
  expect(durationSeconds(text)).toBe(seconds);
});

test.each([
  ['of 59 seconds', 'A lesson', 'PT59S', true],
  ['of a minute', 'A lesson', 'PT1M', false],
  ['named so', 'My #SHORTS of the week', 'PT5M', true],
  ['named in one of them', 'Boxershorts', 'PT5M', true],
  ['that is short in another sense', 'A short lesson', 'PT5M', false],
  ['that goes on', 'Live now', 'P0D', false],
  ['of unknown length', 'A lesson', '?', false],
])('decides about a video %s', (_what, title, duration, expected) => {
  expect(isShort({ title, duration })).toBe(expected);
});
