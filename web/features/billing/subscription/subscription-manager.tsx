/** /account/subscription: the subscription, the three plans, and every change between them. */
import { useEffect, useRef, useState } from 'react';
import type { PlanName } from '#domain/billing/plans.ts';
import { useEntitlement } from '../../../session/entitlement.ts';
import { Panel } from '../../../ui/layout/panel.tsx';
import { Skeleton } from '../../../ui/status/loader.tsx';
import { ErrorState } from '../../../ui/status/state.tsx';
import { classNames } from '../../../ui/styles/class-names.ts';
import { useBilling } from '../payment/use-billing.ts';
import { PlanDialogs } from '../plans/plan-dialogs.tsx';
import { QuotaPanel } from '../plans/quota-panel.tsx';
import { type PlanQuestion, SubscriptionPlans } from '../plans/subscription-plans.tsx';
import { CurrentSubscription } from './current-subscription.tsx';
import styles from './subscription-manager.module.css';
import { type KnownSubscription, useSubscription } from './use-subscription.ts';

export function SubscriptionManager({ userId }: { userId: string }) {
  const { known, hasFailed, isFetching, retry } = useSubscription(userId);
  return (
    <div className={styles.manager}>
      {hasFailed && (
        <Panel heading="Current subscription">
          <ErrorState
            title="We couldn’t load your subscription"
            text="It hasn’t changed. You can choose a plan once it loads."
            onRetry={retry}
            isRetrying={isFetching}
          />
        </Panel>
      )}
      {!hasFailed && known === null && <Waiting />}
      {known !== null && <Manager userId={userId} known={known} />}
      <div className={styles.quota}>
        <QuotaPanel />
      </div>
    </div>
  );
}

function Waiting() {
  return (
    <>
      <Panel heading="Current subscription">
        <div role="status" aria-label="Loading your subscription">
          <Skeleton className={styles.waitingCurrent} />
        </div>
      </Panel>
      <div className={classNames(styles.plans, styles.waitingPlans)}>
        <Skeleton className={styles.waitingPlan} />
        <Skeleton className={styles.waitingPlan} />
        <Skeleton className={styles.waitingPlan} />
      </div>
    </>
  );
}

function Manager({ userId, known }: { userId: string; known: KnownSubscription }) {
  const { entitlement } = useEntitlement();
  const billing = useBilling(userId, known);
  const [question, setQuestion] = useState<PlanQuestion | null>(null);
  const ground = useRef<HTMLDivElement>(null);
  const isDone = useRef(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the clicked element may be removed or disabled now
  useEffect(() => {
    if (isDone.current) ground.current?.focus();
    isDone.current = false;
  }, [question, billing.busy]);

  const onDone = (hasWorked: boolean) => {
    isDone.current = hasWorked;
    if (hasWorked) setQuestion(null);
  };
  const openQuestion = (next: PlanQuestion) => {
    billing.forgetFailure();
    setQuestion(next);
  };
  const confirm = (target: PlanName) => void billing.change(target).then(onDone);
  return (
    <>
      <CurrentSubscription
        known={known}
        billing={billing}
        isAdmin={entitlement.isAdmin}
        ground={ground}
        isConfirming={question !== null}
        onCancel={() => openQuestion('cancel')}
        onUndoDowngrade={() => void billing.undoDowngrade().then(onDone)}
      />
      <div className={styles.plans}>
        <SubscriptionPlans known={known} billing={billing} onQuestion={openQuestion} />
      </div>
      <PlanDialogs
        question={question}
        known={known}
        billing={billing}
        onClose={() => setQuestion(null)}
        onConfirm={confirm}
      />
    </>
  );
}
