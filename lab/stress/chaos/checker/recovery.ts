/** How soon users were served again, for people: no bound decides about it. */
import { callsOf } from '../history/calls.ts';
import type { HistoryEvent } from '../history/history.ts';

interface Recovery {
  fault: string;
  /** Milliseconds from the fault's end to the first success of a call that started after it, by kind. */
  firstOkMs: Record<string, number>;
}

export function recoveriesOf(events: readonly HistoryEvent[]): Recovery[] {
  const calls = callsOf(events).filter(({ outcome }) => outcome === 'ok');
  const ends = events.flatMap((event) => (event.type === 'fault' && event.phase === 'end' ? [event] : []));
  return ends.map(({ what, atMs }) => {
    const after = Map.groupBy(
      calls.filter(({ invokedMs }) => invokedMs >= atMs),
      ({ request }) => request.kind,
    );
    const first = [...after].map(([kind, of]) => [
      kind,
      Math.round(Math.min(...of.map((one) => one.returnedMs)) - atMs),
    ]);
    return { fault: what, firstOkMs: Object.fromEntries(first) };
  });
}
