import type { SkillTable } from '#domain/forecast/model-figures.ts';
import { CoverageChart } from '../../charts/plots/coverage-chart.tsx';
import styles from '../../ui/layout/figure-panels.module.css';
import type { PlottedModel } from './measured-models.ts';

const WIDTH_ROWS = ['narrowest third', 'middle third', 'widest third'] as const;
const QUARTER_ROWS = ['from :00', 'from :15', 'from :30', 'from :45'] as const;
const BANDS = [
  { key: 'within80', pooled: 'pooled80', target: 80, title: '80% band' },
  { key: 'within95', pooled: 'pooled95', target: 95, title: '95% band' },
] as const;
/** Allowed deviation of a symbol or a third, points on either side. */
const TOLERANCE = 2;

export function CoverageFigure({ models }: { models: readonly PlottedModel[] }) {
  const symbols = [...new Set(models.flatMap(({ figures }) => Object.keys(figures.skill.coverageBySymbol)))].sort();
  return (
    <figure className="grid one-column gap-3">
      <div className={styles.panels}>
        {BANDS.map(({ key, pooled, target, title }) => (
          <div key={key} className="card min-width-0 clip">
            <h3 className={styles.panelTitle}>{`Closes inside the ${title}`}</h3>
            <CoverageChart
              name={`Closes inside the ${title}`}
              rows={['overall', ...symbols, ...WIDTH_ROWS, ...QUARTER_ROWS]}
              series={models.map(({ name, shape, figures: { skill } }) => ({
                name,
                shape,
                values: [skill.coverage[pooled], ...partsOf(skill, symbols, key)],
              }))}
              target={target}
              tolerance={TOLERANCE}
            />
          </div>
        ))}
      </div>
      <figcaption className="muted size-13 readable-width">
        How many of 100 closes fell inside the band, over all 50 minutes. Rows show the overall figure with a 95%
        interval, then each symbol, band width (relative to the symbol’s own) and quarter of the hour. The line marks
        the target. The grey area spans {TOLERANCE} points on either side.
      </figcaption>
    </figure>
  );
}

function partsOf(skill: SkillTable, symbols: readonly string[], key: 'within80' | 'within95'): (number | null)[] {
  return [
    ...symbols.map((symbol) => skill.coverageBySymbol[symbol]?.[key] ?? null),
    ...WIDTH_ROWS.map((_, third) => skill.coverageByWidth[third]?.[key] ?? null),
    ...QUARTER_ROWS.map((_, quarter) => skill.coverageByQuarterHour[quarter]?.[key] ?? null),
  ];
}
