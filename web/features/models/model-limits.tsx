/** What no model here can do, and the time spans that they were trained and measured on. */
import { isNotEvaluated } from '#domain/forecast/figures/evaluation.ts';
import type { ModelFigures } from '#domain/forecast/model-figures.ts';
import { spellDates } from '#domain/format/dates.ts';
import { joinNames } from '#domain/format/names.ts';
import { SYMBOLS } from '#domain/market/symbols.ts';
import styles from './model-limits.module.css';

export function ModelLimits({ models }: { models: readonly ModelFigures[] }) {
  const unmeasured = SYMBOLS.filter((symbol) => models.some((model) => isNotEvaluated(model, symbol)));
  return (
    <ul className={styles.limits}>
      <li>
        <strong>Direction.</strong> At one minute, nothing we measured beats the last close. The median of every
        forecast is the last close, and we promise no hit rate.
      </li>
      <li>
        <strong>The drawn path.</strong> It is one plausible path of many. As a point forecast it is worse than the last
        close. The bands are what we measured.
      </li>
      <li>
        <strong>Volume.</strong> It is not forecast, and is shown as 0.
      </li>
      <li>
        <strong>News and halts.</strong> The models see candles and the calendar, nothing else.
      </li>
      <li>
        <strong>Shares and gold.</strong> Figures for shares come from weeks of candles, not months. Those for gold come
        mostly from 2026, because its 2025 test is two days long. Check the intervals.
      </li>
      {unmeasured.length > 0 && (
        <li>
          <strong>{joinNames(unmeasured.map(({ label }) => label))}.</strong> Not evaluated: we had no data to train or
          test a model on. The forecast uses other markets’ data and says so.
        </li>
      )}
    </ul>
  );
}

const PART_LABELS: Readonly<Record<string, string>> = {
  fit: 'Trained on',
  validate: 'Validated and calibrated on',
  test: 'Tested on',
  late: 'Also tested on',
  purge: 'Excluded',
};

/** The spans of the first ready model: all models use one split. */
export function DataSpans({ models }: { models: readonly ModelFigures[] }) {
  const figures = models.find((entry) => entry.figures !== null)?.figures;
  if (!figures) return null;
  const hasPairs = figures.groups.some(({ group }) => group === 'four-pairs');
  return (
    <dl className={styles.spans}>
      {Object.entries(figures.spans).map(([part, span]) => (
        <div key={part}>
          <dt>{PART_LABELS[part] ?? part}</dt>
          <dd>
            {spellDates(span) + (part === 'late' && hasPairs ? ', except DOGE, which is in the group Four pairs' : '')}
          </dd>
        </div>
      ))}
    </dl>
  );
}
