import { render, screen } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { VOID_LABELS, VOID_REASONS } from '#domain/record/scoring/outcome.ts';
import { setProfileZone } from '../../ui/browser/time-zone.ts';
import { OutcomeText } from './prediction-card.tsx';
import { aKnownOutcome, aVoidOutcome, aWaitingOutcome, NOW } from './testing/prediction-fixtures.ts';
import { nextPollMs, type ShownOutcome } from './use-outcomes.ts';

afterEach(() => setProfileZone(null));

function show(outcome: ShownOutcome, hasFailed = false): string {
  const { container } = render(<OutcomeText outcome={outcome} hasFailed={hasFailed} />);
  return container.textContent ?? '';
}

test('before its end it says when it will be known, in the reader’s zone', () => {
  setProfileZone('Asia/Kolkata');
  const due = new Date();
  due.setUTCMinutes(due.getUTCMinutes() + 40, 0, 0);

  const text = show(aWaitingOutcome('p1', due.getTime()));

  const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', timeZone: 'Asia/Kolkata' });
  expect(text).toMatch(new RegExp(`^Outcome known at (\\d+ \\w+ \\d+, )?${clock.format(due)}$`));
  expect(screen.getByText(clock.format(due), { exact: false }).closest('time, p')).not.toBeNull();
  expect(document.querySelector('time')?.dateTime).toBe(due.toISOString());
});

test('of another day it names the day', () => {
  setProfileZone('UTC');

  expect(show(aWaitingOutcome('p1', NOW + 30 * 3_600_000))).toMatch(/^Outcome known at \d+ \w{3} \d{4}, \d\d:\d\d$/);
});

test('after its end, until the server has looked, it waits', () => {
  expect(show(aWaitingOutcome('p1', NOW - 1000))).toBe('Waiting for its outcome …');
});

test('once known, both distances are told and the nearer one is named', () => {
  // The last close and the path are the same here.
  expect(show(aKnownOutcome('p1'))).toMatch(
    /^Closed 4\.65 % from the path, 4\.65 % from the last close: neither was nearer\.Over its 50 minutes: /,
  );
});

test.each(VOID_REASONS)('not scored, %s: the reason in a sentence', (reason) => {
  expect(show(aVoidOutcome('p1', reason))).toBe(VOID_LABELS[reason]);
});

test('what was given back is told, and why', () => {
  const outcome = aVoidOutcome('p1', 'candles-missing', new Date(NOW).toISOString());

  expect(show(outcome)).toBe(`${VOID_LABELS['candles-missing']} Returned: the feed failed.`);
});

test('nothing is told of a return that made no difference', () => {
  expect(show(aVoidOutcome('p1', 'candles-missing', null))).toBe(VOID_LABELS['candles-missing']);
});

test('without an outcome it says which of both: none is kept, or it could not be loaded', () => {
  expect(show(null)).toBe('No outcome is stored for this prediction.');
  expect(show(undefined, true)).toBe('We couldn’t load its outcome.');
});

test('while it is being asked for nothing is said', () => {
  expect(show(undefined)).toBe('');
});

test.each([
  ['nothing waits', [aKnownOutcome('p1')], false],
  ['one is due', [aKnownOutcome('p1'), aWaitingOutcome('p2', NOW - 5000)], 15_000],
  ['one comes in two minutes', [aWaitingOutcome('p1', NOW + 120_000)], 125_000],
  ['the first of two counts', [aWaitingOutcome('p1', NOW + 500_000), aWaitingOutcome('p2', NOW + 120_000)], 125_000],
  ['by a clock that is a day behind', [aWaitingOutcome('p1', NOW + 86_400_000)], 600_000],
] as const)('asked again when %s', (_what, outcomes, expected) => {
  expect(nextPollMs(outcomes, NOW)).toBe(expected);
});
