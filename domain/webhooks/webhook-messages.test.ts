import { expect, test } from 'vitest';
import { TEST_EVENT, WEBHOOK_EVENTS } from './webhook-event-names.ts';
import { describeResult, EVENT_LABELS, eventLabel, webhookProblem } from './webhook-messages.ts';

test('labels every event, a test, and an event that a newer server added', () => {
  expect(WEBHOOK_EVENTS.map(eventLabel)).toEqual(Object.values(EVENT_LABELS));
  expect(eventLabel(TEST_EVENT)).toBe('Test');
  expect(eventLabel('forecast.scored')).toBe('forecast.scored');
});

test.each([
  ['auth/second-factor-needed', true, /^Sign in again with a code/],
  ['auth/session-ended', true, 'This session has ended. Sign in again.'],
  ['webhooks/bad-address', false, /https:\/\//],
  ['webhooks/too-many', false, /^You have 5 webhooks, the most you can have\./],
  ['webhooks/paused', false, 'This webhook is paused. Resume it first.'],
  ['internal', false, 'We couldn’t do that. Nothing was changed. Please try again.'],
  [undefined, false, 'We couldn’t do that. Nothing was changed. Please try again.'],
])('explains a refused change: %s', (code, needsSignIn, message) => {
  expect(webhookProblem({ code })).toEqual({ message: expect.stringMatching(message), needsSignIn });
});

test.each([
  [null, null, null],
  [204, null, '204'],
  [500, 'status', '500'],
  [302, 'redirect', '302: a redirect, which we don’t follow'],
  [null, 'timeout', 'no answer within 10 s'],
  [null, 'private address', 'the name leads to a private address'],
  [null, 'CERT_HAS_EXPIRED', 'its certificate isn’t valid'],
  [null, 'ERR_SSL_WRONG_VERSION_NUMBER', 'its certificate isn’t valid'],
  [null, 'EHOSTUNREACH', 'we couldn’t connect'],
])('describes the result of a delivery: status %s, problem %s', (status, problem, text) => {
  expect(describeResult({ status, problem })).toBe(text);
});
