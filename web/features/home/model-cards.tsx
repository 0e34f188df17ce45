import { PLAN_LABELS, PLANS, planWithModel } from '#domain/billing/plans.ts';
import type { ModelStatus } from '#domain/config/public-config.ts';
import { MODEL_NAMES, MODELS, type ModelName } from '#domain/forecast/models.ts';
import { dollars } from '#domain/format/dollars.ts';
import { MODEL_MARKS } from '../../brand/marks.tsx';
import { unableReason, useModelStatuses } from '../../site/site-config.ts';
import { Badge } from '../../ui/layout/badge.tsx';
import styles from './model-cards.module.css';

export function ModelCards() {
  const statuses = useModelStatuses();
  return (
    <section aria-labelledby="models" className={styles.section}>
      <h2 id="models" className="size-20">
        Three models
      </h2>
      <ul className={styles.cards}>
        {MODEL_NAMES.map((name) => (
          <ModelCard key={name} name={name} status={statuses?.[name] ?? null} />
        ))}
      </ul>
    </section>
  );
}

function ModelCard({ name, status }: { name: ModelName; status: ModelStatus | null }) {
  const ModelMark = MODEL_MARKS[name];
  return (
    <li className={styles.card}>
      <ModelMark size={32} className={styles.mark} />
      <div>
        <h3>{MODELS[name].label}</h3>
        <PlanLines model={name} />
        <p className={styles.status}>{status !== null && <StatusBadge status={status} />}</p>
      </div>
    </li>
  );
}

function StatusBadge({ status }: { status: ModelStatus }) {
  const unable = unableReason(status);
  if (unable !== null) return <Badge tone="warning">{unable}</Badge>;
  return status.kind === null ? null : <Badge>{status.kind}</Badge>;
}

function PlanLines({ model }: { model: ModelName }) {
  const plan = planWithModel(model);
  const { priceCents, perDay, perMonth } = PLANS[plan];
  return (
    <>
      <p className="muted">{`${PLAN_LABELS[plan]} plan, ${dollars(priceCents)} per month`}</p>
      <p className="muted">{`${perDay} predictions a day, ${perMonth} a month`}</p>
    </>
  );
}
