/** Whether chances happen as often as they say, by decile: as a picture, in text, and as a table. */
import { shortName } from '#domain/forecast/figures/figure-messages.ts';
import { groupedCount } from '#domain/format/count.ts';
import { formatPrice } from '#domain/format/price.ts';
import type { ChanceDecile, ChanceSummary } from '#domain/record/chances/chance-summary.ts';
import {
  type DecileFinding,
  decileFinding,
  decileName,
  describeHappened,
} from '#domain/record/messages/chance-messages.ts';
import { ChanceReliabilityChart } from '../../../charts/plots/chance-reliability-chart.tsx';
import { MODEL_SHAPES } from '../../../charts/plots/frame/point-mark.tsx';
import panels from '../../../ui/layout/figure-panels.module.css';
import { type Column, Table } from '../../../ui/layout/table.tsx';
import styles from './chances-section.module.css';

type Row = ChanceDecile & { name: string };

const FINDINGS = {
  'too-low': 'stated too low',
  'too-high': 'stated too high',
} as const satisfies Partial<Record<DecileFinding, string>>;

const COLUMNS: readonly Column<Row>[] = [
  { key: 'name', name: 'Stated', cell: ({ name }) => name },
  { key: 'count', name: 'Chances', isFigure: true, cell: ({ count }) => groupedCount(count) },
  { key: 'mean', name: 'Mean', isFigure: true, cell: ({ chance }) => share(chance) },
  { key: 'happened', name: 'Happened', isFigure: true, cell: (row) => <Happened row={row} /> },
];

/** A decile that is as stated, or has no interval yet, has no finding. */
function Happened({ row }: { row: Row }) {
  const { happened } = row;
  const finding = decileFinding(row);
  return (
    <>
      <span>{share(happened?.value ?? null)}</span>
      {happened?.interval != null && <span className={styles.quiet}> {rangeOf(happened.interval)}</span>}
      {(finding === 'too-low' || finding === 'too-high') && <span className={styles.finding}>{FINDINGS[finding]}</span>}
    </>
  );
}

/** '[60.1, 68.3]', per cent. */
function rangeOf([low, high]: readonly [number, number]): string {
  return `[${share(low)}, ${share(high)}]`;
}

export function ChanceReliability({ summary }: { summary: ChanceSummary }) {
  const { deciles, model, window } = summary;
  const title = `Reliability of ${shortName(model)}’s chances in ${window}-minute windows`;
  const points = deciles.map((decile, i) => ({
    place: decileName(i),
    count: decile.count,
    text: describeHappened(decile),
    chance: percent(decile.chance),
    happened: percent(decile.happened?.value ?? null),
    interval: percents(decile.happened?.interval ?? null),
  }));
  const rows = deciles.map((decile, i) => ({ ...decile, name: decileName(i) }));
  return (
    <figure className="grid one-column gap-3 min-width-0">
      <div className={styles.tables}>
        <div className="card min-width-0 clip">
          <h3 className={panels.panelTitle}>Stated chance and how often it happened</h3>
          <ChanceReliabilityChart name={title} series={shortName(model)} shape={MODEL_SHAPES[model]} points={points} />
        </div>
        <div>
          <Table
            caption="Reliability by decile"
            columns={COLUMNS}
            rows={rows}
            rowKey={({ name }) => name}
            className={styles.frame}
          />
        </div>
      </div>
      <figcaption className="muted size-13 readable-width">
        Each point groups the chances of one tenth: across, the mean stated chance; upwards, how many of 100 windows
        then closed above their open, with a 95% interval. On the dashed diagonal, a chance is what it says. An interval
        needs 30 chances and 12 blocks of six hours.
      </figcaption>
    </figure>
  );
}

function percents(interval: readonly [number, number] | null): readonly [number, number] | null {
  return interval === null ? null : [100 * interval[0], 100 * interval[1]];
}

function percent(value: number | null): number | null {
  return value === null ? null : 100 * value;
}

function share(value: number | null): string {
  return value === null ? '–' : formatPrice(100 * value, 1);
}
