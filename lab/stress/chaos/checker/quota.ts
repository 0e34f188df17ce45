/**
 * A user's quota as one counter. A reservation costs one unit, once: the same minute's forecast of the same symbol and
 * model is the same reservation. Every read shows the limit minus the units used at one moment of the call.
 */
import type { Call } from '../history/calls.ts';
import { describeContradiction } from './describe.ts';
import { findContradiction, type Model, type Timed } from './linearise.ts';

interface QuotaState {
  /** Reservation ids by forecast and minute. */
  held: readonly (readonly [string, string])[];
  /** Forecasts of reservations that were made without an answer to their user, one entry each. */
  unanswered: readonly string[];
}

/** A stream that ended before its first event may have given its unit back, at any time afterwards. */
interface Refund extends Timed {
  refunded: string;
}
type QuotaCall = Call<'stream' | 'read-quota'> | Refund;

/** Predictions that a plan includes. */
export interface QuotaLimits {
  monthly: number;
  daily: number;
}

function quotaModel({ monthly: limit, daily }: QuotaLimits): Model<QuotaState, QuotaCall> {
  const usedOf = ({ held, unanswered }: QuotaState): number => held.length + unanswered.length;

  function streamed(state: QuotaState, call: Call<'stream'>): readonly QuotaState[] {
    const { forecast } = call.request;
    const isSpent = usedOf(state) >= limit;
    if (call.outcome === 'refused') {
      const isWrong =
        (call.note.includes('quota/monthly-spent') && !isSpent) ||
        (call.note.includes('quota/daily-spent') && usedOf(state) < daily);
      return isWrong ? [] : [state];
    }
    const { reservationId = '', t0 } = call.answer;
    if (call.outcome === 'maybe' && reservationId === '')
      return isSpent ? [state] : [state, { ...state, unanswered: [...state.unanswered, forecast].sort() }];
    const key = `${forecast} ${t0}`;
    const known = state.held.find(([held]) => held === key);
    if (known !== undefined) return known[1] === reservationId ? [state] : [];
    const held = [...state.held, [key, reservationId] as const].sort(([a], [b]) => a.localeCompare(b));
    const isNew: readonly QuotaState[] = isSpent ? [] : [{ ...state, held }];
    const unanswered = without(state.unanswered, forecast);
    return unanswered === null ? isNew : [...isNew, { held, unanswered }];
  }

  return {
    initial: { held: [], unanswered: [] },
    step(state, call) {
      if ('refunded' in call) {
        const unanswered = without(state.unanswered, call.refunded);
        return unanswered === null ? [state] : [{ ...state, unanswered }];
      }
      if (isOf(call, 'stream')) return streamed(state, call);
      if (call.outcome !== 'ok') return [state];
      return call.answer.remaining === Math.max(0, limit - usedOf(state)) ? [state] : [];
    },
    isReading: (call) => !('refunded' in call) && (call.request.kind === 'read-quota' || call.outcome === 'refused'),
    keyOf: (state) => JSON.stringify(state),
  };
}

/**
 * @param calls  of one user, who has had one plan throughout
 * @returns what is wrong
 */
export function checkQuota(
  user: string,
  calls: readonly Call<'stream' | 'read-quota'>[],
  limits: QuotaLimits,
): string[] {
  const refunded = calls.flatMap((call): Refund[] =>
    isOf(call, 'stream') && call.outcome === 'maybe' && call.answer.reservationId === undefined
      ? [{ refunded: call.request.forecast, invokedMs: call.invokedMs, returnedMs: Number.POSITIVE_INFINITY }]
      : [],
  );
  const found = findContradiction<QuotaState, QuotaCall>([...calls, ...refunded], quotaModel(limits));
  if (found === null) return [];
  const isCall = (call: QuotaCall): call is Call<'stream' | 'read-quota'> => !('refunded' in call);
  const [fits, impossible] = [found.fits.filter(isCall), found.impossible.filter(isCall)];
  return [describeContradiction(`the quota of ${user}`, { fits, impossible })];
}

/** One unit a forecast and minute: a second reservation of the same is a second charge. */
export function checkReservations(calls: readonly Call<'stream'>[]): string[] {
  const ids = new Map<string, string>();
  return calls.flatMap(({ user, request, answer: { reservationId, t0 } }) => {
    if (reservationId === undefined || t0 === undefined) return [];
    const key = `${user} ${request.forecast} ${t0}`;
    const known = ids.get(key) ?? reservationId;
    ids.set(key, known);
    return known === reservationId ? [] : [`${key} was reserved twice: ${known} and ${reservationId}`];
  });
}

function isOf<Kind extends 'stream' | 'read-quota'>(call: QuotaCall, kind: Kind): call is Call<Kind> {
  return 'request' in call && call.request.kind === kind;
}

/** Without one of these entries; null if there is none. */
function without(entries: readonly string[], entry: string): readonly string[] | null {
  const at = entries.indexOf(entry);
  return at === -1 ? null : entries.toSpliced(at, 1);
}
