import { useState } from 'react';
import { barUnit } from '#domain/market/timeframe-text.ts';
import type { TrackSummary } from '#domain/record/figures/track-summary.ts';
import { type RecordRole, timeframeOfRecord } from '#domain/record/ledger/ledger.ts';
import { describeSkill } from '#domain/record/messages/verdict.ts';
import { SCORED_BARS } from '#domain/record/scoring/scoring.ts';
import { MODEL_SHAPES } from '../../../charts/plots/frame/point-mark.tsx';
import { IntervalChart } from '../../../charts/plots/interval-chart.tsx';
import { Segmented } from '../../../ui/forms/segmented.tsx';
import styles from '../../../ui/layout/figure-panels.module.css';
import { SectionHeading } from '../../../ui/layout/section-heading.tsx';
import {
  ALL_COLUMN,
  BASELINES,
  barColumns,
  modelsOfRole,
  modelTitle,
  percentOf,
  type SkillBaseline,
  type TrackModel,
} from '../track-record-labels.ts';

const ROLES = [
  { value: 'serving', label: 'Models shown to users' },
  { value: 'shadow', label: 'Shadow models' },
] as const satisfies readonly { value: RecordRole; label: string }[];

const WIRE = { skillEwma: 'ewma', skillHar: 'har', skillLastClose: 'lastClose' } as const satisfies Record<
  SkillBaseline,
  string
>;

export function SkillSection({ summary }: { summary: TrackSummary }) {
  const [role, setRole] = useState<RecordRole>('serving');
  const timeframe = timeframeOfRecord(summary);
  const columns = barColumns(timeframe);
  const models = modelsOfRole(summary, role);
  const hasShadows = modelsOfRole(summary, 'shadow').length > 0;
  return (
    <section className="grid one-column gap-4 min-width-0" aria-labelledby="skill">
      <SectionHeading
        id="skill"
        beside={hasShadows && <Segmented label="Which models" value={role} options={ROLES} onChange={setRole} />}
        lead="Zero is a naive forecast made at the same moment. Above zero is better, below is worse."
      >
        Skill by horizon
      </SectionHeading>
      <figure className="grid one-column gap-3">
        <div className={styles.panels}>
          {BASELINES.map(({ key, title }) => (
            <div key={key} className="card min-width-0 clip">
              <h3 className={styles.panelTitle}>{title}</h3>
              <IntervalChart
                // Another set of models resets the chosen column.
                key={role}
                name={`${title}, by horizon`}
                columns={[...columns, ALL_COLUMN]}
                series={models.map((one) => ({
                  name: modelTitle(one),
                  shape: MODEL_SHAPES[one.model],
                  values: valuesOf(one, key),
                }))}
                restingIndex={columns.length}
              />
              <ul className={styles.beneath} aria-label={`${title}, as text`}>
                {models.map((one) => (
                  <li key={one.model}>{`${modelTitle(one)}: ${describeSkill(one.all, WIRE[key])}`}</li>
                ))}
              </ul>
            </div>
          ))}
        </div>
        <figcaption className="muted size-13 readable-width">
          Bands: how much lower their error (CRPS) is than the baseline&rsquo;s, in percent, by {barUnit(timeframe)}{' '}
          ahead. The EWMA baseline is a random walk without direction whose volatility is an exponentially weighted
          average. Log-HAR is a regression of future volatility on that of several earlier spans. Path: how much lower
          its error is than that of forecasting no change. An honest path is below zero: it is one of many possible
          paths, not a best guess. Whiskers are 95% intervals by block bootstrap; where they cross zero, no edge is
          shown.
        </figcaption>
      </figure>
    </section>
  );
}

function valuesOf({ bars, all }: TrackModel, key: SkillBaseline) {
  const ofBars = SCORED_BARS.map((wanted) => bars.find(({ bar }) => bar === wanted)?.figures[key] ?? null);
  return [...ofBars, all[key]].map(percentOf);
}
