import { PLAN_LABELS, PLAN_NAMES, PLANS } from '#domain/billing/plans.ts';
import { MODELS, type ModelName } from '#domain/forecast/models.ts';
import { formatPrice } from '#domain/format/price.ts';
import { ModelPortrait } from '../../brand/model-portrait.tsx';
import { type GuideEntry, MODEL_GUIDE } from '../../content/model-guide.ts';
import styles from './model-guide.module.css';

export function ModelGuide() {
  return (
    <section aria-labelledby="guide" className={styles.guide}>
      <h2 id="guide">The three models</h2>
      <ul className={styles.list}>
        {MODEL_GUIDE.map((entry) => (
          <GuideItem key={entry.model} entry={entry} />
        ))}
      </ul>
    </section>
  );
}

function GuideItem({ entry: { model, reads, parameters, architecture, goodAt, failsAt } }: { entry: GuideEntry }) {
  return (
    <li className={styles.item}>
      <ModelPortrait model={model} className={styles.portrait} />
      <div className={styles.body}>
        <h3>{MODELS[model].label}</h3>
        <dl className={styles.facts}>
          <dt>Reads</dt>
          <dd>{reads}</dd>
          <dt>Size</dt>
          <dd>
            {formatPrice(parameters, 0)} parameters: {architecture}
          </dd>
          <dt>Good at</dt>
          <dd>{goodAt}</dd>
          <dt>Fails at</dt>
          <dd>{failsAt}</dd>
          <dt>Included in</dt>
          <dd>{plansWith(model)}</dd>
        </dl>
      </div>
    </li>
  );
}

/** 'the Bobcat and Lion plans' */
function plansWith(model: ModelName): string {
  const has = (models: readonly ModelName[]) => models.includes(model);
  const labels = PLAN_NAMES.filter((plan) => has(PLANS[plan].models)).map((plan) => PLAN_LABELS[plan]);
  return `the ${labels.join(' and ')} ${labels.length === 1 ? 'plan' : 'plans'}`;
}
