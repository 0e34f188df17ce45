import { render, screen } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import type { ForecastBand } from '#domain/forecast/quantiles.ts';
import { VOID_LABELS, VOID_REASONS } from '#domain/record/scoring/outcome.ts';
import { setProfileZone } from '../../ui/browser/time-zone.ts';
import { OutcomeText } from './prediction-outcome.tsx';
import { aBand, aKnownOutcome, aVoidOutcome, aWaitingOutcome, NOW } from './testing/prediction-fixtures.ts';
import { nextPollMs, type ShownOutcome } from './use-outcomes.ts';

afterEach(() => setProfileZone(null));

function show(outcome: ShownOutcome, hasFailed = false, band: ForecastBand | null = null): string {
  const { container } = render(
    <OutcomeText outcome={outcome} hasFailed={hasFailed} band={band} timeframe="1min" decimals={1} />,
  );
  return container.textContent ?? '';
}

test('says before its end when it will be known, in the reader’s zone', () => {
  setProfileZone('Asia/Kolkata');
  const due = new Date();
  due.setUTCMinutes(due.getUTCMinutes() + 40, 0, 0);

  const text = show(aWaitingOutcome('p1', due.getTime()));

  const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', timeZone: 'Asia/Kolkata' });
  expect(text).toMatch(new RegExp(`^Outcome known at (\\d+ \\w{3}( \\d{4})?, )?${clock.format(due)}$`));
  expect(screen.getByText(clock.format(due), { exact: false }).closest('time, p')).not.toBeNull();
  expect(document.querySelector('time')?.dateTime).toBe(due.toISOString());
});

test('names the day when it is another one', () => {
  setProfileZone('UTC');

  expect(show(aWaitingOutcome('p1', NOW + 30 * 3_600_000))).toMatch(/^Outcome known at \d+ \w{3}( \d{4})?, \d\d:\d\d$/);
});

test('waits after its end until the server has checked', () => {
  expect(show(aWaitingOutcome('p1', NOW - 1000))).toBe('Waiting for its outcome …');
});

test('shows both distances once they are known, and names the nearer one', () => {
  // The last close and the path are the same here.
  expect(show(aKnownOutcome('p1'))).toMatch(
    /Path error 4\.65%\. Last-close error 4\.65%\. Neither was closer\.Average over its 50 minutes: /,
  );
});

test.each([
  ['inside both bands', aBand(1, 2), 'held', '50 of 50 closes inside 80%'],
  ['outside the narrower band', aBand(0.1, 2), 'partly', '0 of 50 closes inside 80%'],
  ['outside both bands', aBand(0.1, 0.2), 'missed', '0 of 50 closes inside 80%, 50 outside 95%'],
])('says first what its bands held, then the path’s error: %s', (_what, band, grade, label) => {
  const text = show(aKnownOutcome('p1'), false, band);

  expect(text.startsWith(`${label}Path error `)).toBe(true);
  expect(screen.getByText(label).dataset.coverage).toBe(grade);
});

test('says so where no bands were saved, and counts nothing', () => {
  expect(show(aKnownOutcome('p1'))).toMatch(/^no bands savedPath error /);
  expect(document.querySelector('[data-coverage]')).toBeNull();
});

test('says before its end which range it expects then', () => {
  expect(show(aWaitingOutcome('p1', NOW - 1000), false, aBand(1, 2))).toBe(
    '80% range at its end: 10.0 to 12.0Waiting for its outcome …',
  );
});

test.each(VOID_REASONS)('explains why it was not scored: %s', (reason) => {
  expect(show(aVoidOutcome('p1', reason))).toBe(VOID_LABELS[reason]);
});

test('reports what was refunded, and why', () => {
  const outcome = aVoidOutcome('p1', 'candles-missing', new Date(NOW).toISOString());

  expect(show(outcome)).toBe(`${VOID_LABELS['candles-missing']} Returned: the feed failed.`);
});

test('mentions no refund that made no difference', () => {
  expect(show(aVoidOutcome('p1', 'candles-missing', null))).toBe(VOID_LABELS['candles-missing']);
});

test('distinguishes a missing outcome from one that did not load', () => {
  expect(show(null)).toBe('No outcome is stored for this prediction.');
  expect(show(undefined, true)).toBe('We couldn’t load its outcome.');
});

test('shows nothing while it loads', () => {
  expect(show(undefined)).toBe('');
});

test.each([
  ['nothing waits', [aKnownOutcome('p1')], false],
  ['one is due', [aKnownOutcome('p1'), aWaitingOutcome('p2', NOW - 5000)], 15_000],
  ['one comes in two minutes', [aWaitingOutcome('p1', NOW + 120_000)], 125_000],
  ['the first of two counts', [aWaitingOutcome('p1', NOW + 500_000), aWaitingOutcome('p2', NOW + 120_000)], 125_000],
  ['by a clock that is a day behind', [aWaitingOutcome('p1', NOW + 86_400_000)], 600_000],
] as const)('loads again when %s', (_what, outcomes, expected) => {
  expect(nextPollMs(outcomes, NOW)).toBe(expected);
});
