/** The public record of the last 24 hours: forecasts issued, their states, and how far the record is sealed. */
import { groupedCount } from '#domain/format/count.ts';
import type { OperationsState } from '#domain/operations/operations-state.ts';
import { Badge } from '../../../ui/layout/badge.tsx';
import { Panel } from '../../../ui/layout/panel.tsx';
import { Facts, Moment } from '../facts.tsx';

const HOUR_MS = 3_600_000;

export function RecordPanel({ state: { record, takenAtMs } }: { state: OperationsState }) {
  const { issued, known, missed, newestAtMs, sealedHourS, signedDay } = record;
  const sealedToMs = sealedHourS === null ? null : sealedHourS * 1000 + HOUR_MS;
  return (
    <Panel heading="Public record" isFlush>
      <Facts
        facts={[
          { name: 'Issuing', value: record.isIssuing ? 'on' : <Badge tone="warning">switched off</Badge> },
          { name: 'Issued, last 24 h', value: groupedCount(issued) },
          { name: 'Missed, last 24 h', value: groupedCount(missed) },
          { name: 'Scored, last 24 h', value: groupedCount(known) },
          { name: 'Void, last 24 h', value: groupedCount(record.void) },
          { name: 'Newest forecast', value: <Moment atMs={newestAtMs} nowMs={takenAtMs} /> },
          { name: 'Sealed up to', value: <Moment atMs={sealedToMs} nowMs={takenAtMs} /> },
          { name: 'Last signed day', value: signedDay ?? 'none' },
        ]}
      />
    </Panel>
  );
}
