/** Joins each call's two events into one. */
import type { CallAnswer, CallKind, CallRequest, HistoryEvent, Outcome, Sighting } from './history.ts';

export type Call<Kind extends CallKind = CallKind> = CallOf<Extract<CallRequest, { kind: Kind }>>;

interface CallOf<Request extends CallRequest> {
  id: number;
  user: string;
  request: Request;
  invokedMs: number;
  /** Infinity without an answer, and for `maybe`: such a call may still take effect at any later time. */
  returnedMs: number;
  outcome: Outcome;
  answer: CallAnswer;
  note: string;
}

/** @returns every call in the order of its start; one without a second event is `maybe` */
export function callsOf(events: readonly HistoryEvent[]): Call[] {
  const calls = new Map<number, Call>();
  for (const event of events) {
    if (event.type === 'invoke') {
      const { id, user, call: request, atMs: invokedMs } = event;
      const open = { outcome: 'maybe' as const, returnedMs: Number.POSITIVE_INFINITY, answer: {}, note: '' };
      calls.set(id, { id, user, request, invokedMs, ...open });
    }
    if (event.type !== 'return') continue;
    const call = calls.get(event.id);
    if (call === undefined) continue;
    const { outcome, answer, note } = event;
    const returnedMs = outcome === 'maybe' ? Number.POSITIVE_INFINITY : event.atMs;
    Object.assign(call, { outcome, answer, note, returnedMs });
  }
  return [...calls.values()];
}

/** Reading changes nothing, so a reading without an answer tells nothing. */
function isInformative({ request, outcome }: Call): boolean {
  return outcome !== 'maybe' || !(request.kind.startsWith('read-') || request.kind === 'sign-in');
}

/** @returns the calls of these kinds, by user, without readings that were not answered */
export function callsByUser<Kind extends CallKind>(
  calls: readonly Call[],
  ...kinds: readonly Kind[]
): Map<string, Call<Kind>[]> {
  const wanted: ReadonlySet<string> = new Set(kinds);
  const isWanted = (call: Call): call is Call<Kind> => wanted.has(call.request.kind);
  return Map.groupBy(calls.filter(isInformative).filter(isWanted), ({ user }) => user);
}

export function sightingsOf<Kind extends Sighting['kind']>(
  events: readonly HistoryEvent[],
  kind: Kind,
): Extract<Sighting, { kind: Kind }>[] {
  const isOfKind = (seen: Sighting): seen is Extract<Sighting, { kind: Kind }> => seen.kind === kind;
  return events.flatMap((event) => (event.type === 'seen' && isOfKind(event.seen) ? [event.seen] : []));
}
