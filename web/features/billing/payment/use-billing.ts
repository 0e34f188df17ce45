/** One action on a subscription at a time, each with its result shown and everything that shows the plan refetched. */
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { PlanName } from '#domain/billing/plans.ts';
import { isPaidStatus } from '#domain/billing/subscription.ts';
import type { SubscriptionRecord } from '#domain/billing/subscription-record.ts';
import type { PaidPlan } from '#domain/billing/subscription-state.ts';
import { pause } from '#domain/time/deadline.ts';
import { toast } from '../../../ui/overlay/toast.ts';
import {
  BillingError,
  type Changed,
  cancelSubscription,
  openCheckout,
  openPortal,
  resumeSubscription,
  updateSubscription,
} from '../billing-api.ts';
import {
  cacheRecord,
  type KnownSubscription,
  refetchBilling,
  refetchRecord,
} from '../subscription/use-subscription.ts';
import { navigateAway, reloadWithMessage, takeFlashMessage } from './flash-message.ts';

/** `undo-downgrade` and `pay` both request the current plan, but belong to different buttons. */
type BillingAction = 'change' | 'cancel' | 'resume' | 'undo-downgrade' | 'pay' | 'portal';
/** A checkout's failure shows at its plan's card. */
export type BillingTask = BillingAction | `checkout ${PaidPlan}`;

export interface BillingFailure {
  task: BillingTask;
  title: string;
  detail: string | null;
}

export interface BillingActions {
  /** The running action; no other starts meanwhile. */
  busy: BillingTask | null;
  failure: BillingFailure | null;
  forgetFailure(): void;
  checkout(plan: PaidPlan): void;
  /** @returns whether it is done, or redirects to a page that does it. Changing to the free plan is a cancellation. */
  change(target: PlanName): Promise<boolean>;
  cancel(): Promise<boolean>;
  resume(): void;
  undoDowngrade(): Promise<boolean>;
  pay(): void;
  portal(): void;
}

const UPDATED = 'Subscription updated successfully';
const NOT_SEEN = 'The payment provider accepted the change. It may take a moment to appear here.';

export function useBilling(userId: string, known: KnownSubscription | null): BillingActions {
  const client = useQueryClient();
  const [busy, setBusy] = useState<BillingTask | null>(null);
  const [failure, setFailure] = useState<BillingFailure | null>(null);
  const isBusy = useRef(false);
  useFlashMessage(() => {
    isBusy.current = false;
    setBusy(null);
  });

  /** @param work  returns true when it leaves the page */
  async function run(task: BillingTask, work: () => Promise<boolean>): Promise<boolean> {
    // Guards against two clicks within one frame: the button is disabled only in the next.
    if (isBusy.current) return false;
    isBusy.current = true;
    setBusy(task);
    setFailure(null);
    try {
      // Stays busy until the other page opens.
      if (await work()) return true;
    } catch (error) {
      setFailure({ task, ...describeFailure(error) });
      isBusy.current = false;
      setBusy(null);
      // The change may have been made even if its answer was lost.
      void refetchBilling(client, userId);
      return false;
    }
    isBusy.current = false;
    setBusy(null);
    return true;
  }

  const subscriptionId = known?.record?.subscription_id ?? null;
  const currentPrice = known?.record?.price_id ?? null;

  async function update(priceId: string | null): Promise<Changed> {
    if (subscriptionId === null || priceId === null) throw new BillingError('Failed to change subscription');
    const changed = await updateSubscription(subscriptionId, priceId);
    if (changed.record !== null) cacheRecord(client, userId, changed.record);
    return changed;
  }

  async function updateAndNotify(priceId: string | null): Promise<boolean> {
    const { payAt } = await update(priceId);
    if (payAt !== null) return left(payAt);
    await refetchBilling(client, userId);
    toast.success(UPDATED);
    return false;
  }

  /** Polls until the row shows the change, then reloads the page. */
  async function reloadWhen(isThere: (isCanceling: boolean, isUsable: boolean) => boolean, message: string) {
    const offsetMs = (known?.nowS ?? 0) * 1000 - Date.now();
    const nowS = () => Math.floor((Date.now() + offsetMs) / 1000);
    const isSeen = await pollRecord(
      (record) => isThere(record?.cancel_at_period_end === true, isPaidStatus(record, nowS())),
      { fetch: () => refetchRecord(client, userId), wait: pause },
    );
    reloadWithMessage(isSeen ? message : NOT_SEEN);
    return true;
  }

  const cancel = () =>
    run('cancel', async () => {
      if (subscriptionId === null) throw new BillingError('Cancel failed');
      const { wasSet } = await cancelSubscription(subscriptionId);
      const message = wasSet
        ? 'Cancellation already scheduled for period end'
        : 'Cancellation scheduled for period end';
      return reloadWhen((isCanceling, isUsable) => isCanceling && isUsable, message);
    });

  return {
    busy,
    failure,
    forgetFailure: () => setFailure(null),
    checkout: (plan) => void run(`checkout ${plan}`, async () => left(await openCheckout(plan))),
    change: (target) =>
      target === 'free' ? cancel() : run('change', () => updateAndNotify(known?.prices[target] ?? null)),
    cancel,
    resume: () =>
      void run('resume', async () => {
        if (subscriptionId === null) throw new BillingError('We couldn’t undo the cancellation');
        await resumeSubscription(subscriptionId);
        return reloadWhen((isCanceling) => !isCanceling, 'Your subscription renews again');
      }),
    undoDowngrade: () => run('undo-downgrade', () => updateAndNotify(currentPrice)),
    pay: () =>
      void run('pay', async () => {
        // The server may not return the open invoice, for example for a discontinued price; the portal lists it.
        const payAt = await update(currentPrice).then(
          (changed) => changed.payAt,
          () => null,
        );
        return left(payAt ?? (await openPortal()));
      }),
    portal: () => void run('portal', async () => left(await openPortal())),
  };
}

function left(address: string): true {
  navigateAway(address);
  return true;
}

function describeFailure(error: unknown): Pick<BillingFailure, 'title' | 'detail'> {
  if (error instanceof BillingError) return { title: error.message, detail: error.detail };
  return { title: 'That didn’t work', detail: null };
}

/** Shows the previous page's message. @param onBack  called when the back button restores the page as it was left */
function useFlashMessage(onBack: () => void): void {
  const back = useRef(onBack);
  back.current = onBack;
  useEffect(() => {
    const message = takeFlashMessage();
    if (message !== null) toast.success(message);
    const onShow = ({ persisted }: PageTransitionEvent) => {
      if (persisted) back.current();
    };
    window.addEventListener('pageshow', onShow);
    return () => window.removeEventListener('pageshow', onShow);
  }, []);
}

// R-SUBSCRIPTION-22.
const TRIES = 20;
const FIRST_MS = 800;
const GROWTH = 1.25;
const LONGEST_MS = 4000;

interface PollPorts {
  fetch(): Promise<SubscriptionRecord | null>;
  wait(ms: number): Promise<void>;
}

/** @returns whether the change was seen within 20 tries, failed ones included */
export async function pollRecord(
  isThere: (record: SubscriptionRecord | null) => boolean,
  ports: PollPorts,
): Promise<boolean> {
  let pauseMs = FIRST_MS;
  for (let tries = 1; ; tries += 1) {
    // A failed try is no evidence about the change: the next may succeed.
    const isSeen = await ports.fetch().then(isThere, () => false);
    if (isSeen || tries === TRIES) return isSeen;
    await ports.wait(pauseMs);
    pauseMs = Math.min(LONGEST_MS, pauseMs * GROWTH);
  }
}
