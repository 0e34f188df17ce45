import { expect, test } from 'vitest';
import { readReleaseRows, releaseFault, releaseRowsOf, releasesOf } from './release.ts';

const at = (moment: string): number => Date.parse(moment) / 1000;
const row = (moment: string, title: string, currency = 'USD') => ({ timeS: at(moment), currency, title });

test('reads moments with an offset and in seconds, past comments and commas', () => {
  const text =
    '# the Fed, as announced\ntime,currency,event\n2026-12-09T14:00:00-05:00,USD,FOMC Statement\n100,GBP,One, two\n';

  expect(readReleaseRows(text)).toEqual([
    row('2026-12-09T19:00:00Z', 'FOMC Statement'),
    { timeS: 100, currency: 'GBP', title: 'One, two' },
  ]);
});

test.each([
  '2026-12-09T14:00:00,USD,A moment without its offset',
  'Tentative,USD,GDP',
  '100,USD',
  '',
  `100,USD,${'x'.repeat(201)}`,
])('refuses the line %j by its number', (line) => {
  expect(() => readReleaseRows(`time,currency,event\n100,USD,CPI y/y\n${line}\n100,USD,CPI y/y`)).toThrow('line 3');
});

test('counts announcements with a moment alone, not holidays, days or hours that are still open', () => {
  const announced = { isHoliday: false, title: 'CPI m/m', country: 'USD', date: '2026-12-10' };

  expect(
    releaseRowsOf([
      { ...announced, time: '2026-12-10T08:30:00-05:00' },
      { ...announced, time: 'Tentative' },
      { ...announced, time: 'All Day' },
      { ...announced, time: '8:30am' },
      announced,
      { ...announced, isHoliday: true, time: '2026-12-10T00:00:00-05:00' },
    ]),
  ).toEqual([row('2026-12-10T13:30:00Z', 'CPI m/m')]);
});

test.each([
  ['on a weekend', '2026-12-12T08:30:00-05:00', 'CPI m/m'],
  ['at London’s hour', '2026-12-10T08:30:00+00:00', 'CPI m/m'],
  ['an hour off, as after a change of the clock', '2026-11-10T08:30:00-04:00', 'CPI m/m'],
  ['of a whole day', '2026-12-10T00:00:00-05:00', 'Something of tomorrow'],
  ['of the Fed in the morning', '2026-12-09T10:00:00-05:00', 'FOMC Statement'],
])('doubts a release %s', (_, moment, title) => {
  expect(releaseFault(row(moment, title))).toEqual(expect.any(String));
});

test('believes releases at their usual hour, in summer and in winter, and says nothing of other countries', () => {
  for (const one of [
    row('2026-12-10T08:30:00-05:00', 'CPI m/m'),
    row('2026-07-14T08:30:00-04:00', 'CPI m/m'),
    row('2026-12-09T14:30:00-05:00', 'FOMC Press Conference'),
    row('2026-12-03T09:45:00-05:00', 'Flash Services PMI'),
    row('2026-12-12T02:00:00+00:00', 'CPI y/y', 'GBP'),
  ])
    expect(releaseFault(one)).toBeNull();
});

test('keeps one release for each moment, the greatest, in order of time', () => {
  const cpi = '2026-12-10T08:30:00-05:00';

  expect(
    releasesOf([
      row(cpi, 'Unemployment Claims'),
      row('2026-12-09T14:00:00-05:00', 'FOMC Statement'),
      row(cpi, 'CPI m/m'),
      row(cpi, 'CPI m/m'),
    ]),
  ).toEqual([
    { timeS: at('2026-12-09T19:00:00Z'), kind: 'fed-statement', title: 'FOMC Statement' },
    { timeS: at('2026-12-10T13:30:00Z'), kind: 'inflation', title: 'CPI m/m' },
  ]);
});
