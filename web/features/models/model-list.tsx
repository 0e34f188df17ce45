/** Each model's state, size and one honest line about crypto, on which all models were measured longest. */
import { modelLine } from '#domain/forecast/figures/figure-messages.ts';
import type { ModelFigures } from '#domain/forecast/model-figures.ts';
import { MODELS, type ModelName } from '#domain/forecast/models.ts';
import { formatPrice } from '#domain/format/price.ts';
import { DEFAULT_SYMBOL } from '#domain/market/symbols.ts';
import { MODEL_MARKS } from '../../brand/marks.tsx';
import { MODEL_SHAPES, PointKey } from '../../charts/plots/frame/point-mark.tsx';
import { Badge } from '../../ui/layout/badge.tsx';
import styles from './model-list.module.css';
import { useRecordLines } from './models-record-api.ts';

const STATE_LABELS = { 'not-trained': 'not trained yet', disabled: 'unavailable' } as const;

export function ModelList({ models }: { models: readonly ModelFigures[] }) {
  const { data: lines, isError } = useRecordLines();
  const lineOf = (model: ModelName): string =>
    lines?.get(model) ?? (isError ? 'We couldn’t load the public record.' : 'In the public record: …');
  return (
    <ul className={styles.list}>
      {models.map((entry) => (
        <ModelItem key={entry.model} entry={entry} recordLine={lineOf(entry.model)} />
      ))}
    </ul>
  );
}

function ModelItem({ entry, recordLine }: { entry: ModelFigures; recordLine: string }) {
  const { model, state, figures } = entry;
  const Mark = MODEL_MARKS[model];
  return (
    <li className="card column gap-3 panel-padding">
      <div className={styles.head}>
        <Mark size={28} className={styles.mark} />
        <h3>{MODELS[model].label}</h3>
        {state === 'ready' ? (
          <PointKey shape={MODEL_SHAPES[model]} />
        ) : (
          <Badge tone="warning">{STATE_LABELS[state]}</Badge>
        )}
      </div>
      <p>{modelLine(entry, DEFAULT_SYMBOL)}</p>
      <p className={styles.record}>{recordLine}</p>
      {figures !== null && (
        <dl className={styles.facts}>
          <dt>Parameters</dt>
          <dd className="figures">{formatPrice(figures.parameters, 0)}</dd>
          <dt>Version</dt>
          <dd className="figures">{figures.modelVersion}</dd>
          <dt>Data files</dt>
          <dd className="figures">{formatPrice(figures.dataFiles, 0)}</dd>
        </dl>
      )}
    </li>
  );
}
