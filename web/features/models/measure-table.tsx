import type { ReactNode } from 'react';
import { coverageParts, skillPercent, skillRange, verdictOf } from '#domain/forecast/figures/figure-messages.ts';
import type { Interval } from '#domain/forecast/model-figures.ts';
import { PointKey } from '../../charts/plots/frame/point-mark.tsx';
import { classNames } from '../../ui/styles/class-names.ts';
import styles from './measure-table.module.css';
import type { PlottedModel } from './measured-models.ts';

export interface MeasureRow {
  label: string;
  /** What the number means, in small print below the label. */
  note?: string;
  cell: (model: PlottedModel) => ReactNode;
}

export interface MeasureTableProps {
  caption: string;
  models: readonly PlottedModel[];
  sections: readonly { title: string; rows: readonly MeasureRow[] }[];
}

export function MeasureTable({ caption, models, sections }: MeasureTableProps) {
  return (
    <table className={styles.table}>
      <caption className="visually-hidden">{caption}</caption>
      <thead>
        <tr>
          <td />
          {models.map(({ model, name, shape }) => (
            <th key={model} scope="col">
              <span className={styles.name}>
                <PointKey shape={shape} />
                {name}
              </span>
            </th>
          ))}
        </tr>
      </thead>
      {sections.map(({ title, rows }) => (
        <tbody key={title}>
          <tr className={styles.section}>
            <th scope="rowgroup" colSpan={models.length + 1}>
              {title}
            </th>
          </tr>
          {rows.map(({ label, note, cell }) => (
            <tr key={label}>
              <th scope="row">
                <span>{label}</span>
                {note !== undefined && <span className="block muted size-12">{note}</span>}
              </th>
              {models.map((model) => (
                <td key={model.model} className="figures">
                  {cell(model)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      ))}
    </table>
  );
}

const VERDICT_LABELS = { better: 'better', worse: 'worse', 'no difference': 'no difference shown' } as const;

interface SkillCellProps {
  skill: Interval;
  /** False if the interval has too few blocks for a verdict. */
  isEnough: boolean;
}

/** A skill, its interval, and the verdict, which is shown for hits and misses alike. */
export function SkillCell({ skill, isEnough }: SkillCellProps) {
  const verdict = isEnough ? verdictOf(skill) : null;
  return (
    <>
      <span className="weight-500">{skillPercent(skill)}</span>{' '}
      <span className={styles.range}>{skillRange(skill)}</span>
      {verdict !== null && (
        <span className={classNames(styles.verdict, verdict === 'worse' && styles.worse)}>
          {VERDICT_LABELS[verdict]}
        </span>
      )}
    </>
  );
}

interface CoverageCellProps {
  value: Interval;
  target: number;
  /** False if the interval has too few blocks for a verdict. */
  isEnough: boolean;
}

/** Closes inside a band, of 100, with the interval, and whether it shows that the band misses its target. */
export function CoverageCell({ value, target, isEnough }: CoverageCellProps) {
  const [, low, high] = value;
  const { estimate, range } = coverageParts(value, target);
  const verdict = low > target ? 'band too wide' : high < target ? 'band too narrow' : 'on target';
  return (
    <>
      <span className="weight-500">{estimate}</span> <span className={styles.range}>{range}</span>
      {isEnough && <span className={styles.verdict}>{verdict}</span>}
    </>
  );
}
