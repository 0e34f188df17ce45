/** Confirmations before a plan is changed or canceled: cost, losses, and effective date. */
import { useQuery } from '@tanstack/react-query';
import { downgradeOf } from '#domain/billing/plan-catalogue.ts';
import { PLAN_LABELS, PLANS, type PlanName } from '#domain/billing/plans.ts';
import { savingsOf } from '#domain/billing/savings.ts';
import { dollars } from '#domain/format/dollars.ts';
import { useTimeZone } from '../../../ui/browser/time-zone.ts';
import { ConfirmDialog } from '../../../ui/overlay/confirm-dialog.tsx';
import { Skeleton } from '../../../ui/status/loader.tsx';
import { previewAmount } from '../billing-api.ts';
import { FailureBox } from '../payment/billing-failure.tsx';
import type { BillingActions } from '../payment/use-billing.ts';
import { describeCard, endDay } from '../subscription/subscription-messages.ts';
import type { KnownSubscription } from '../subscription/use-subscription.ts';
import styles from './plan-dialogs.module.css';
import { priceLine } from './plan-labels.ts';
import type { PlanQuestion } from './subscription-plans.tsx';

interface PlanDialogsProps {
  question: PlanQuestion | null;
  known: KnownSubscription;
  billing: BillingActions;
  onClose(): void;
  onConfirm(target: PlanName): void;
}

export function PlanDialogs(props: PlanDialogsProps) {
  return (
    <>
      <UpgradeDialog {...props} />
      <DowngradeDialog {...props} />
      <CancelDialog {...props} />
    </>
  );
}

function UpgradeDialog({ question, known, billing, onClose, onConfirm }: PlanDialogsProps) {
  const { zone } = useTimeZone();
  const isOpen = question === 'upgrade';
  const price = useUpgradePrice(isOpen ? (known.record?.subscription_id ?? null) : null, known.prices.lion);
  const { lion } = PLANS;
  return (
    <ConfirmDialog
      isOpen={isOpen}
      heading="Upgrade to Lion?"
      verb="Upgrade to Lion"
      cancelLabel="Not now"
      isHarmless
      isBusy={billing.busy === 'change' || price.isLoading}
      onConfirm={() => onConfirm('lion')}
      onClose={onClose}
    >
      <p>
        Lion starts immediately, for the rest of this period. The unused part of {currentName(known)} is deducted from
        its price.
      </p>
      <DueNow price={price} />
      <p className="muted">
        {known.card !== null && <span>{`Charged to ${describeCard(known.card).name}. `}</span>}
        <span>{`From ${endDay(known.state, zone)}: ${priceLine(lion.priceCents)}.`}</span>
      </p>
      <DialogFailure billing={billing} />
    </ConfirmDialog>
  );
}

/** The same height while loading and when loaded. A price that could not be loaded is not mentioned. */
function DueNow({ price }: { price: ReturnType<typeof useUpgradePrice> }) {
  if (price.isLoading)
    return (
      <div role="status" aria-label="Loading the amount due now">
        <Skeleton className={styles.waiting} />
      </div>
    );
  if (price.amountDueCents === null) return null;
  const savings = savingsOf(PLANS.lion.priceCents, price.amountDueCents);
  return (
    <dl className={styles.due}>
      <div>
        <dt>Due now</dt>
        <dd className="size-20 weight-600">{dollars(price.amountDueCents)}</dd>
      </div>
      {savings !== null && (
        <div>
          <dt>You save</dt>
          <dd>{`${dollars(savings.savedCents)} (${savings.percent}%)`}</dd>
        </div>
      )}
    </dl>
  );
}

function DowngradeDialog({ question, known, billing, onClose, onConfirm }: PlanDialogsProps) {
  const { zone } = useTimeZone();
  const day = endDay(known.state, zone);
  return (
    <ConfirmDialog
      isOpen={question === 'downgrade'}
      heading="Downgrade to Bobcat?"
      verb="Downgrade to Bobcat"
      cancelLabel={`Keep ${currentName(known)}`}
      isBusy={billing.busy === 'change'}
      onConfirm={() => onConfirm('bobcat')}
      onClose={onClose}
    >
      <p>
        You keep {currentName(known)} until {day}. From then on your plan is Bobcat,{' '}
        {priceLine(PLANS.bobcat.priceCents)}. Nothing is charged or refunded now.
      </p>
      <Losses known={known} target="bobcat" />
      <DialogFailure billing={billing} />
    </ConfirmDialog>
  );
}

function CancelDialog({ question, known, billing, onClose, onConfirm }: PlanDialogsProps) {
  const { zone } = useTimeZone();
  return (
    <ConfirmDialog
      isOpen={question === 'cancel'}
      heading="Cancel subscription?"
      verb="Cancel subscription"
      cancelLabel="Keep Plan"
      isBusy={billing.busy === 'cancel'}
      onConfirm={() => onConfirm('free')}
      onClose={onClose}
    >
      <p>
        You keep {currentName(known)} until the end of the billing period, {endDay(known.state, zone)}. Then your
        account moves to Free, and nothing more is charged. You can undo it until that day. You keep your saved
        predictions.
      </p>
      <Losses known={known} target="free" />
      <DialogFailure billing={billing} />
    </ConfirmDialog>
  );
}

/** What the cheaper plan has less of, and what it lacks. */
function Losses({ known, target }: { known: KnownSubscription; target: PlanName }) {
  const { boughtPlan } = known.state;
  if (boughtPlan === null) return null;
  const { limits, features } = downgradeOf(boughtPlan, target);
  return (
    <>
      {limits !== null && (
        <p>
          Your predictions: <strong className="weight-500">{limits}</strong>.
        </p>
      )}
      {features.length > 0 && (
        <div>
          <p>You will lose:</p>
          <ul className={styles.lost}>
            {features.map((feature) => (
              <li key={feature}>{feature}</li>
            ))}
          </ul>
        </div>
      )}
    </>
  );
}

function DialogFailure({ billing: { failure } }: { billing: BillingActions }) {
  const isPlanTask = failure?.task === 'change' || failure?.task === 'cancel';
  return failure !== null && isPlanTask ? <FailureBox failure={failure} /> : null;
}

function currentName({ state: { boughtPlan } }: KnownSubscription): string {
  return boughtPlan === null ? 'your plan' : PLAN_LABELS[boughtPlan];
}

/** The server holds a quoted price for ten minutes. */
const PROMISED_MS = 9 * 60_000;

interface UpgradePrice {
  isLoading: boolean;
  /** US cents; null while loading and after a failure, when no price is shown. */
  amountDueCents: number | null;
}

/** @param subscriptionId  null: no request */
function useUpgradePrice(subscriptionId: string | null, priceId: string): UpgradePrice {
  const { data, isFetching } = useQuery({
    queryKey: ['upgrade-price', subscriptionId, priceId],
    queryFn: ({ signal }) => previewAmount(subscriptionId ?? '', priceId, signal),
    enabled: subscriptionId !== null,
    staleTime: 0,
    gcTime: 0,
    retry: false,
    refetchInterval: PROMISED_MS,
    networkMode: 'always',
  });
  return { isLoading: isFetching, amountDueCents: isFetching ? null : (data ?? null) };
}
