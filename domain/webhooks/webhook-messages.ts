/** What the page says about webhooks: their events, how deliveries ended, and why a request of the page was refused. */
import { ADDRESS_NOT_PROVEN, type AuthRefusal } from '../account/auth-messages.ts';
import type { ReportedProblem } from '../account/second-factor-messages.ts';
import { MOST_WEBHOOKS } from './webhook-endpoint.ts';
import { TEST_EVENT, type WebhookEventName } from './webhook-event-names.ts';

export const EVENT_LABELS: Readonly<Record<WebhookEventName, string>> = {
  'prediction.created': 'You save a prediction',
  'prediction.resolved': 'Its outcome is known',
  'alert.created': 'An alert fires',
  'forecast.issued': 'A free Bitcoin forecast is issued',
};

export function eventLabel(event: string): string {
  if (event === TEST_EVENT) return 'Test';
  return event in EVENT_LABELS ? EVENT_LABELS[event as WebhookEventName] : event;
}

const SIGN_IN: Readonly<Record<string, string>> = {
  'auth/second-factor-needed': 'Sign in again with a code from your app to change your webhooks.',
  'auth/session-ended': 'This session has ended. Sign in again.',
};
const MESSAGES: Readonly<Record<string, string>> = {
  'account/address-not-proven': ADDRESS_NOT_PROVEN,
  'webhooks/bad-address': 'Enter a public address that starts with https:// and has no port.',
  'webhooks/too-many': `You have ${MOST_WEBHOOKS} webhooks, the most you can have. Delete one first.`,
  'webhooks/no-such-endpoint': 'This webhook was deleted. Reload the page.',
  'webhooks/no-such-delivery': 'This delivery is no longer waiting or no longer in the log.',
  'webhooks/paused': 'This webhook is paused. Resume it first.',
  'request/too-many': 'You did that many times within a few minutes. Please wait a while before you try again.',
};

export function webhookProblem({ code = '' }: AuthRefusal): ReportedProblem {
  const signIn = SIGN_IN[code];
  if (signIn !== undefined) return { message: signIn, needsSignIn: true };
  return {
    message: MESSAGES[code] ?? 'We couldn’t do that. Nothing was changed. Please try again.',
    needsSignIn: false,
  };
}

const PROBLEMS: Readonly<Record<string, string>> = {
  timeout: 'no answer within 10 s',
  redirect: 'a redirect, which we don’t follow',
  'private address': 'the name leads to a private address',
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'connection closed without an answer',
  ENOTFOUND: 'no such host name',
  ENODATA: 'no such host name',
  HPE_HEADER_OVERFLOW: 'the head of the answer is too large',
};

export interface DeliveryResult {
  status: number | null;
  problem: string | null;
}

/** '204', '500', 'no answer within 10 s'; null before the first try. */
export function describeResult({ status, problem }: DeliveryResult): string | null {
  if (status !== null) return problem === 'redirect' ? `${status}: ${PROBLEMS.redirect}` : String(status);
  if (problem === null) return null;
  return PROBLEMS[problem] ?? (/CERT|SSL|TLS/.test(problem) ? 'its certificate isn’t valid' : 'we couldn’t connect');
}
