/**
 * What an operator sees of a running site, as the server function `operations-state` returns it: figures, codes and
 * times, no address and no secret. Times are epoch milliseconds; those of jobs, news feeds, events and errors use the
 * database's clock, all others the product's.
 */
import * as z from 'zod/mini';
import { chatConfigSchema } from '../chat/chat-config.ts';
import { WORK_CLASSES } from '../errors/shed.ts';

const time = z.nullable(z.number());
const text = z.nullable(z.string());

/** A count with an upper bound: `isMore` when there are more. */
const counted = z.object({ count: z.number(), isMore: z.boolean() });

/** The process that answered. */
const processSchema = z.object({
  version: z.string(),
  node: z.string(),
  startedAtMs: z.number(),
  rssMb: z.number(),
  heapUsedMb: z.number(),
  /** Timer delay within the last minute or two, milliseconds. */
  eventLoop: z.object({ medianMs: z.number(), p99Ms: z.number(), maxMs: z.number() }),
});

/** What this process refuses because it is overloaded. Counts are since its start. */
const overloadSchema = z.object({
  /** True while requests are queued or were refused within the last seconds. */
  isShedding: z.boolean(),
  /** Shortest time between two updates of an order book, milliseconds; 0: as often as it changes. */
  bookEveryMs: z.number(),
  /** Share of the last quarter of a second in which the event loop worked, 0 to 1. */
  utilization: z.number(),
  classes: z.array(
    z.object({
      name: z.enum(WORK_CLASSES),
      waiting: z.number(),
      /** How long the oldest queued request has waited, milliseconds. */
      oldestMs: z.number(),
      admitted: z.number(),
      refused: z.number(),
      /** Requests whose client disconnected while queued. */
      left: z.number(),
    }),
  ),
});
export type OverloadFacts = z.infer<typeof overloadSchema>;

/** This process's connection to the other processes. */
const busSchema = z.object({
  /** `in-process`: it is alone, or works as if it were. */
  kind: z.enum(['in-process', 'nats']),
  isConnected: z.boolean(),
  lostSinceMs: time,
  /** Messages since the start that the broker did not accept. */
  dropped: z.number(),
  /** True when it reads the market for all; null when each process reads for itself. */
  isLeading: z.nullable(z.boolean()),
});

const databaseSchema = z.object({
  kind: z.enum(['pglite', 'postgres']),
  /** Time of one trivial query, including the wait for a connection, milliseconds. */
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
  /** Consecutive failures. */
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
  /** Storage of live candles; null in a sandbox market. */
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
  /** True when the process that answered runs this job; false when its settings name no such job. */
  isOurs: z.boolean(),
  isRunning: z.boolean(),
  leaseEndsAtMs: time,
  nextDueAtMs: z.number(),
  lastOkAtMs: time,
  runs: z.number(),
  /** Consecutive failures. */
  failures: z.number(),
  lastError: text,
});
export type OperationsJob = z.infer<typeof jobSchema>;

const modelSchema = z.object({
  name: z.string(),
  state: z.enum(['ready', 'not-trained', 'disabled']),
  version: text,
  reason: text,
  /** Counts of this process since its start. */
  forecasts: z.number(),
  failures: z.number(),
  /** Duration of the last one including waiting, milliseconds; null before the first. */
  lastMs: z.nullable(z.number()),
});

/** Events of the payment provider that were received but not fully processed. */
const webhooksSchema = z.object({
  open: counted,
  oldestAtMs: time,
  mostAttempts: z.number(),
  errors: z.array(z.object({ code: z.string(), count: z.number() })),
});

export const alarmSchema = z.object({
  id: z.string(),
  kind: z.string(),
  /** The provider's id of the affected object. */
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
  alarms: z.array(alarmSchema),
});

const mailSchema = z.object({
  /** False when no mail server is set: queued emails wait. */
  isSending: z.boolean(),
  waiting: counted,
  oldestAtMs: time,
  /** Of those queued within 24 hours. */
  sent: z.number(),
  failed: z.number(),
  errors: z.array(z.object({ kind: z.string(), error: z.string(), count: z.number() })),
});

const pushSchema = z.object({
  /** `off`: nothing is sent, and queued notifications are dropped. */
  kind: z.enum(['live', 'sandbox', 'off']),
  devices: counted,
  waiting: counted,
  oldestAtMs: time,
  /** Of those queued within 24 hours. */
  sent: z.number(),
  failed: z.number(),
  /** Error codes of push services, and our own. */
  errors: z.array(z.object({ error: z.string(), count: z.number() })),
});

/** Signed requests to users' own addresses. */
const deliveriesSchema = z.object({
  endpoints: counted,
  paused: counted,
  /** Of active endpoints whose last try failed. */
  failing: counted,
  /** For active endpoints. */
  waiting: counted,
  /** When the longest overdue one should have been sent; null: none is overdue. A delivery that waits for its retry isn't. */
  dueSinceMs: time,
  /** Of those queued within 24 hours. */
  sent: z.number(),
  /** Why the others wait: our codes, for instance `timeout`. */
  errors: z.array(z.object({ error: z.string(), count: z.number() })),
});

/** Messages to users' chats. */
const chatsSchema = z.object({
  /** The services that are offered. */
  kinds: chatConfigSchema.shape.chat,
  linked: counted,
  /** By their service, not by their owners. */
  paused: counted,
  waiting: counted,
  /** When the longest overdue one should have been sent; null: none is overdue. */
  dueSinceMs: time,
  /** Of those queued within 24 hours. */
  sent: z.number(),
  failed: z.number(),
  /** Statuses of the services, and our own codes. */
  errors: z.array(z.object({ error: z.string(), count: z.number() })),
});

/** The public record of house forecasts in the last 24 hours. */
const recordSchema = z.object({
  /** False: this server is set to issue none. */
  isIssuing: z.boolean(),
  issued: z.number(),
  known: z.number(),
  void: z.number(),
  /** Due while a server ran, but not in the record. */
  missed: z.number(),
  newestAtMs: time,
  /** First second of the newest sealed hour, and the newest signed day. */
  sealedHourS: time,
  signedDay: text,
});

/** False: this server is set to make none. */
const backupsSchema = z.object({ isEnabled: z.boolean() });

const errorsSchema = z.object({ lastHour: counted });

export const attentionSchema = z.object({
  level: z.enum(['urgent', 'warning', 'note']),
  /** Names its paragraph in docs/operating/at-night.md. */
  kind: z.string(),
  text: z.string(),
});
export type Attention = z.infer<typeof attentionSchema>;

/** All facts, without the problems derived from them. */
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
  deliveries: deliveriesSchema,
  chats: chatsSchema,
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
