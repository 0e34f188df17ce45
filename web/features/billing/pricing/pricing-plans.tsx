/** The plans for visitors: what each costs, and beside the price how well its model forecasts. */
import { useId } from 'react';
import { Link } from 'react-router';
import { planCatalogue } from '#domain/billing/plan-catalogue.ts';
import { PLAN_LABELS, PLAN_NAMES, PLANS, type Plan, type PlanName } from '#domain/billing/plans.ts';
import { MESSAGES } from '#domain/errors/messages.ts';
import { MODELS } from '#domain/forecast/models.ts';
import { RESEARCH_ONLY } from '#domain/site/research-only.ts';
import { useEntitlement } from '../../../session/entitlement.ts';
import { useSession } from '../../../session/session.ts';
import { usePaymentsKind } from '../../../site/site-config.ts';
import { PaymentsBadge } from '../../../site/source-badge.tsx';
import { LinkButton } from '../../../ui/forms/button.tsx';
import { lazyWidget } from '../../../ui/widget.tsx';
import { PlanList } from '../plans/plan-list.tsx';
import styles from './pricing-plans.module.css';

const OFFERS = planCatalogue(null);
const SUBSCRIPTION = '/account/subscription';

/** The figures that it reads take a phone longer to check than the plans take to draw. */
const PlanVerdict = lazyWidget(
  'Verdict',
  async () => (await import('./plan-verdict.tsx')).PlanVerdict,
  styles.waiting,
  { arrival: 'near', isHeaded: true },
);

export function PricingPlans() {
  const id = useId();
  const payments = usePaymentsKind();
  const own = useOwnPlan();
  return (
    <section aria-labelledby={id} className="grid gap-4 min-width-0">
      <div className={styles.head}>
        <h2 id={id} className="size-20">
          Plans
        </h2>
        <PaymentsBadge kind={payments} />
        {payments === 'none' && <span className="muted size-13">{MESSAGES['billing/not-set-up']}</span>}
      </div>
      <PlanList
        offers={OFFERS}
        current={own}
        evidence={(plan) => <PlanEvidence plan={plan} />}
        button={(plan) => <ChooseButton plan={plan} />}
      />
      <p className="muted size-13 readable-width">
        Measured at 1 minute on months that no model was trained on, misses included:{' '}
        <Link to="/ai-models">AI Models</Link> shows the figures. At 5 and 15 minutes, the three models are equal in
        measured accuracy. {RESEARCH_ONLY}
      </p>
    </section>
  );
}

/** Null for visitors, and until it is known. */
function useOwnPlan(): PlanName | null {
  const { user } = useSession();
  const { isLoading, hasFailed, entitlement } = useEntitlement();
  return user === null || isLoading || hasFailed ? null : entitlement.plan;
}

/** The verdict on the largest model of a plan. */
function PlanEvidence({ plan }: { plan: PlanName }) {
  const { models }: Plan = PLANS[plan];
  const model = models.at(-1);
  if (model === undefined)
    return (
      <p className="muted size-13">
        No model of your own. You see the shared forecast on the <Link to="/">home page</Link>, and can check every
        scored forecast in the <Link to="/track-record">track record</Link>.
      </p>
    );
  return (
    <div className={styles.evidence}>
      <div>
        <p className="weight-500">{`How well ${MODELS[model].label} forecasts`}</p>
        <PlanVerdict model={model} />
      </div>
    </div>
  );
}

/** Visitors sign up first and return; users choose on the subscription page. The link never waits for the session. */
function ChooseButton({ plan }: { plan: PlanName }) {
  const { user } = useSession();
  const own = useOwnPlan();
  const isOwn = own === plan;
  const isFree = plan === 'free';
  // Nothing argues for less than what somebody has.
  const isMore = PLAN_NAMES.indexOf(plan) > PLAN_NAMES.indexOf(own ?? 'free');
  const signUp = isFree ? '/auth/signup' : `/auth/signup?next=${encodeURIComponent(SUBSCRIPTION)}`;
  const choose = user === null && isFree ? 'Sign Up Free' : `Choose ${PLAN_LABELS[plan]}`;
  return (
    <LinkButton isBlock to={user === null ? signUp : SUBSCRIPTION} variant={isMore ? 'primary' : 'secondary'}>
      {isOwn ? 'Your plan' : choose}
    </LinkButton>
  );
}
