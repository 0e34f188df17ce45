import { formatPrice, plainPercent } from '#domain/format/price.ts';
import { barUnit } from '#domain/market/timeframe-text.ts';
import type { TrackSummary } from '#domain/record/figures/track-summary.ts';
import { timeframeOfRecord } from '#domain/record/ledger/ledger.ts';
import { COPY_LABELS } from '#domain/record/scoring/copy-detector.ts';
import { MODEL_SHAPES, PointKey } from '../../../charts/plots/frame/point-mark.tsx';
import { SectionHeading } from '../../../ui/layout/section-heading.tsx';
import { type Column, Table } from '../../../ui/layout/table.tsx';
import { modelTitle, type TrackModel } from '../track-record-labels.ts';
import styles from './other-measures.module.css';

const COLUMNS: readonly Column<TrackModel>[] = [
  {
    key: 'model',
    name: 'Model',
    cell: (one) => (
      <span className="inline-row gap-2">
        <PointKey shape={MODEL_SHAPES[one.model]} />
        {modelTitle(one)}
      </span>
    ),
  },
  { key: 'rv', name: 'Volatility error', isFigure: true, cell: ({ rvError }) => pair(rvError) },
  { key: 'range', name: 'Range error', isFigure: true, cell: ({ rangeError }) => pair(rangeError) },
  {
    key: 'copy',
    name: 'Drawn path',
    cell: ({ copyShare, copyVerdict }) =>
      copyShare === null
        ? '–'
        : `${COPY_LABELS[copyVerdict]} (flat at ${plainPercent(copyShare * 100, 1)} of its closes)`,
  },
  {
    key: 'versions',
    name: 'Versions in this period',
    cell: ({ versions }) => <span className="figures">{versions.join(', ')}</span>,
  },
];

export function OtherMeasures({ summary }: { summary: TrackSummary }) {
  return (
    <section className="grid one-column gap-4 min-width-0" aria-labelledby="measures">
      <SectionHeading
        id="measures"
        lead={`Volatility and high-low range over the fifty ${barUnit(timeframeOfRecord(summary))}: the mean log error, first the model’s, then the EWMA baseline’s. Lower is better.`}
      >
        Other measures
      </SectionHeading>
      <Table
        caption="Other measures by model"
        columns={COLUMNS}
        rows={summary.models}
        rowKey={(one) => `${one.model} ${one.role}`}
        className={styles.frame}
      />
    </section>
  );
}

function pair(error: TrackModel['rvError']): string {
  return error === null ? '–' : `${formatPrice(error.model, 3)} / ${formatPrice(error.ewma, 3)}`;
}
