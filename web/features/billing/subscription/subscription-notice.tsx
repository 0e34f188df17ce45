/** What is about to change or is wrong with a subscription, and the one thing to do about it. */
import type { ReactNode } from 'react';
import { PLAN_LABELS, PLANS } from '#domain/billing/plans.ts';
import type { SubscriptionState } from '#domain/billing/subscription-state.ts';
import { useTimeZone } from '../../../ui/browser/time-zone.ts';
import { Button } from '../../../ui/forms/button.tsx';
import { Notice } from '../../../ui/layout/notice.tsx';
import type { BillingActions, BillingTask } from '../payment/use-billing.ts';
import { priceLine } from '../plans/plan-labels.ts';
import { endDay, graceEnd } from './subscription-messages.ts';
import type { KnownSubscription } from './use-subscription.ts';

export interface SubscriptionNoticeProps {
  known: KnownSubscription;
  billing: BillingActions;
  onUndoDowngrade(): void;
}

export function SubscriptionNotice({ known, billing, onUndoDowngrade }: SubscriptionNoticeProps) {
  const { zone } = useTimeZone();
  const { state } = known;
  const canPay = known.payments !== 'none';
  const content = noticeOf(state, { zone, canPay });
  if (content === null) return null;
  const actions = canPay ? (content.actions ?? []) : [];
  return (
    <Notice tone={content.tone} title={content.title}>
      <p>{content.text}</p>
      {actions.length > 0 && (
        <div className="flex wrap gap-2 margin-top-2">
          {actions.includes('pay') && (
            <Action task="pay" billing={billing} title="On the payment provider’s site" isMain onClick={billing.pay}>
              Pay now
            </Action>
          )}
          {actions.includes('resume') && (
            <Action task="resume" billing={billing} title="Keep Plan" onClick={billing.resume}>
              Undo Cancel
            </Action>
          )}
          {actions.includes('undo-downgrade') && (
            <Action task="undo-downgrade" billing={billing} title={`Keep ${planOf(state)}`} onClick={onUndoDowngrade}>
              Undo Downgrade
            </Action>
          )}
        </div>
      )}
    </Notice>
  );
}

interface ActionProps {
  task: BillingTask;
  billing: BillingActions;
  title: string;
  isMain?: boolean;
  onClick(): void;
  children: ReactNode;
}

function Action({ task, billing, title, isMain = false, onClick, children }: ActionProps) {
  return (
    <Button
      variant={isMain ? 'primary' : 'secondary'}
      isBusy={billing.busy === task}
      disabled={billing.busy !== null}
      title={title}
      onClick={onClick}
    >
      {children}
    </Button>
  );
}

interface NoticeContent {
  tone: 'info' | 'warning';
  title: string;
  text: string;
  /** Empty where the site takes no payments. */
  actions?: readonly ('resume' | 'undo-downgrade' | 'pay')[];
}

interface NoticePlace {
  zone: string;
  /** False where the site has no payment button, so that the text does not suggest paying. */
  canPay: boolean;
}

const planOf = ({ boughtPlan }: SubscriptionState) => (boughtPlan === null ? 'your plan' : PLAN_LABELS[boughtPlan]);

/** Returns the first notice that applies; the most urgent come first. */
function noticeOf(state: SubscriptionState, { zone, canPay }: NoticePlace): NoticeContent | null {
  const plan = planOf(state);
  if (state.isCanceling && state.isLive) return cancellationOf(state, { zone, canPay });
  if (state.isPaymentDue) return dueOf(state, canPay);
  if (state.isPaused)
    return {
      tone: 'warning',
      title: 'Paused',
      text: sentences(
        `${plan} is paused at the payment provider. You can still use it for now.`,
        canPay && 'Adding a card under ‘Manage billing’ may resume it.',
      ),
    };
  if (state.hasUnknownPrice)
    return {
      tone: 'warning',
      title: 'A plan that isn’t sold here',
      text: sentences(
        'This subscription doesn’t include predictions here.',
        canPay && 'Cancel it, then choose one of the plans below once it has ended.',
      ),
    };
  if (state.isDowngradeScheduled) return downgradeOf(state, zone);
  if (state.isActive && !state.isLive)
    return {
      tone: 'info',
      title: 'Subscription ended',
      text: `${plan} can still be used until ${graceEnd(state, zone)}. Then your account moves to Free.`,
    };
  if (state.isLive && state.isCanceled)
    return {
      tone: 'info',
      title: 'Renewal in progress',
      text: `The payment provider hasn’t confirmed the new period yet. You keep ${plan} in the meantime.`,
    };
  return null;
}

/** An unpaid subscription may end before its period, when the payment provider gives up. */
function cancellationOf(state: SubscriptionState, { zone, canPay }: NoticePlace): NoticeContent {
  const plan = planOf(state);
  const day = endDay(state, zone);
  const title = 'Cancels at period end';
  if (!state.isPaymentDue)
    return {
      tone: 'warning',
      title,
      text: `You keep ${plan} until ${day}. Then your account moves to Free and nothing more is charged.`,
      actions: ['resume'],
    };
  return {
    tone: 'warning',
    title,
    text: sentences(
      `The last payment for ${plan} didn’t go through. Your account moves to Free on ${day} or earlier.`,
      canPay && `Pay the open invoice to keep ${plan} until that day.`,
    ),
    actions: ['pay', 'resume'],
  };
}

function dueOf(state: SubscriptionState, canPay: boolean): NoticeContent {
  const plan = planOf(state);
  const text = state.isActive
    ? sentences(
        `The last payment for ${plan} didn’t go through. You can still use it for now.`,
        canPay && 'Pay the open invoice to keep it.',
      )
    : sentences(
        `An invoice for ${plan} is still open. You can still use it for now.`,
        canPay && 'Pay the invoice to make your subscription active again.',
      );
  return { tone: 'warning', title: 'Payment failed', text, actions: ['pay'] };
}

function sentences(...all: readonly (string | false)[]): string {
  return all.filter((one) => one !== false).join(' ');
}

function downgradeOf(state: SubscriptionState, zone: string): NoticeContent {
  const { pendingPlan } = state;
  const next = pendingPlan === null ? 'another plan' : PLAN_LABELS[pendingPlan];
  const price = pendingPlan === null ? '' : `, ${priceLine(PLANS[pendingPlan].priceCents)}`;
  return {
    tone: 'info',
    title: 'Downgrade Scheduled',
    text: `Your plan is ${next}${price}, from ${endDay(state, zone)}. Until then you keep ${planOf(state)}.`,
    actions: ['undo-downgrade'],
  };
}
