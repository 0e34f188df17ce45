import { coverageText, shortName } from '#domain/forecast/figures/figure-messages.ts';
import type { ReleaseFigures } from '#domain/forecast/model-figures.ts';
import type { ModelName } from '#domain/forecast/models.ts';
import { RELEASE_GROUP_NAMES } from '#domain/forecast/releases/release-names.ts';
import { useModelFigures } from '../../site/model-figures.ts';
import { type Column, Table } from '../../ui/layout/table.tsx';
import styles from './model-limits.module.css';
import { Unmeasured } from './unmeasured.tsx';

type Figure = ReleaseFigures[number];

interface ReleasesRow {
  group: Figure['group'];
  model: ModelName;
  bars: Figure[];
}

const COLUMNS: readonly Column<ReleasesRow>[] = [
  { key: 'group', name: 'Released before the close', cell: ({ group }) => RELEASE_GROUP_NAMES[group] },
  { key: 'model', name: 'Model', cell: ({ model }) => shortName(model) },
  ...[5, 10, 25, 50].map((bar): Column<ReleasesRow> => {
    const cell = ({ bars }: ReleasesRow) => heldText(bars.find((one) => one.bar === bar));
    return { key: String(bar), name: `Bar ${bar}`, isFigure: true, cell };
  }),
];

/** What bands hold around scheduled releases, with and without the calendar. */
export function ReleasesSection() {
  const { data, isError } = useModelFigures();
  const measured = (data ?? []).flatMap(({ model, figures }) =>
    figures?.releases === undefined ? [] : [{ model, figures: figures.releases }],
  );
  const rows = (['great', 'other'] as const).flatMap((group) =>
    measured.map(({ model, figures }) => ({ group, model, bars: figures.filter((one) => one.group === group) })),
  );
  const [great, other] = (['great', 'other'] as const).map((group) => countOf(rows, group));
  return (
    <section id="releases" aria-labelledby="releases-heading" className={styles.timeframes}>
      <h2 id="releases-heading">When something is released meanwhile</h2>
      <p className="readable-width">
        US inflation, jobs and the Fed’s decision move prices more than the candles before them let expect. A forecast
        knows their times: its bands are wider from then on, by what releases of the kind did before. To measure that,
        each release was judged by factors from the other releases alone.
      </p>
      {rows.length === 0 ? (
        <Unmeasured isPending={data === undefined && !isError} hasFailed={isError} />
      ) : (
        <>
          <Table
            caption="Closes inside the 80% band around releases"
            columns={COLUMNS}
            rows={rows}
            rowKey={({ group, model }) => `${group} ${model}`}
          />
          <p className="muted size-13 readable-width">
            Closes of 100 inside the 80% band, without the calendar and with it; in brackets: 95% interval. One-minute
            candles of coins, {great} releases of the first kind and {other} others, in the months that the models were
            trained and chosen on; no model was told of a release. The few great releases of the test months were
            quieter: after them the bands were too wide.
          </p>
        </>
      )}
    </section>
  );
}

/** '27.6 → 77.8 [69.1, 86.0]' */
function heldText(figure: Figure | undefined): string {
  if (figure === undefined) return '–';
  return `${figure.blind.within80.toFixed(1)} → ${coverageText(figure.known.within80, 80)}`;
}

function countOf(rows: readonly ReleasesRow[], group: Figure['group']): number {
  return Math.max(
    0,
    ...rows.filter((row) => row.group === group).flatMap(({ bars }) => bars.map((one) => one.releases)),
  );
}
