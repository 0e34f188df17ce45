/** The plans on the subscription page, each with the button that buys it or changes to it. */
import { useId } from 'react';
import { planButton } from '#domain/billing/plan-buttons.ts';
import { planCatalogue } from '#domain/billing/plan-catalogue.ts';
import { PLAN_NAMES, type PlanName } from '#domain/billing/plans.ts';
import { useTimeZone } from '../../../ui/browser/time-zone.ts';
import { Button } from '../../../ui/forms/button.tsx';
import { FailureBox } from '../payment/billing-failure.tsx';
import type { BillingActions } from '../payment/use-billing.ts';
import { describeRefusal } from '../subscription/subscription-messages.ts';
import type { KnownSubscription } from '../subscription/use-subscription.ts';
import { PlanList } from './plan-list.tsx';

export type PlanQuestion = 'upgrade' | 'downgrade' | 'cancel';

export interface SubscriptionPlansProps {
  known: KnownSubscription;
  billing: BillingActions;
  onQuestion(question: PlanQuestion): void;
}

export function SubscriptionPlans(props: SubscriptionPlansProps) {
  const id = useId();
  const { known } = props;
  const isCurrent = (plan: PlanName) => buttonOf(known, plan).label === 'Current plan';
  return (
    <section aria-labelledby={id} className="grid gap-4 min-width-0">
      <h2 id={id} className="size-20">
        Plans
      </h2>
      <PlanList
        offers={planCatalogue(known.prices)}
        current={PLAN_NAMES.find(isCurrent) ?? null}
        button={(plan) => <ChangeButton plan={plan} {...props} />}
      />
    </section>
  );
}

function buttonOf({ state, payments }: KnownSubscription, plan: PlanName) {
  return planButton(state, plan, payments !== 'none');
}

function ChangeButton({ plan, known, billing, onQuestion }: SubscriptionPlansProps & { plan: PlanName }) {
  const { zone } = useTimeZone();
  const whyId = useId();
  const { label, action, refusal } = buttonOf(known, plan);
  const why = refusal === null ? null : describeRefusal(refusal, known.state, zone);
  const task = plan === 'free' ? null : (`checkout ${plan}` as const);
  const failure = billing.failure !== null && billing.failure.task === task ? billing.failure : null;
  const press = () => {
    if (action === 'checkout' && plan !== 'free') billing.checkout(plan);
    else if (action === 'upgrade' || action === 'downgrade' || action === 'cancel') onQuestion(action);
  };
  return (
    <>
      <Button
        isBlock
        variant={action === 'checkout' || action === 'upgrade' ? 'primary' : 'secondary'}
        isBusy={task !== null && billing.busy === task}
        disabled={refusal !== null || billing.busy !== null}
        aria-describedby={why === null ? undefined : whyId}
        onClick={press}
      >
        {label}
      </Button>
      {why !== null && (
        <p id={whyId} className="muted size-13">
          {why}
        </p>
      )}
      {failure !== null && <FailureBox failure={failure} />}
    </>
  );
}
