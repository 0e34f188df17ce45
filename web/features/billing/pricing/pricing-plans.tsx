/** The plans for visitors: what each costs, and beside the price how well its model forecasts. */
import { useId } from 'react';
import { Link } from 'react-router';
import { planCatalogue } from '#domain/billing/plan-catalogue.ts';
import { PLAN_LABELS, PLANS, type Plan, type PlanName } from '#domain/billing/plans.ts';
import { MESSAGES } from '#domain/errors/messages.ts';
import { shortName } from '#domain/forecast/figures/figure-messages.ts';
import { plainVerdict } from '#domain/forecast/figures/plain-verdict.ts';
import type { ModelName } from '#domain/forecast/models.ts';
import { DEFAULT_SYMBOL } from '#domain/market/symbols.ts';
import { RESEARCH_ONLY } from '#domain/site/research-only.ts';
import { useSession } from '../../../session/session.ts';
import { useModelFigures } from '../../../site/model-figures.ts';
import { usePaymentsKind } from '../../../site/site-config.ts';
import { SourceBadge } from '../../../site/source-badge.tsx';
import { LinkButton } from '../../../ui/forms/button.tsx';
import { Skeleton } from '../../../ui/status/loader.tsx';
import { PlanList } from '../plans/plan-list.tsx';
import styles from './pricing-plans.module.css';

const OFFERS = planCatalogue(null);
const SUBSCRIPTION = '/account/subscription';

export function PricingPlans() {
  const id = useId();
  const payments = usePaymentsKind();
  return (
    <section aria-labelledby={id} className="grid gap-4 min-width-0">
      <div className={styles.head}>
        <h2 id={id} className="size-20">
          Plans
        </h2>
        <SourceBadge kind={payments} />
        {payments === 'none' && <span className="muted size-13">{MESSAGES['billing/not-set-up']}</span>}
      </div>
      <PlanList
        offers={OFFERS}
        evidence={(plan) => <PlanEvidence plan={plan} />}
        button={(plan) => <ChooseButton plan={plan} />}
      />
      <p className="muted size-13 readable-width">
        Measured on months that no model was trained on, misses included: <Link to="/ai-models">AI Models</Link> shows
        the figures. {RESEARCH_ONLY}
      </p>
    </section>
  );
}

/** The verdict on the largest model of a plan. */
function PlanEvidence({ plan }: { plan: PlanName }) {
  const { models }: Plan = PLANS[plan];
  const model = models.at(-1);
  return (
    <div className={styles.evidence}>
      {model === undefined ? (
        <p className="muted">
          No model of your own. You see the shared forecast on the <Link to="/">home page</Link>, and can check every
          scored forecast in the <Link to="/track-record">track record</Link>.
        </p>
      ) : (
        <div>
          <p className="weight-500">How well {shortName(model)} forecasts</p>
          <Verdict model={model} />
        </div>
      )}
    </div>
  );
}

function Verdict({ model }: { model: ModelName }) {
  const { data, isError } = useModelFigures();
  if (data === undefined && !isError) return <Skeleton className={styles.waiting} needsScript="Verdict" />;
  const verdict = plainVerdict(
    data?.find((entry) => entry.model === model),
    DEFAULT_SYMBOL,
  );
  if (verdict !== '') return <p>{verdict}</p>;
  return (
    <p>
      We couldn’t load its results. The <Link to="/track-record">track record</Link> shows its hits and misses.
    </p>
  );
}

/** Visitors sign up first and return; users choose on the subscription page. The link never waits for the session. */
function ChooseButton({ plan }: { plan: PlanName }) {
  const { user } = useSession();
  const isFree = plan === 'free';
  const signUp = isFree ? '/auth/signup' : `/auth/signup?next=${encodeURIComponent(SUBSCRIPTION)}`;
  const label = user === null && isFree ? 'Sign Up Free' : `Choose ${PLAN_LABELS[plan]}`;
  return (
    <LinkButton isBlock to={user === null ? signUp : SUBSCRIPTION} variant={isFree ? 'secondary' : 'primary'}>
      {label}
    </LinkButton>
  );
}
