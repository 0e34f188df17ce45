import { describePooled, hasEnoughBlocks } from '#domain/forecast/figures/figure-messages.ts';
import type { BaselineName } from '#domain/forecast/model-figures.ts';
import { formatPrice, percentChange } from '#domain/format/price.ts';
import { CoverageCell, type MeasureRow, MeasureTable, SkillCell } from './measure-table.tsx';
import type { PlottedModel } from './measured-models.ts';
import { SHOWN_BASELINES } from './skill-figure.tsx';

export function SkillTables({ models }: { models: readonly PlottedModel[] }) {
  const asShown = models.some(({ figures }) => figures.skill.shownCoverage !== undefined)
    ? [shownRow('pooled80', 80), shownRow('pooled95', 95)]
    : [];
  const pooled = `pooled HAR (${describePooled(models[0]?.figures.group ?? '')})`;
  const rivals = [...SHOWN_BASELINES, { baseline: 'har-pooled', description: pooled } as const];
  const bands = rivals.map(({ baseline, description }) => ({
    label: `over ${description}`,
    cell: ({ figures }: PlottedModel) => (
      <SkillCell skill={figures.skill.crpsSkillPercent[baseline].all} isEnough={hasEnoughBlocks(figures)} />
    ),
  }));
  return (
    <MeasureTable
      caption="Skill and coverage of each model"
      models={models}
      sections={[
        { title: 'Bands, all horizons', rows: bands },
        {
          title: 'Volatility of the next 50 minutes',
          rows: [
            ...againstRows('rv50SkillPercent', pooled),
            {
              label: 'over per-symbol HAR, by QLIKE',
              note: 'a loss that penalises forecasts that are too low',
              cell: ({ figures }) => (
                <SkillCell
                  skill={figures.skill.rv50QlikeSkillPercent['har-empirical']}
                  isEnough={hasEnoughBlocks(figures)}
                />
              ),
            },
          ],
        },
        { title: 'High-low range of the next 50 minutes', rows: againstRows('range50SkillPercent', pooled) },
        {
          title: 'Closes inside the bands, out of 100',
          rows: [
            {
              label: '80% band',
              cell: ({ figures }) => (
                <CoverageCell value={figures.skill.coverage.pooled80} target={80} isEnough={hasEnoughBlocks(figures)} />
              ),
            },
            {
              label: '95% band',
              cell: ({ figures }) => (
                <CoverageCell value={figures.skill.coverage.pooled95} target={95} isEnough={hasEnoughBlocks(figures)} />
              ),
            },
            ...asShown,
          ],
        },
        {
          title: 'Direction',
          rows: [
            {
              label: 'error of the median, relative to the last close',
              note: '0 by design: the median is the last close',
              cell: ({ figures }) => percentChange(figures.skill.medianErrorVsLastClosePercent),
            },
          ],
        },
      ]}
    />
  );
}

/** Users see corrected bands of the symbols that the public record forecasts; here the correction is replayed on all. */
function shownRow(band: 'pooled80' | 'pooled95', target: 80 | 95): MeasureRow {
  return {
    label: `${target}% band, corrected`,
    note: 'replayed as the public record corrects its bands',
    cell: ({ figures }) => {
      const value = figures.skill.shownCoverage?.[band];
      return value && <CoverageCell value={value} target={target} isEnough={hasEnoughBlocks(figures)} />;
    },
  };
}

function againstRows(measure: 'rv50SkillPercent' | 'range50SkillPercent', pooled: string) {
  const row = (label: string, baseline: BaselineName) => ({
    label,
    cell: ({ figures }: PlottedModel) => (
      <SkillCell skill={figures.skill[measure][baseline]} isEnough={hasEnoughBlocks(figures)} />
    ),
  });
  return [
    row('over the EWMA baseline', 'ewma-gauss'),
    row('over per-symbol HAR', 'har-empirical'),
    row(`over ${pooled}`, 'har-pooled'),
  ];
}

export function RealismTable({ models }: { models: readonly PlottedModel[] }) {
  return (
    <MeasureTable
      caption="Drawn candles compared with real ones"
      models={models}
      sections={[
        {
          title: 'Drawn vs. real candles',
          rows: [
            {
              label: 'minute-to-minute move',
              note: '1 is as volatile as real candles',
              cell: ({ figures }) => formatPrice(figures.realism.roughnessRatio, 3),
            },
            {
              label: 'candle height',
              note: '1 is as tall as real ones',
              cell: ({ figures }) => formatPrice(figures.realism.rangeRatio, 3),
            },
            {
              label: 'distance between the return distributions (KS)',
              note: '0 means the same distribution',
              cell: ({ figures }) => formatPrice(figures.realism.ksDistance, 3),
            },
            {
              label: 'volatility clustering',
              note: 'lag-1 autocorrelation of absolute returns, drawn / real',
              cell: ({ figures: { realism } }) =>
                `${formatPrice(realism.autocorrelation.drawn, 2)} / ${formatPrice(realism.autocorrelation.real, 2)}`,
            },
            {
              label: 'error of the drawn close, relative to the last close',
              note: 'at 10 / 50 minutes; above 1 is worse, the cost of showing one path',
              cell: ({ figures: { realism } }) =>
                `${formatPrice(realism.pathErrorRatio.h10, 2)} / ${formatPrice(realism.pathErrorRatio.h50, 2)}`,
            },
            {
              label: 'impossible candles',
              note: 'such as a close above the high',
              cell: ({ figures: { realism } }) =>
                `${formatPrice(realism.invariantViolations, 0)} of ${formatPrice(realism.candles, 0)}`,
            },
          ],
        },
      ]}
    />
  );
}
