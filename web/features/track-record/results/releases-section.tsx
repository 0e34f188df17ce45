import { releaseKindName } from '#domain/forecast/releases/release-names.ts';
import { groupedCount } from '#domain/format/count.ts';
import type { TrackSummary } from '#domain/record/figures/track-summary.ts';
import { timeframeOfRecord } from '#domain/record/ledger/ledger.ts';
import { SectionHeading } from '../../../ui/layout/section-heading.tsx';
import { type Column, Table } from '../../../ui/layout/table.tsx';
import { barColumns } from '../track-record-labels.ts';

type Row = TrackSummary['byRelease'][number];

/** What bands held when something was released meanwhile; nothing until something was. */
export function ReleasesSection({ summary }: { summary: TrackSummary }) {
  const { byRelease } = summary;
  if (byRelease.length === 0) return null;
  const columns: Column<Row>[] = [
    { key: 'kind', name: 'Released before the close', cell: ({ kind }) => releaseKindName(kind) },
    { key: 'releases', name: 'Releases', isFigure: true, cell: ({ releases }) => groupedCount(releases) },
    ...barColumns(timeframeOfRecord(summary)).map(([bar, name]) => ({
      key: bar,
      name,
      isFigure: true,
      cell: ({ bars }: Row) => shareText(bars.find((one) => String(one.bar) === bar)),
    })),
  ];
  return (
    <section className="grid one-column gap-4 min-width-0" aria-labelledby="releases">
      <SectionHeading
        id="releases"
        lead="When US inflation, jobs, the Fed’s decision or other figures come within a forecast, its bands are wider from then on."
      >
        Do the bands hold through releases?
      </SectionHeading>
      <Table
        caption="Closes inside the 80% band, by what was released before them"
        columns={columns}
        rows={byRelease}
        rowKey={({ kind }) => kind}
      />
      <p className="muted size-13 readable-width">
        Closes inside the 80% band as shown, the three models together, and in brackets how many were judged. Releases
        are few, and all forecasts before one share its outcome: the longer the period, the more a row says.
      </p>
    </section>
  );
}

/** '82% (120)' */
function shareText(found: Row['bars'][number] | undefined): string {
  return found === undefined ? '–' : `${(100 * found.cover80).toFixed(0)}% (${groupedCount(found.n)})`;
}
