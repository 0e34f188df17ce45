import type { PlanName } from '#domain/billing/plans.ts';
import styles from './plan-head.module.css';
import { PLAN_MARKS } from './plan-labels.ts';

export function PlanHead({ plan, name, price }: { plan: PlanName; name: string; price: string }) {
  const PlanMark = PLAN_MARKS[plan];
  return (
    <div className="row gap-4">
      <PlanMark size={40} className={styles.mark} />
      <div>
        <p className={styles.name}>{name}</p>
        <p className="muted">{price}</p>
      </div>
    </div>
  );
}
