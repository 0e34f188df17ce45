/** No page formats a time in the machine's own time zone and language: every time goes through the reader's zone. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const LOCAL_TIME =
  /\btoLocale\w*String\b|\bIntl\s*\.\s*DateTimeFormat\b|\.get(?:Timezone\w+|FullYear|Month|Date|Day|Hours|Minutes)\(|\.to(?:Date|Time)String\(/;

/** Files that need the browser's zone itself, or format calendar days, which have no time zone. */
const ALLOWED = new Map([
  ['web/pages/trading/kat-page.tsx', 'prepares the browser for dates, and formats none'],
  ['web/ui/browser/time-zone.ts', 'the home of the question which zone the browser is in'],
  ['web/features/account/profile/profile-form.tsx', 'offers the browser’s zone for the profile'],
  ['web/features/market-clock/holiday-grid.tsx', 'the month of a date of the calendar'],
  ['web/features/price-charts/price-chart.tsx', 'days and weeks of bars, which are UTC’s'],
  ['web/paper/sections-opening.ts', 'the paper’s month, printed once for everybody'],
]);

const sources = globSync('web/**/*.{ts,tsx}', { cwd: ROOT, exclude: ['**/*.test.ts', '**/*.test.tsx'] });
const found = sources.filter((file) => LOCAL_TIME.test(readFileSync(join(ROOT, file), 'utf8')));

test('writes times by domain/format/zoned-time.ts alone', () => {
  expect(sources.length).toBeGreaterThan(200);
  expect(found.filter((file) => !ALLOWED.has(file))).toEqual([]);
});

/** A day and a time put together by hand: each place would have its own form. */
const JOINED_TIME = /zoned(?:Weekday|ShortDay|Day)\([^)]*\)\}[^`$]*\$\{zoned(?!ShortDay|Day)/;
const JOINERS = sources.filter((file) => JOINED_TIME.test(readFileSync(join(ROOT, file), 'utf8')));

test('leaves the joining of day and time to domain/format/zoned-time.ts', () => {
  expect(JOINERS).toEqual([]);
  expect(JOINED_TIME.test(`\${zonedWeekday(atMs, zone)}, \${zonedClock(atMs, zone)}`)).toBe(true);
  // A period is two days.
  expect(JOINED_TIME.test(`\${zonedDay(fromMs, zone)} to \${zonedDay(toMs, zone)}`)).toBe(false);
});

test('lists no needless exception', () => {
  expect([...ALLOWED.keys()].filter((file) => !found.includes(file))).toEqual([]);
});

test.each([
  'new Date(ms).toLocaleString()',
  'at.toLocaleTimeString("en-US")',
  'new Intl.DateTimeFormat("en")',
  'now.getHours() + 1',
  '-now.getTimezoneOffset()',
])('finds %s', (source) => {
  expect(LOCAL_TIME.test(source)).toBe(true);
});

test.each(['Date.parse(iso)', 'date.getUTCDate()', 'new Date(ms).toISOString()', 'storage.getItem(key)'])(
  'allows %s',
  (source) => {
    expect(LOCAL_TIME.test(source)).toBe(false);
  },
);
