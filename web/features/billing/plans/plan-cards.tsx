/** The three plans side by side: cost, benefits and limits of each, with one button. */
import Check from 'lucide-react/icons/check';
import { useId } from 'react';
import { planButton } from '#domain/billing/plan-buttons.ts';
import { type PlanOffer, planCatalogue } from '#domain/billing/plan-catalogue.ts';
import { PLAN_NAMES, type PlanName } from '#domain/billing/plans.ts';
import { MODELS } from '#domain/forecast/models.ts';
import { dollars } from '#domain/format/dollars.ts';
import { unableReason, useModelStatuses } from '../../../site/site-config.ts';
import { useTimeZone } from '../../../ui/browser/time-zone.ts';
import { Button } from '../../../ui/forms/button.tsx';
import { classNames } from '../../../ui/styles/class-names.ts';
import { FailureBox } from '../payment/billing-failure.tsx';
import type { Billing } from '../payment/use-billing.ts';
import { describeRefusal } from '../subscription/subscription-messages.ts';
import type { KnownSubscription } from '../subscription/use-subscription.ts';
import styles from './plan-cards.module.css';
import { PLAN_MARKS } from './plan-labels.ts';

export type PlanQuestion = 'upgrade' | 'downgrade' | 'cancel';

export interface PlanCardsProps {
  known: KnownSubscription;
  billing: Billing;
  onQuestion(question: PlanQuestion): void;
}

export function PlanCards(props: PlanCardsProps) {
  const id = useId();
  const offers = planCatalogue(props.known.prices);
  return (
    <section aria-labelledby={id} className="grid gap-4 min-width-0">
      <h2 id={id} className="size-20">
        Plans
      </h2>
      <ul className={styles.cards}>
        {PLAN_NAMES.map((plan) => (
          <PlanCard key={plan} plan={plan} offer={offers[plan]} {...props} />
        ))}
      </ul>
    </section>
  );
}

function PlanCard({ plan, offer, known, billing, onQuestion }: PlanCardsProps & { plan: PlanName; offer: PlanOffer }) {
  const { zone } = useTimeZone();
  const [nameId, whyId] = [useId(), useId()];
  const { label, action, refusal } = planButton(known.state, plan, known.payments !== 'none');
  const why = refusal === null ? null : describeRefusal(refusal, known.state, zone);
  const task = plan === 'free' ? null : (`checkout ${plan}` as const);
  const failure = billing.failure !== null && billing.failure.task === task ? billing.failure : null;
  const isCurrent = label === 'Current plan';
  const PlanMark = PLAN_MARKS[plan];
  const press = () => {
    if (action === 'checkout' && plan !== 'free') billing.checkout(plan);
    else if (action === 'upgrade' || action === 'downgrade' || action === 'cancel') onQuestion(action);
  };
  return (
    <li aria-labelledby={nameId} className={classNames(styles.card, isCurrent && styles.current)}>
      <div className={styles.name}>
        <PlanMark size={28} className={styles.mark} />
        <h3 id={nameId}>{offer.name}</h3>
      </div>
      <p>
        <span className={styles.amount}>{dollars(offer.priceCents)}</span> <span className="muted">per month</span>
      </p>
      <p className="muted">{offer.description}</p>
      <div className={styles.foot}>
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
      </div>
      <ul className={styles.features}>
        {offer.features.map((feature) => (
          <li key={feature}>
            <Check size={16} aria-hidden="true" className={styles.tick} />
            {feature}
          </li>
        ))}
        <UnableModels offer={offer} />
      </ul>
    </li>
  );
}

/** Warns before payment about models that cannot forecast yet. */
function UnableModels({ offer }: { offer: PlanOffer }) {
  const statuses = useModelStatuses();
  const unable = offer.limitations.models.flatMap((model) => {
    const reason = unableReason(statuses?.[model]);
    return reason === null ? [] : [`${MODELS[model].label}: ${reason}.`];
  });
  if (unable.length === 0) return null;
  return <li className="warning size-13">{unable.join(' ')}</li>;
}
