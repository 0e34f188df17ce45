/**
 * The history of one run: what users called and what they were answered, what was seen besides, and each fault. Stored as
 * JSON lines in the order of their times, so that a run can be judged again without being repeated.
 */
import * as z from 'zod/mini';

const direction = z.enum(['up', 'down']);
const named = <Kind extends string>(kind: Kind) => ({ kind: z.literal(kind) });

/** What a user requests. */
const callSchema = z.discriminatedUnion('kind', [
  z.object({ ...named('vote'), direction }),
  z.object({ ...named('read-vote') }),
  /** Ends when the stream's first event arrives; its candles are seen afterwards. */
  z.object({ ...named('stream'), forecast: z.string() }),
  z.object({ ...named('read-quota') }),
  z.object({ ...named('save'), reservationId: z.string() }),
  z.object({ ...named('read-saved') }),
  z.object({ ...named('pay'), plan: z.string(), amountCents: z.number() }),
  z.object({ ...named('confirm') }),
  z.object({ ...named('cancel') }),
  z.object({ ...named('resume') }),
  z.object({ ...named('read-plan') }),
  z.object({ ...named('post'), text: z.string() }),
  z.object({ ...named('delete-post'), text: z.string() }),
  z.object({ ...named('read-posts') }),
  z.object({ ...named('like'), text: z.string() }),
  z.object({ ...named('unlike'), text: z.string() }),
  z.object({ ...named('read-likes') }),
  z.object({ ...named('sign-up') }),
  z.object({ ...named('erase') }),
  z.object({ ...named('sign-in') }),
]);
export type CallRequest = z.infer<typeof callSchema>;
export type CallKind = CallRequest['kind'];

const savedRow = z.object({ id: z.string(), forecast: z.string(), t0: z.number(), digest: z.string() });
export type SavedRow = z.infer<typeof savedRow>;

/** What a successful answer contains; empty for most calls. */
const answerSchema = z.object({
  direction: z.optional(z.nullable(direction)),
  reservationId: z.optional(z.string()),
  t0: z.optional(z.number()),
  remaining: z.optional(z.number()),
  rowId: z.optional(z.string()),
  rows: z.optional(z.array(savedRow)),
  subscriptionId: z.optional(z.nullable(z.string())),
  isEnding: z.optional(z.boolean()),
  texts: z.optional(z.array(z.string())),
  userId: z.optional(z.string()),
});
export type CallAnswer = z.infer<typeof answerSchema>;

/** Facts that answer no single call. */
const sightingSchema = z.discriminatedUnion('kind', [
  /** One candle of a stream. `connection` is unique in the run: a resumed stream has another one. */
  z.object({
    ...named('candle'),
    connection: z.string(),
    reservationId: z.string(),
    nth: z.int(),
    timeS: z.number(),
    digest: z.string(),
  }),
  /** All fifty candles of a reservation, as its user saw them. */
  z.object({ ...named('forecast'), user: z.string(), reservationId: z.string(), digest: z.string() }),
  /** A live price on one socket. */
  z.object({ ...named('price'), socket: z.string(), product: z.string(), timeMs: z.number() }),
  /** A copy of one day of the public record. */
  z.object({
    ...named('record'),
    day: z.string(),
    lines: z.array(z.object({ seq: z.number(), hash: z.string(), isSealed: z.boolean() })),
  }),
  /** The public record as its own verifier judges it at the end. */
  z.object({ ...named('verified-record'), faults: z.array(z.string()) }),
  /** A second server was started on the data folder of a living one. */
  z.object({ ...named('second-start'), outcome: z.enum(['refused', 'started', 'unclear']) }),
  /** What the payment provider has for a user at the end. */
  z.object({
    ...named('ledger'),
    user: z.string(),
    customers: z.int(),
    subscriptions: z.array(z.object({ id: z.string(), status: z.string(), isEnding: z.boolean() })),
    paidCents: z.array(z.number()),
  }),
  /** Everyone's votes at the end, without those from before the run. */
  z.object({ ...named('vote-totals'), up: z.int(), down: z.int() }),
  /** Something that must never happen in any run. */
  z.object({ ...named('violation'), text: z.string() }),
]);
export type Sighting = z.infer<typeof sightingSchema>;

/** Milliseconds of a monotonic clock that starts with the run. */
const atMs = z.number();
/** `maybe`: no answer, or one that leaves open whether the call took effect. */
const outcome = z.enum(['ok', 'refused', 'maybe']);
export type Outcome = z.infer<typeof outcome>;

const eventSchema = z.discriminatedUnion('type', [
  z.object({ atMs, type: z.literal('invoke'), id: z.int(), user: z.string(), call: callSchema }),
  z.object({ atMs, type: z.literal('return'), id: z.int(), outcome, answer: answerSchema, note: z.string() }),
  z.object({ atMs, type: z.literal('seen'), seen: sightingSchema }),
  z.object({ atMs, type: z.literal('fault'), what: z.string(), phase: z.enum(['begin', 'end']) }),
]);
export type HistoryEvent = z.infer<typeof eventSchema>;

export function historyText(events: readonly HistoryEvent[]): string {
  return events.map((event) => `${JSON.stringify(event)}\n`).join('');
}

/** @throws ZodError, SyntaxError for lines that no run writes */
export function readHistory(text: string): HistoryEvent[] {
  const lines = text.split('\n').filter((line) => line !== '');
  return lines.map((line) => eventSchema.parse(JSON.parse(line)));
}
