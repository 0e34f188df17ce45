/** Brier and log scores of chances beside their baseline's: by minute of the window, by market and by week. */

import { skillRange } from '#domain/forecast/figures/figure-messages.ts';
import { counted, groupedCount } from '#domain/format/count.ts';
import { formatPrice, percentChange } from '#domain/format/price.ts';
import { zonedDay } from '#domain/format/zoned-time.ts';
import { marketLabel } from '#domain/market/named-market.ts';
import type { ChanceFigures, ChanceSummary } from '#domain/record/chances/chance-summary.ts';
import { type ChanceMeasure, describeChanceSkill } from '#domain/record/messages/chance-messages.ts';
import { type BaselineFinding, describeChance, findingOf } from '#domain/record/messages/verdict.ts';
import { Whisker } from '../../../charts/plots/whisker.tsx';
import { type Column, Table } from '../../../ui/layout/table.tsx';
import { percentOf } from '../track-record-labels.ts';
import styles from './chances-section.module.css';

interface Row {
  place: string;
  figures: ChanceFigures;
}

const FINDINGS = {
  better: 'better',
  worse: 'worse',
  none: 'no edge shown',
  unknown: 'not enough data',
} as const satisfies Record<BaselineFinding, string>;

const MEASURES = [
  { key: 'skillBrier', name: 'Brier score', own: 'brier', baseline: 'brierBaseline' },
  { key: 'skillLog', name: 'Log score', own: 'log', baseline: 'logBaseline' },
] as const satisfies readonly Measure[];

interface Measure {
  key: ChanceMeasure;
  name: string;
  own: 'brier' | 'log';
  baseline: 'brierBaseline' | 'logBaseline';
}

export function ChanceScores({ summary }: { summary: ChanceSummary }) {
  const { all, byMinute } = summary;
  const rows = [
    ...byMinute.map(({ minute, figures }) => ({ place: `After ${counted(minute, 'minute')}`, figures })),
    { place: 'All', figures: all },
  ];
  return (
    <figure className="grid one-column gap-3 min-width-0">
      <ScoreTable caption="Scores by minute of the window" place="In the window" rows={rows} />
      <ul className="grid gap-1 muted size-13" aria-label="Scores of chances as text">
        <li>{`Brier score: ${describeChanceSkill(all, 'skillBrier')}`}</li>
        <li>{`Log score: ${describeChanceSkill(all, 'skillLog')}`}</li>
      </ul>
      <figcaption className="muted size-13 readable-width">
        Each cell has the model’s score and the baseline’s; lower is better. The Brier score is the squared distance of
        the chance from what happened, so always saying 50% scores 0.250. The log score punishes a wrong certainty
        harder. The whisker shows how much lower the model’s score is, in percent. The baseline is a normal walk without
        direction whose volatility is an exponentially weighted average, computed at the same moment. Intervals are 95%,
        by drawing whole six-hour blocks again.
      </figcaption>
    </figure>
  );
}

export function ChanceBreakdown({ summary }: { summary: ChanceSummary }) {
  const bySymbol = summary.bySymbol.map(({ sym, figures }) => ({ place: marketLabel(sym), figures }));
  const byWeek = summary.byWeek
    .toSorted((a, b) => b.weekS - a.weekS)
    // Weeks of the record are UTC weeks, whatever zone times are shown in.
    .map(({ weekS, figures }) => ({ place: zonedDay(weekS * 1000, 'UTC'), figures }));
  return (
    <div className="grid one-column gap-3">
      <p className="muted readable-width">
        The line in the middle of each cell is the baseline; right of it is better.{' '}
        {describeChance(MEASURES.length * (bySymbol.length + byWeek.length))}
      </p>
      <div className={styles.tables}>
        <div>
          <h3 className={styles.title}>Chances by market</h3>
          <ScoreTable caption="Chances by market" place="Market" rows={bySymbol} />
        </div>
        <div>
          <h3 className={styles.title}>Chances by week</h3>
          <ScoreTable caption="Chances by week" place="Week of" rows={byWeek} />
        </div>
      </div>
    </div>
  );
}

interface ScoreTableProps {
  caption: string;
  place: string;
  rows: readonly Row[];
}

function ScoreTable({ caption, place, rows }: ScoreTableProps) {
  const ends = rows.flatMap(({ figures }) => MEASURES.flatMap(({ key }) => percentOf(figures[key]) ?? []));
  const reach = Math.max(0.5, ...ends.map(Math.abs));
  const columns: Column<Row>[] = [
    {
      key: 'place',
      name: place,
      cell: ({ place: name, figures }) => (
        <>
          {name}
          <span className={styles.count}>{groupedCount(figures.n)}</span>
        </>
      ),
    },
    ...MEASURES.map((measure) => ({
      key: measure.key,
      name: measure.name,
      cell: ({ figures }: Row) => <ScoreCell figures={figures} measure={measure} reach={reach} />,
    })),
  ];
  return <Table caption={caption} columns={columns} rows={rows} rowKey={(row) => row.place} className={styles.frame} />;
}

interface ScoreCellProps {
  figures: ChanceFigures;
  measure: Measure;
  reach: number;
}

function ScoreCell({ figures, measure, reach }: ScoreCellProps) {
  const value = percentOf(figures[measure.key]);
  const finding = findingOf(figures[measure.key]);
  return (
    <div className={styles.cell}>
      <span className={`figures size-12 ${styles.pair}`}>{pair(figures[measure.own], figures[measure.baseline])}</span>
      <Whisker value={value} reach={reach} />
      {value !== null && (
        <span className="figures size-12">
          <span>{percentChange(typeof value === 'number' ? value : value[0])}</span>{' '}
          {typeof value !== 'number' && <span className={styles.range}>{skillRange(value)}</span>}
        </span>
      )}
      <span className={finding === 'worse' ? `${styles.quiet} ${styles.off}` : styles.quiet}>
        {value === null ? 'nothing scored' : FINDINGS[finding]}
      </span>
    </div>
  );
}

function pair(own: number | null, baseline: number | null): string {
  return own === null || baseline === null ? '–' : `${formatPrice(own, 4)} / ${formatPrice(baseline, 4)}`;
}
