/** Collects a run's history while it happens. */
import type { CallAnswer, CallRequest, HistoryEvent, Outcome, Sighting } from './history.ts';

export interface Answered {
  outcome: Outcome;
  answer?: CallAnswer;
  /** For people who read the history: the status and message of another answer than success. */
  note?: string;
}

export interface Recorder {
  readonly events: readonly HistoryEvent[];
  /** Runs a call between its two events. A call that throws has an unknown outcome, and its error is a violation. */
  call(user: string, request: CallRequest, run: () => Promise<Answered>): Promise<Answered>;
  saw(seen: Sighting): void;
  fault(what: string, phase: 'begin' | 'end'): void;
}

export function startRecorder(nowMs: () => number = () => performance.now()): Recorder {
  const events: HistoryEvent[] = [];
  const startedMs = nowMs();
  const atMs = (): number => Math.round((nowMs() - startedMs) * 1000) / 1000;
  let lastId = 0;

  function saw(seen: Sighting): void {
    events.push({ atMs: atMs(), type: 'seen', seen });
  }

  return {
    events,
    saw,
    fault: (what, phase) => void events.push({ atMs: atMs(), type: 'fault', what, phase }),
    async call(user, request, run) {
      lastId += 1;
      const id = lastId;
      events.push({ atMs: atMs(), type: 'invoke', id, user, call: request });
      const answered = await run().catch((error: unknown): Answered => {
        saw({ kind: 'violation', text: `${user}: ${request.kind} was answered with invalid data: ${String(error)}` });
        return { outcome: 'maybe', note: String(error) };
      });
      const { outcome, answer = {}, note = '' } = answered;
      events.push({ atMs: atMs(), type: 'return', id, outcome, answer, note });
      return answered;
    },
  };
}
