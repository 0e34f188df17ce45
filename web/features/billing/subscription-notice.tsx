/** What is about to change, or is wrong, with a subscription, and the one thing to do about it. */
import type { ReactNode } from 'react';
import { PLAN_LABELS, PLANS } from '#domain/billing/plans.ts';
import type { SubscriptionState } from '#domain/billing/subscription-state.ts';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { useTimeZone } from '../../ui/time-zone.ts';
import { priceLine } from './plan-words.ts';
import styles from './subscription-notice.module.css';
import { endDay, graceEnd } from './subscription-words.ts';
import type { Billing, BillingTask } from './use-billing.ts';
import type { KnownSubscription } from './use-subscription.ts';

export interface SubscriptionNoticeProps {
  known: KnownSubscription;
  billing: Billing;
  onUndoDowngrade(): void;
}

export function SubscriptionNotice({ known, billing, onUndoDowngrade }: SubscriptionNoticeProps) {
  const { zone } = useTimeZone();
  const { state } = known;
  const words = noticeOf(state, zone);
  if (words === null) return null;
  const canPay = known.payments !== 'none';
  return (
    <Notice tone={words.tone} title={words.title}>
      <p>{words.text}</p>
      {canPay && words.undo !== undefined && (
        <div className={styles.action}>
          {words.undo === 'resume' && (
            <Action task="resume" billing={billing} title="Keep Plan" onClick={billing.resume}>
              Undo Cancel
            </Action>
          )}
          {words.undo === 'undo-downgrade' && (
            <Action task="undo-downgrade" billing={billing} title={`Keep ${planOf(state)}`} onClick={onUndoDowngrade}>
              Undo Downgrade
            </Action>
          )}
          {words.undo === 'pay' && (
            <Action task="pay" billing={billing} title="At the payment service" isMain onClick={billing.pay}>
              Pay now
            </Action>
          )}
        </div>
      )}
    </Notice>
  );
}

interface ActionProps {
  task: BillingTask;
  billing: Billing;
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

interface NoticeWords {
  tone: 'info' | 'warning';
  title: string;
  text: string;
  undo?: 'resume' | 'undo-downgrade' | 'pay';
}

const planOf = ({ boughtPlan }: SubscriptionState) => (boughtPlan === null ? 'your plan' : PLAN_LABELS[boughtPlan]);

/** The first that applies: what cannot wait comes first. */
function noticeOf(state: SubscriptionState, zone: string): NoticeWords | null {
  const plan = planOf(state);
  if (state.isCanceling && state.isLive)
    return {
      tone: 'warning',
      title: 'Cancels at period end',
      text: `You keep ${plan} until ${endDay(state, zone)}. Then your account moves to Free and nothing more is charged.`,
      undo: 'resume',
    };
  if (state.isPaymentDue)
    return {
      tone: 'warning',
      title: 'Payment failed',
      text: state.isActive
        ? `The last payment for ${plan} did not go through. You can use it for now; pay the open invoice to keep it.`
        : `An invoice for ${plan} is still open. Pay it to make your subscription active again.`,
      undo: 'pay',
    };
  if (state.isPaused)
    return {
      tone: 'warning',
      title: 'Paused',
      text: `${plan} is paused at the payment service. A card, added under 'Manage billing', may be all that is missing.`,
    };
  if (state.hasUnknownPrice)
    return {
      tone: 'warning',
      title: 'A plan that is not sold here',
      text: 'This subscription gives no predictions here. Cancel it, and choose one of the plans below once it has ended.',
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
      title: 'Renewal under way',
      text: `The payment service has not confirmed the new period yet. You keep ${plan} meanwhile.`,
    };
  return null;
}

function downgradeOf(state: SubscriptionState, zone: string): NoticeWords {
  const { pendingPlan } = state;
  const next = pendingPlan === null ? 'another plan' : PLAN_LABELS[pendingPlan];
  const price = pendingPlan === null ? '' : `, ${priceLine(PLANS[pendingPlan].priceCents)}`;
  return {
    tone: 'info',
    title: 'Downgrade Scheduled',
    text: `Your plan is ${next}${price}, from ${endDay(state, zone)}. Until then you keep ${planOf(state)}.`,
    undo: 'undo-downgrade',
  };
}
