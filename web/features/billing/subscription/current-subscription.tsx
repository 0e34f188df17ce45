/** The current subscription: plan, status, the next change and its date, the card, and the way to cancel. */
import type { RefObject } from 'react';
import { PLAN_LABELS, PLANS } from '#domain/billing/plans.ts';
import { remainingTime } from '#domain/billing/remaining-time.ts';
import { GRACE_S } from '#domain/billing/subscription.ts';
import { zonedDay, zonedMinute } from '#domain/format/zoned-time.ts';
import { PaymentsBadge } from '../../../site/source-badge.tsx';
import { useTimeZone } from '../../../ui/browser/time-zone.ts';
import { Button } from '../../../ui/forms/button.tsx';
import { Badge } from '../../../ui/layout/badge.tsx';
import { Panel } from '../../../ui/layout/panel.tsx';
import { FailureBox } from '../payment/billing-failure.tsx';
import type { BillingActions } from '../payment/use-billing.ts';
import { PlanHead } from '../plans/plan-head.tsx';
import { priceLine } from '../plans/plan-labels.ts';
import styles from './current-subscription.module.css';
import { describeCard } from './subscription-messages.ts';
import { SubscriptionNotice } from './subscription-notice.tsx';
import type { KnownSubscription } from './use-subscription.ts';

export interface CurrentSubscriptionProps {
  known: KnownSubscription;
  billing: BillingActions;
  isAdmin: boolean;
  /** A dialog is open, which shows its own failures. */
  isConfirming: boolean;
  /** Takes the focus when the clicked element is removed. */
  ground: RefObject<HTMLDivElement | null>;
  onCancel(): void;
  onUndoDowngrade(): void;
}

export function CurrentSubscription(props: CurrentSubscriptionProps) {
  const { known, billing, isAdmin, isConfirming, ground } = props;
  const { state, record, payments } = known;
  const isCustomer = record?.customer_id != null && payments !== 'none';
  const canCancel = state.isLive && !state.isCanceling && payments !== 'none';
  // A checkout's failure shows at its plan's card.
  const failure = isConfirming || billing.failure?.task.startsWith('checkout') ? null : billing.failure;
  return (
    <Panel
      heading="Current subscription"
      beside={
        <>
          {isAdmin && <Badge tone="info">Admin</Badge>}
          <Badge tone={state.isActive ? 'up' : 'neutral'}>{state.isActive ? 'Active' : 'Inactive'}</Badge>
          {state.isTrialing && <Badge tone="info">Trial</Badge>}
          <PaymentsBadge kind={known.payments} />
        </>
      }
    >
      <div ref={ground} tabIndex={-1} className={styles.content}>
        <div className={styles.head}>
          <PlanName known={known} />
          <Remaining known={known} />
        </div>
        <Facts known={known} isAdmin={isAdmin} />
        {isAdmin && <p className="muted">Admins have every model and no quota on any plan.</p>}
        <SubscriptionNotice known={known} billing={billing} onUndoDowngrade={props.onUndoDowngrade} />
        {failure !== null && <FailureBox failure={failure} />}
        {(isCustomer || canCancel) && (
          <div className={styles.actions}>
            {isCustomer && (
              <Button
                size="small"
                isBusy={billing.busy === 'portal'}
                disabled={billing.busy !== null}
                title="Cards and invoices, on the payment provider’s site"
                onClick={billing.portal}
              >
                Manage billing
              </Button>
            )}
            {canCancel && (
              <Button
                size="small"
                isBusy={billing.busy === 'cancel'}
                disabled={billing.busy !== null}
                onClick={props.onCancel}
              >
                Cancel subscription
              </Button>
            )}
          </div>
        )}
      </div>
    </Panel>
  );
}

function PlanName({ known: { state } }: { known: KnownSubscription }) {
  const { plan, hasUnknownPrice } = state;
  if (hasUnknownPrice) return <PlanHead plan={plan} name="Unknown plan" price="Treated as Free" />;
  return <PlanHead plan={plan} name={PLAN_LABELS[plan]} price={priceLine(PLANS[plan].priceCents)} />;
}

function Remaining({ known: { state, nowS } }: { known: KnownSubscription }) {
  const { zone } = useTimeZone();
  const remaining = remainingTime(state, nowS);
  // Unpaid and paused subscriptions do not renew automatically.
  if (!state.isActive || remaining === null || state.periodEndS === null) return null;
  // After the period's end, the countdown shows the grace.
  const endMs = (nowS < state.periodEndS ? state.periodEndS : state.periodEndS + GRACE_S) * 1000;
  return (
    <div className={styles.remaining}>
      <p className="muted size-13">{remaining.label}</p>
      <p className={styles.left}>{remaining.text}</p>
      <p className="muted size-13">
        <time dateTime={new Date(endMs).toISOString()}>{zonedMinute(endMs, zone)}</time>
      </p>
    </div>
  );
}

function Facts({ known, isAdmin }: Pick<CurrentSubscriptionProps, 'known' | 'isAdmin'>) {
  const { state, record, payments, card, nowS } = known;
  const { zone } = useTimeZone();
  if (!state.isLive && !state.isActive) {
    const ended = state.boughtPlan !== null && state.isCanceled && state.periodEndS !== null;
    return (
      <p className="muted">
        {ended && (
          <span>
            {`${PLAN_LABELS[state.boughtPlan ?? 'free']} ended on ${zonedDay((state.periodEndS ?? 0) * 1000, zone)}. `}
          </span>
        )}
        <span>Nothing is charged.</span>
        {payments !== 'none' && !isAdmin && <span> Choose a plan to run your own predictions.</span>}
      </p>
    );
  }
  const startS = record?.current_period_start ?? null;
  const label = card === null ? null : describeCard(card);
  // A paused subscription may have no running period.
  const hasPeriod = state.isActive || (state.periodEndS ?? 0) > nowS;
  return (
    <dl className={styles.facts}>
      {hasPeriod && startS !== null && state.periodEndS !== null && (
        <div>
          <dt>Period</dt>
          <dd>{`${zonedDay(startS * 1000, zone)} to ${zonedDay(state.periodEndS * 1000, zone)}`}</dd>
        </div>
      )}
      <div>
        <dt>Paid with</dt>
        <dd>
          <span>{label?.name ?? 'No card on file'}</span>
          {label !== null && label.expiry !== null && <span className="muted">{`, expires ${label.expiry}`}</span>}
        </dd>
      </div>
    </dl>
  );
}
