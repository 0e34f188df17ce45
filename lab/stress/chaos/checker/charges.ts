/** Money: every payment that its page confirmed is charged once and gives one plan; no other payment is charged. */
import type { Call } from '../history/calls.ts';
import type { Sighting } from '../history/history.ts';

type Ledger = Extract<Sighting, { kind: 'ledger' }>;

const LIVE: ReadonlySet<string> = new Set(['active', 'trialing', 'past_due']);

/** Whether a subscription with this status gives a plan. */
export function isLive(status: string): boolean {
  return LIVE.has(status);
}

/**
 * @param pays  payments of one user
 * @param lastPlan  the last successful reading of the user's plan
 * @returns what is wrong
 */
export function checkCharges(
  { user, customers, subscriptions, paidCents }: Ledger,
  pays: readonly Call<'pay'>[],
  lastPlan: Call<'read-plan'> | null,
): string[] {
  const wrong: string[] = [];
  const tried = pays.filter(({ outcome }) => outcome !== 'refused');
  const acknowledged = tried.filter(({ outcome }) => outcome === 'ok');
  const live = subscriptions.filter(({ status }) => isLive(status));
  if (customers > 1) wrong.push(`${user} has ${customers} customers`);
  if (live.length > 1) wrong.push(`${user} has ${live.length} live subscriptions`);
  if (paidCents.length > Math.min(1, tried.length)) wrong.push(`${user} was charged ${paidCents.length} times`);
  if (acknowledged.length > 0 && paidCents.length === 0) wrong.push(`${user} paid and nothing was charged`);
  if (paidCents.length > 0 && live.length === 0) wrong.push(`${user} was charged and has no subscription`);
  const prices = new Set(tried.map(({ request }) => request.amountCents));
  for (const cents of paidCents) if (!prices.has(cents)) wrong.push(`${user} was charged ${cents} cents`);
  if (lastPlan !== null) wrong.push(...planAgrees(user, live, lastPlan));
  return wrong;
}

function planAgrees(user: string, live: Ledger['subscriptions'], { answer }: Call<'read-plan'>): string[] {
  const [subscription] = live;
  const shown = answer.subscriptionId ?? null;
  if (shown !== (subscription?.id ?? null))
    return [`${user} sees the subscription ${shown}, and the provider has ${subscription?.id ?? 'none'}`];
  if (subscription === undefined || subscription.isEnding === (answer.isEnding ?? false)) return [];
  return [
    `${user} sees ${answer.isEnding === true ? 'an ending' : 'a continuing'} plan, and the provider the opposite`,
  ];
}
