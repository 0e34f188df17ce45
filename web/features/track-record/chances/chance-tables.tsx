/** Brier and log scores of chances beside their baseline's: by minute of the window, by market and by week. */
import { skillRange } from '#domain/forecast/figures/figure-messages.ts';
import { groupedCount } from '#domain/format/count.ts';
import { formatPrice, percentChange } from '#domain/format/price.ts';
import { zonedDay } from '#domain/format/zoned-time.ts';
import type { ChanceFigures, ChanceSummary } from '#domain/record/chances/chance-summary.ts';
import { type ChanceMeasure, describeChanceSkill } from '#domain/record/messages/chance-messages.ts';
import { describeChance, type Finding, findingOf } from '#domain/record/messages/verdict.ts';
import { Whisker } from '../../../charts/plots/whisker.tsx';
import { type Column, Table } from '../../../ui/layout/table.tsx';
import { percentOf, symbolName } from '../track-record-labels.ts';
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
} as const satisfies Record<Finding, string>;

const MEASURES = [
  { key: 'skillBrier', name: 'Brier skill' },
  { key: 'skillLog', name: 'Log-score skill' },
] as const satisfies readonly { key: ChanceMeasure; name: string }[];

export function ChanceScores({ summary }: { summary: ChanceSummary }) {
  const { all, byMinute, window } = summary;
  const rows = [
    ...byMinute.map(({ minute, figures }) => ({ place: `${minute} of ${window} min over`, figures })),
    { place: 'all', figures: all },
  ];
  return (
    <figure className="grid one-column gap-3 min-width-0">
      <ScoreTable caption="Scores by minute of the window" place="Minute" rows={rows} hasScores />
      <ul className="grid gap-1 muted size-13" aria-label="Scores of chances as text">
        <li>Brier score: {describeChanceSkill(all, 'skillBrier')}</li>
        <li>Log score: {describeChanceSkill(all, 'skillLog')}</li>
      </ul>
      <figcaption className="muted size-13 readable-width">
        Scores are the model’s, then the baseline’s; lower is better. The Brier score is the squared distance of the
        chance from what happened, so always saying 50% scores 0.250. The log score punishes a wrong certainty harder.
        Skill is how much lower the model’s score is, in percent. The baseline is a normal walk without direction whose
        volatility is an exponentially weighted average, computed at the same moment. Intervals are 95%, by drawing
        whole six-hour blocks again.
      </figcaption>
    </figure>
  );
}

export function ChanceBreakdown({ summary }: { summary: ChanceSummary }) {
  const bySymbol = summary.bySymbol.map(({ sym, figures }) => ({ place: symbolName(sym), figures }));
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
  /** With the mean scores themselves, before their skills. */
  hasScores?: boolean;
}

function ScoreTable({ caption, place, rows, hasScores = false }: ScoreTableProps) {
  const reach = Math.max(
    0.5,
    ...rows.flatMap(({ figures }) => MEASURES.flatMap(({ key }) => percentOf(figures[key]) ?? [])).map(Math.abs),
  );
  const scores: Column<Row>[] = [
    { key: 'brier', name: 'Brier', isFigure: true, cell: ({ figures }) => pair(figures.brier, figures.brierBaseline) },
    { key: 'log', name: 'Log score', isFigure: true, cell: ({ figures }) => pair(figures.log, figures.logBaseline) },
  ];
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
    ...(hasScores ? scores : []),
    ...MEASURES.map(({ key, name }) => ({
      key,
      name,
      cell: ({ figures }: Row) => <SkillCell figures={figures} measure={key} reach={reach} />,
    })),
  ];
  return <Table caption={caption} columns={columns} rows={rows} rowKey={(row) => row.place} className={styles.frame} />;
}

interface SkillCellProps {
  figures: ChanceFigures;
  measure: ChanceMeasure;
  reach: number;
}

function SkillCell({ figures, measure, reach }: SkillCellProps) {
  const value = percentOf(figures[measure]);
  const finding = findingOf(figures[measure]);
  return (
    <div className={styles.cell}>
      <Whisker value={value} reach={reach} />
      {value !== null && (
        <span className="figures size-12">
          {percentChange(typeof value === 'number' ? value : value[0])}
          {typeof value !== 'number' && ` ${skillRange(value)}`}
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
