/**
 * What an operator sees of a running site, as the server function `operations-state` answers it: figures, codes and
 * times, nobody's address and no secret. Times are epoch milliseconds; of jobs, feeds of news, events and errors by the
 * database's clock, of everything else by the product's.
 */
import * as z from 'zod/mini';
import { WORK_CLASSES } from '../errors/shed.ts';

const time = z.nullable(z.number());
const text = z.nullable(z.string());

/** A count that stops at a bound: `isMore` where there are more. */
const counted = z.object({ count: z.number(), isMore: z.boolean() });

/** One of the processes: the one that answered. */
const processSchema = z.object({
  version: z.string(),
  node: z.string(),
  startedAtMs: z.number(),
  rssMb: z.number(),
  heapUsedMb: z.number(),
  /** How late timers fire within the last minute or two, milliseconds. */
  eventLoop: z.object({ medianMs: z.number(), p99Ms: z.number(), maxMs: z.number() }),
});

/** What this process refuses because it has more to do than it can. Counts are since its start. */
const overloadSchema = z.object({
  /** Requests wait for their turn, or were refused within the last seconds. */
  isShedding: z.boolean(),
  /** Least time between two updates of an order book, milliseconds; 0: as often as it changes. */
  bookEveryMs: z.number(),
  /** Share of the last quarter of a second in which the event loop worked, 0 to 1. */
  utilization: z.number(),
  classes: z.array(
    z.object({
      name: z.enum(WORK_CLASSES),
      waiting: z.number(),
      /** How long the first of them has waited, milliseconds. */
      oldestMs: z.number(),
      admitted: z.number(),
      refused: z.number(),
      /** Left before their turn came. */
      left: z.number(),
    }),
  ),
});
export type OverloadFacts = z.infer<typeof overloadSchema>;

/** How this process stands to the others beside it. */
const busSchema = z.object({
  /** `in-process`: it is alone, or works as if it were. */
  kind: z.enum(['in-process', 'nats']),
  isConnected: z.boolean(),
  lostSinceMs: time,
  /** Messages since the start that the broker did not take. */
  dropped: z.number(),
  /** It reads the market for all; null where each process reads for itself. */
  isLeading: z.nullable(z.boolean()),
});

const databaseSchema = z.object({
  kind: z.enum(['pglite', 'postgres']),
  /** Of one trivial question, waiting for a connection included, milliseconds. */
  latencyMs: z.number(),
  nowMs: z.number(),
});

export const feedSchema = z.object({
  feed: z.string(),
  source: z.string(),
  subject: text,
  isServing: z.boolean(),
  lastAtMs: time,
  ageS: z.nullable(z.number()),
  /** In a row. */
  failures: z.number(),
  heldUntilMs: time,
  malformed: z.number(),
  missing: z.number(),
  problem: text,
});
export type MarketFeed = z.infer<typeof feedSchema>;

const marketSchema = z.object({
  kind: z.string(),
  detail: z.string(),
  feeds: z.array(feedSchema),
  /** Of live candles; null in a sandbox market. */
  store: z.nullable(
    z.object({ waiting: z.number(), dropped: z.number(), malformed: z.number(), failures: z.number() }),
  ),
  book: z.object({
    source: z.string(),
    readers: z.number(),
    staleProducts: z.array(z.string()),
    /** Since the start. */
    gaps: z.number(),
    malformed: z.number(),
    refusals: z.number(),
  }),
});

/** Where news and counters come from. */
const communitySchema = z.object({ kind: z.enum(['live', 'simulated']) });

const referenceSchema = z.object({
  feed: z.string(),
  kind: z.string(),
  attribution: z.string(),
  fetchedAtMs: z.number(),
});

/** A monthly allowance of calls. */
const budgetSchema = z.object({ feed: z.string(), calls: z.number(), allowance: z.number() });

const newsFeedSchema = z.object({
  host: z.string(),
  lastOkAtMs: time,
  nextDueAtMs: z.number(),
  failures: z.number(),
  lastError: text,
});

export const jobSchema = z.object({
  name: z.string(),
  /** The process that was asked is one of those that do it; false: its settings name no such job. */
  isOurs: z.boolean(),
  isRunning: z.boolean(),
  leaseEndsAtMs: time,
  nextDueAtMs: z.number(),
  lastOkAtMs: time,
  runs: z.number(),
  /** In a row. */
  failures: z.number(),
  lastError: text,
});
export type OperationsJob = z.infer<typeof jobSchema>;

const modelSchema = z.object({
  name: z.string(),
  state: z.enum(['ready', 'not-trained', 'disabled']),
  version: text,
  reason: text,
  /** By this process, since its start. */
  forecasts: z.number(),
  failures: z.number(),
  /** Of the last one, waiting included, milliseconds; null before the first. */
  lastMs: z.nullable(z.number()),
});

/** Events of the payment provider that were received and not worked on to their end. */
const webhooksSchema = z.object({
  open: counted,
  oldestAtMs: time,
  mostAttempts: z.number(),
  errors: z.array(z.object({ code: z.string(), count: z.number() })),
});

export const alarmSchema = z.object({
  id: z.string(),
  kind: z.string(),
  /** The provider's id of what it is about. */
  subject: z.string(),
  count: z.number(),
  firstAtMs: z.number(),
  lastAtMs: z.number(),
});
export type OperationsAlarm = z.infer<typeof alarmSchema>;

const paymentsSchema = z.object({
  mode: z.enum(['none', 'sandbox', 'test', 'live']),
  customers: counted,
  openAlarms: counted,
  /** The newest of them. */
  alarms: z.array(alarmSchema),
});

const mailSchema = z.object({
  /** False: no mail server is named, and what waits stays. */
  isSending: z.boolean(),
  waiting: counted,
  oldestAtMs: time,
  /** Of those written within 24 hours. */
  sent: z.number(),
  failed: z.number(),
  errors: z.array(z.object({ kind: z.string(), error: z.string(), count: z.number() })),
});

/** Notifications to browsers. */
const pushSchema = z.object({
  /** `off`: nobody sends, and what waits is given up. */
  kind: z.enum(['live', 'sandbox', 'off']),
  devices: counted,
  waiting: counted,
  oldestAtMs: time,
  /** Of those written within 24 hours. */
  sent: z.number(),
  failed: z.number(),
  /** Codes of push services, and what we say ourselves. */
  errors: z.array(z.object({ error: z.string(), count: z.number() })),
});

/** The public record of house forecasts, of the last 24 hours. */
const recordSchema = z.object({
  /** False: this server is set to issue nothing. */
  isIssuing: z.boolean(),
  issued: z.number(),
  known: z.number(),
  void: z.number(),
  /** Due while a server ran, and not in the record. */
  missed: z.number(),
  newestAtMs: time,
  /** First second of the newest hour that is sealed, and the newest day that is signed. */
  sealedHourS: time,
  signedDay: text,
});

/** False: this server is set to make none. */
const backupsSchema = z.object({ areMade: z.boolean() });

/** What pages reported. */
const errorsSchema = z.object({ lastHour: counted });

export const attentionSchema = z.object({
  level: z.enum(['urgent', 'warning', 'note']),
  /** Names its paragraph in docs/operating.md. */
  kind: z.string(),
  text: z.string(),
});
export type Attention = z.infer<typeof attentionSchema>;

/** All but what it means. */
export const operationsFactsSchema = z.object({
  takenAtMs: z.number(),
  process: processSchema,
  overload: overloadSchema,
  bus: busSchema,
  database: databaseSchema,
  market: marketSchema,
  community: communitySchema,
  references: z.array(referenceSchema),
  budgets: z.array(budgetSchema),
  news: z.array(newsFeedSchema),
  jobs: z.array(jobSchema),
  models: z.array(modelSchema),
  webhooks: webhooksSchema,
  payments: paymentsSchema,
  mail: mailSchema,
  push: pushSchema,
  record: recordSchema,
  backups: backupsSchema,
  errors: errorsSchema,
});
export type OperationsFacts = z.infer<typeof operationsFactsSchema>;

export const operationsStateSchema = z.extend(operationsFactsSchema, {
  ok: z.literal(true),
  attention: z.array(attentionSchema),
});
export type OperationsState = z.infer<typeof operationsStateSchema>;
