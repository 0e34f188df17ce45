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
          { name: 'Uptime', value: formatDuration(takenAtMs - process.startedAtMs) },
          { name: 'Memory', value: `${Math.round(process.rssMb)} MB` },
          { name: 'Heap', value: `${Math.round(process.heapUsedMb)} MB` },
          { name: 'Event loop delay, median', value: ms(medianMs) },
          { name: 'Event loop delay, p99 and max', value: `${ms(p99Ms)}, ${ms(maxMs)}` },
          { name: 'Database', value: database.kind === 'pglite' ? 'embedded' : 'PostgreSQL' },
          { name: 'Database latency', value: ms(database.latencyMs) },
          ...(bus.kind === 'nats' ? [{ name: 'Message broker', value: busState(bus) }] : []),
          { name: 'Errors, last hour', value: countText(errors.lastHour) },
          { name: 'Node', value: process.node },
        ]}
      />
    </Panel>
  );
}

function busState({ isConnected, isLeading }: OperationsState['bus']): string {
  if (!isConnected) return 'disconnected';
  return isLeading === true ? 'connected, reads market feeds' : 'connected';
}

function ms(value: number): string {
  return `${value < 10 ? value.toFixed(1) : Math.round(value)} ms`;
}
