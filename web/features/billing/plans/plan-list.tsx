/** The three plans side by side: price and features of each. Each page adds its own buttons. */
import Check from 'lucide-react/icons/check';
import { type ReactNode, useId } from 'react';
import type { PlanOffer } from '#domain/billing/plan-catalogue.ts';
import { PLAN_LABELS, PLAN_NAMES, type PlanName } from '#domain/billing/plans.ts';
import { MODELS } from '#domain/forecast/models.ts';
import { dollars } from '#domain/format/dollars.ts';
import { unableReason, useModelStatuses } from '../../../site/site-config.ts';
import { classNames } from '../../../ui/styles/class-names.ts';
import { PLAN_MARKS } from './plan-labels.ts';
import styles from './plan-list.module.css';

export interface PlanListProps {
  offers: Readonly<Record<PlanName, PlanOffer>>;
  current?: PlanName | null;
  /** Shown between a plan's price and its button. */
  evidence?: (plan: PlanName) => ReactNode;
  button: (plan: PlanName) => ReactNode;
}

export function PlanList({ offers, current = null, evidence, button }: PlanListProps) {
  return (
    <ul className={classNames(styles.cards, evidence && styles.withEvidence)}>
      {PLAN_NAMES.map((plan) => (
        <PlanCard
          key={plan}
          plan={plan}
          offer={offers[plan]}
          isCurrent={plan === current}
          evidence={evidence?.(plan)}
          button={button(plan)}
        />
      ))}
    </ul>
  );
}

interface PlanCardProps {
  plan: PlanName;
  offer: PlanOffer;
  isCurrent: boolean;
  evidence: ReactNode;
  button: ReactNode;
}

function PlanCard({ plan, offer, isCurrent, evidence, button }: PlanCardProps) {
  const nameId = useId();
  const PlanMark = PLAN_MARKS[plan];
  return (
    <li aria-labelledby={nameId} className={classNames(styles.card, isCurrent && styles.current)}>
      <div className={styles.name}>
        <PlanMark size={28} className={styles.mark} />
        <h3 id={nameId}>{offer.name}</h3>
      </div>
      <p>
        <span className={styles.amount}>{dollars(offer.priceCents)}</span> <span className="muted">per month</span>
      </p>
      {evidence}
      <p className="muted">{offer.description}</p>
      <div className={styles.foot}>{button}</div>
      <div className={styles.features}>
        {offer.base !== null && <p className="weight-500">{`Everything in ${PLAN_LABELS[offer.base]}, plus`}</p>}
        <ul className="grid gap-2">
          {offer.added.map((feature) => (
            <li key={feature}>
              <Check size={16} aria-hidden="true" className={styles.tick} />
              {feature}
            </li>
          ))}
          <UnableModels offer={offer} />
        </ul>
      </div>
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
