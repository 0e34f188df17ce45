import { formatDuration } from '#domain/operations/attention.ts';
import type { OperationsState } from '#domain/operations/operations-state.ts';
import { Panel } from '../../../ui/layout/panel.tsx';
import { countText, Facts } from '../facts.tsx';

export function ProcessPanel({ state, className }: { state: OperationsState; className?: string | undefined }) {
  const { process, bus, database, errors, takenAtMs } = state;
  const { medianMs, p99Ms, maxMs } = process.eventLoop;
  return (
    <Panel heading="This process" isFlush className={className}>
      <Facts
        facts={[
          { name: 'Version', value: process.version },
          { name: 'Up', value: formatDuration(takenAtMs - process.startedAtMs) },
          { name: 'Memory', value: `${Math.round(process.rssMb)} MB` },
          { name: 'Heap', value: `${Math.round(process.heapUsedMb)} MB` },
          { name: 'Timers late: median', value: ms(medianMs) },
          { name: 'Late: 99 of 100, worst', value: `${ms(p99Ms)}, ${ms(maxMs)}` },
          { name: 'Database', value: database.kind === 'pglite' ? 'embedded' : 'PostgreSQL' },
          { name: 'Database answers in', value: ms(database.latencyMs) },
          ...(bus.kind === 'nats' ? [{ name: 'Other processes', value: busState(bus) }] : []),
          { name: 'Errors within an hour', value: countText(errors.lastHour) },
          { name: 'Node', value: process.node },
        ]}
      />
    </Panel>
  );
}

function busState({ isConnected, isLeading }: OperationsState['bus']): string {
  if (!isConnected) return 'not reached';
  return isLeading === true ? 'reached, reads the market for all' : 'reached, follows';
}

function ms(value: number): string {
  return `${value < 10 ? value.toFixed(1) : Math.round(value)} ms`;
}
