/** The activity log of an account: what each row of account_activity says, on the page and in its CSV file. */
import * as z from 'zod/mini';
import { modelOfBackendName } from '../forecast/models.ts';
import { csv } from '../format/csv.ts';
import { deviceName } from './device-name.ts';

export const ACTIVITY_DAYS = 90;

export const ACTIVITY_KINDS = ['sign-in', 'security', 'plan', 'prediction', 'export'] as const;
export type ActivityKind = (typeof ACTIVITY_KINDS)[number];

export const KIND_LABELS: Readonly<Record<ActivityKind, string>> = {
  'sign-in': 'Sign-ins',
  security: 'Security',
  plan: 'Plan',
  prediction: 'Predictions',
  export: 'Exports',
};

const text = z.optional(z.string());

export const activitySchema = z.object({
  id: z.string(),
  at: z.iso.datetime({ offset: true }),
  kind: z.enum(ACTIVITY_KINDS),
  action: z.string(),
  details: z.object({
    user_agent: text,
    ip: text,
    device: text,
    provider: text,
    name: text,
    plan: text,
    symbol: text,
    model: text,
    file: text,
  }),
});
export type Activity = z.infer<typeof activitySchema>;
type Details = Activity['details'];

const TITLES: Readonly<Record<string, string>> = {
  'account-created': 'Account created',
  'signed-in': 'Signed in',
  'signed-out': 'Signed out',
  'password-changed': 'Password changed',
  'email-changed': 'Email address changed',
  'factor-added': 'Authenticator app added',
  'factor-removed': 'Authenticator app removed',
  'method-added': 'Sign-in method added',
  'method-removed': 'Sign-in method removed',
  'notifications-on': 'Device notifications turned on',
  'notifications-off': 'Device notifications turned off',
  'key-created': 'API key created',
  'key-revoked': 'API key revoked',
  'webhook-added': 'Webhook added',
  'webhook-changed': 'Webhook changed',
  'webhook-removed': 'Webhook deleted',
  'webhook-secret-changed': 'Webhook secret replaced',
  'plan-started': 'Subscription started',
  'plan-changed': 'Plan changed',
  'plan-ended': 'Subscription ended',
  'downgrade-scheduled': 'Downgrade scheduled',
  'downgrade-undone': 'Downgrade canceled',
  'cancellation-scheduled': 'Cancellation scheduled',
  'cancellation-undone': 'Cancellation withdrawn',
  'payment-failed': 'Payment failed',
  refund: 'Refund issued',
  predicted: 'Prediction saved',
  downloaded: 'Data downloaded',
};

const FILES: Readonly<Record<string, string>> = {
  account: 'All account data',
  predictions: 'Predictions',
  activity: 'Activity log',
};

/** @returns what happened, and on which device, plan, market or file; `detail` is empty if nothing else is known */
export function describeActivity({ action, details }: Activity): { title: string; detail: string } {
  // A newer server may record actions that this page does not know.
  const title = TITLES[action] ?? action.charAt(0).toUpperCase() + action.slice(1).replaceAll('-', ' ');
  return { title, detail: detailOf(details) };
}

function detailOf({ user_agent: agent, ip, device, provider, name, plan, symbol, model, file }: Details): string {
  const session = agent === undefined && ip === undefined ? null : deviceName(agent ?? null).label;
  const parts = [
    ...[session, ip, device, name],
    provider && capitalized(provider),
    plan && `${capitalized(plan)} plan`,
    symbol,
    model && (modelOfBackendName(model)?.label ?? model),
    file && (FILES[file] ?? file),
  ];
  return parts.filter(Boolean).join(' · ');
}

function capitalized(word: string): string {
  return word === 'github' ? 'GitHub' : word.charAt(0).toUpperCase() + word.slice(1);
}

/** Columns time (ISO, UTC), kind, event, details, with a heading. */
export function activityCsv(rows: readonly Activity[]): string {
  const cells = rows.map((row) => {
    const { title, detail } = describeActivity(row);
    return [new Date(row.at).toISOString(), KIND_LABELS[row.kind], title, detail];
  });
  return csv([['time', 'kind', 'event', 'details'], ...cells]);
}
