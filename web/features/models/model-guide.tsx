import { PLAN_LABELS, PLAN_NAMES, PLANS } from '#domain/billing/plans.ts';
import { shortName } from '#domain/forecast/figures/figure-messages.ts';
import { plainVerdict } from '#domain/forecast/figures/plain-verdict.ts';
import { MODELS, type ModelName } from '#domain/forecast/models.ts';
import { formatPrice } from '#domain/format/price.ts';
import { DEFAULT_SYMBOL } from '#domain/market/symbols.ts';
import { ModelPortrait } from '../../brand/model-portrait.tsx';
import { type GuideEntry, MODEL_GUIDE } from '../../content/model-guide.ts';
import { useModelFigures } from '../../site/model-figures.ts';
import { Evidence } from '../../ui/layout/evidence.tsx';
import { Skeleton } from '../../ui/status/loader.tsx';
import styles from './model-guide.module.css';

/** A picture, a sentence and a verdict for each model; the rest opens on request. */
export function ModelGuide() {
  const figures = useModelFigures();
  const verdictOf = (model: ModelName): string | undefined =>
    figures.isError
      ? ''
      : figures.data &&
        plainVerdict(
          figures.data.find((entry) => entry.model === model),
          DEFAULT_SYMBOL,
        );
  return (
    <section aria-labelledby="guide" className={styles.guide}>
      <h2 id="guide">The three models</h2>
      <ul className={styles.list}>
        {MODEL_GUIDE.map((entry) => (
          <GuideItem key={entry.model} entry={entry} verdict={verdictOf(entry.model)} />
        ))}
      </ul>
    </section>
  );
}

/** @param verdict  undefined until the figures are there; '' without any */
function GuideItem({ entry, verdict }: { entry: GuideEntry; verdict: string | undefined }) {
  const { model, summary, reads, parameters, architecture, goodAt, failsAt } = entry;
  return (
    <li className={styles.item}>
      <ModelPortrait model={model} className={styles.portrait} />
      <h3>{MODELS[model].label}</h3>
      <p>{summary}</p>
      {verdict !== '' && <p className={styles.verdict}>{verdict ?? <Skeleton className={styles.waiting} />}</p>}
      <p className="muted">{`Included in ${plansWith(model)}.`}</p>
      <Evidence label={`More about ${shortName(model)}`} isEager>
        <dl className={styles.facts}>
          <dt>Reads</dt>
          <dd>{reads}</dd>
          <dt>Size</dt>
          <dd>{`${formatPrice(parameters, 0)} parameters: ${architecture}`}</dd>
          <dt>Good at</dt>
          <dd>{goodAt}</dd>
          <dt>Weak at</dt>
          <dd>{failsAt}</dd>
        </dl>
      </Evidence>
    </li>
  );
}

/** 'the Bobcat and Lion plans' */
function plansWith(model: ModelName): string {
  const has = (models: readonly ModelName[]) => models.includes(model);
  const labels = PLAN_NAMES.filter((plan) => has(PLANS[plan].models)).map((plan) => PLAN_LABELS[plan]);
  return `the ${labels.join(' and ')} ${labels.length === 1 ? 'plan' : 'plans'}`;
}
