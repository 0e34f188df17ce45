import { useState } from 'react';
import type { ModelName } from '#domain/forecast/models.ts';
import { groupedCount } from '#domain/format/count.ts';
import { plainPercent } from '#domain/format/price.ts';
import type { Timeframe } from '#domain/market/timeframes.ts';
import type { TrackSummary } from '#domain/record/figures/track-summary.ts';
import { timeframeOfRecord } from '#domain/record/ledger/ledger.ts';
import { describeCoverage } from '#domain/record/messages/verdict.ts';
import { SCORED_BARS } from '#domain/record/scoring/scoring.ts';
import { CoverageChart, type CoverageSeries } from '../../../charts/plots/coverage-chart.tsx';
import { MODEL_SHAPES } from '../../../charts/plots/frame/point-mark.tsx';
import { ReliabilityChart } from '../../../charts/plots/reliability-chart.tsx';
import { ShareBars } from '../../../charts/plots/share-bars.tsx';
import { Segmented } from '../../../ui/forms/segmented.tsx';
import styles from '../../../ui/layout/figure-panels.module.css';
import { SectionHeading } from '../../../ui/layout/section-heading.tsx';
import { barColumns, modelsOfRole, modelTitle, percentOf, type TrackModel } from '../track-record-labels.ts';

const BANDS = [
  { target: 80, shown: 'cover80', model: 'modelCover80', factor: 'p80' },
  { target: 95, shown: 'cover95', model: 'modelCover95', factor: 'p95' },
] as const;

/** The record's allowed deviation, points on either side. */
const TOLERANCE = 3;

export function BandsSection({ summary }: { summary: TrackSummary }) {
  const models = modelsOfRole(summary, 'serving');
  const [picked, setPicked] = useState<ModelName | null>(null);
  const chosen = models.find(({ model }) => model === picked) ?? models.at(-1);
  if (chosen === undefined) return null;
  const options = models.map((one) => ({ value: one.model, label: modelTitle(one) }));
  return (
    <section className="grid one-column gap-4 min-width-0" aria-labelledby="bands">
      <SectionHeading
        id="bands"
        beside={<Segmented label="Model" value={chosen.model} options={options} onChange={setPicked} />}
        lead="The price should end inside the 80% band 80% of the time, and inside the 95% band 95% of the time."
      >
        Do the bands hold?
      </SectionHeading>
      <Coverage key={chosen.model} model={chosen} timeframe={timeframeOfRecord(summary)} />
      <Calibration key={`${chosen.model} levels`} model={chosen} />
    </section>
  );
}

function Coverage({ model, timeframe }: { model: TrackModel; timeframe: Timeframe }) {
  const rows = ['all horizons', ...barColumns(timeframe).map(([, label]) => label)];
  return (
    <figure className="grid one-column gap-3">
      <div className={styles.panels}>
        {BANDS.map(({ target, shown, model: own, factor }) => (
          <div key={target} className="card min-width-0 clip">
            <h3 className={styles.panelTitle}>{`Closes inside the ${target}% band`}</h3>
            <CoverageChart
              name={`Closes inside the ${target}% band of ${modelTitle(model)}`}
              rows={rows}
              series={[seriesOf(model, 'as shown', 'triangle', shown), seriesOf(model, 'uncorrected', 'circle', own)]}
              target={target}
              tolerance={TOLERANCE}
            />
            <ul className={styles.beneath} aria-label={`The ${target}% band as text`}>
              <li>
                {`Shown: ${describeCoverage(target, model.all, 'shown')}${describeFactor(model.bandFactor[factor])}`}
              </li>
              <li>{`Uncorrected: ${describeCoverage(target, model.all, 'model')}`}</li>
            </ul>
          </div>
        ))}
      </div>
      <figcaption className="muted size-13 readable-width">
        How many of 100 closes fell inside, with 95% intervals. The bands correct themselves: each miss widens the next
        ones a little, each hit narrows them. ‘As shown’ is the corrected band that users saw; ‘uncorrected’ is the
        model’s own. The grey area spans {TOLERANCE} points on either side.
      </figcaption>
    </figure>
  );
}

/** Smaller differences are not mentioned. */
const MENTIONED_FROM = 0.05;

/** ', drawn 8% wider than the model’s own'; '' for a difference below that. */
function describeFactor(factor: number): string {
  const more = factor - 1;
  if (Math.abs(more) < MENTIONED_FROM) return '';
  return `, drawn ${plainPercent(Math.abs(more) * 100, 0)} ${more > 0 ? 'wider' : 'narrower'} than the model’s own`;
}

function seriesOf(
  { all, bars }: TrackModel,
  name: string,
  shape: CoverageSeries['shape'],
  key: (typeof BANDS)[number]['shown' | 'model'],
): CoverageSeries {
  const ofBars = SCORED_BARS.map((wanted) => bars.find(({ bar }) => bar === wanted)?.figures[key] ?? null);
  return { name, shape, values: [all[key], ...ofBars].map(percentOf) };
}

function Calibration({ model }: { model: TrackModel }) {
  const { pit } = model;
  const total = pit.reduce((sum, count) => sum + count, 0);
  if (total === 0 || pit.length < 2) return null;
  const bin = 100 / pit.length;
  const levels = pit.slice(1).map((_, i) => Math.round((i + 1) * bin));
  const observed = levels.map((_, i) => (100 * pit.slice(0, i + 1).reduce((sum, count) => sum + count, 0)) / total);
  const title = modelTitle(model);
  return (
    <figure className="grid one-column gap-3">
      <div className={styles.panels}>
        <div className="card min-width-0 clip">
          <h3 className={styles.panelTitle}>Reliability: forecast and actual</h3>
          <ReliabilityChart
            name={`Reliability of ${title}`}
            series={title}
            shape={MODEL_SHAPES[model.model]}
            levels={levels}
            observed={observed}
          />
        </div>
        <div className="card min-width-0 clip">
          <h3 className={styles.panelTitle}>Where closes fell in the forecast (PIT)</h3>
          <ShareBars
            name={`Where closes fell in the forecasts of ${title}`}
            series={title}
            shape={MODEL_SHAPES[model.model]}
            bars={pit.map((_, i) => `percentiles ${Math.round(i * bin)} to ${Math.round((i + 1) * bin)}`)}
            counts={pit}
          />
        </div>
      </div>
      <figcaption className="muted size-13 readable-width">
        {groupedCount(total)} scored closes, all horizons combined. Left: how many of 100 closes fell at or below each
        forecast level; on the dashed diagonal, forecast and actual match. Right: the percentile of its forecast at
        which each close fell. Flat is good. A hump in the middle means the bands are too wide; high ends mean they are
        too narrow.
      </figcaption>
    </figure>
  );
}
