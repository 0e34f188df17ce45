/** Each kind has its paragraph in docs/operating/at-night.md. */
import { counted } from '../format/count.ts';
import { isAtRest } from './job-rest.ts';
import type { Attention, MarketFeed, OperationsFacts } from './operations-state.ts';

/** Shared by all rules: what a person would call late. */
export const THRESHOLDS = {
  databaseSlowMs: 250,
  busLostMs: 10_000,
  eventLoopSlowMs: 250,
  memoryMb: 1800,
  candlesOldS: 180,
  feedFailures: 3,
  newsFailures: 5,
  jobFailures: 3,
  jobLateMs: 5 * 60_000,
  budgetShare: 0.9,
  webhookOldMs: 10 * 60_000,
  webhookStuckMs: 60 * 60_000,
  mailOldMs: 15 * 60_000,
  deliveryLateMs: 5 * 60_000,
  errorsAnHour: 100,
} as const;

type Rule = (facts: OperationsFacts) => Attention[];

const LEVELS = ['urgent', 'warning', 'note'] as const;

export function attentionOf(facts: OperationsFacts): Attention[] {
  const all = RULES.flatMap((rule) => rule(facts));
  return all.toSorted((a, b) => LEVELS.indexOf(a.level) - LEVELS.indexOf(b.level));
}

const urgent = (kind: string, text: string): Attention => ({ level: 'urgent', kind, text });
const warning = (kind: string, text: string): Attention => ({ level: 'warning', kind, text });
const note = (kind: string, text: string): Attention => ({ level: 'note', kind, text });

const modelRule: Rule = ({ models }) =>
  models.flatMap(({ name, state, reason }) =>
    state === 'disabled'
      ? [urgent('model-disabled', `The model ${name} is disabled: ${reason ?? 'no reason given'}.`)]
      : [],
  );

const candleRule: Rule = ({ market }) =>
  market.feeds
    .filter(({ isServing }) => isServing)
    .flatMap((feed) => servingFeed(feed, preferredOf(market.feeds, feed)));

/** Markets with hours close, so a feed's age counts only together with a failure. */
function servingFeed(feed: MarketFeed, preferred: MarketFeed): Attention[] {
  const { subject, source, ageS, failures, problem } = feed;
  const name = `${subject ?? feed.feed} from ${source}`;
  const why = problem === null ? '' : ` (${problem})`;
  if (failures > 0 && (ageS === null || ageS > THRESHOLDS.candlesOldS))
    return [
      urgent(
        'candles-old',
        `Candles for ${name} are ${ageS === null ? 'missing' : `${formatDuration(ageS * 1000)} old`}${why}.`,
      ),
    ];
  if (failures >= THRESHOLDS.feedFailures)
    return [warning('feed-failing', `${name} has failed ${failures} times in a row${why}.`)];
  if (preferred === feed) return [];
  const reason = preferred.problem === null ? '' : ` (${preferred.problem})`;
  return [note('venue-changed', `Candles for ${subject} come from ${source} instead of ${preferred.source}${reason}.`)];
}

/** The feeds are in the order of their venues, so the first match is the preferred one. */
function preferredOf(feeds: readonly MarketFeed[], { feed, subject }: MarketFeed): MarketFeed {
  const [first] = feeds.filter((other) => other.feed === feed && other.subject === subject);
  if (first === undefined) throw new Error('A feed is missing from its own list.');
  return first;
}

const bookRule: Rule = ({ market: { book } }) =>
  book.staleProducts.length === 0 || book.readers === 0
    ? []
    : [warning('book-stale', `The order book for ${book.staleProducts.join(', ')} is stale (${book.source}).`)];

const storeRule: Rule = ({ market: { store } }) =>
  store === null || store.failures < THRESHOLDS.feedFailures
    ? []
    : [
        warning(
          'candles-not-stored',
          `Candles could not be stored ${store.failures} times in a row; ${store.waiting} are waiting.`,
        ),
      ];

const budgetRule: Rule = ({ budgets }) =>
  budgets.flatMap(({ feed, calls, allowance }) => {
    if (calls < allowance * THRESHOLDS.budgetShare) return [];
    return [warning('budget-low', `${feed}: ${calls} of ${allowance} calls used this month.`)];
  });

const newsRule: Rule = ({ news }) => {
  const failing = news.filter(({ failures }) => failures >= THRESHOLDS.newsFailures);
  if (failing.length === 0) return [];
  const text = `News feeds failed ${THRESHOLDS.newsFailures} or more times in a row: ${failing.map(({ host, lastError }) => `${host} (${lastError ?? 'no response'})`).join(', ')}.`;
  return [failing.length === news.length ? warning('news-failing', text) : note('news-failing', text)];
};

const jobRule: Rule = (facts) => {
  const { nowMs } = facts.database;
  return facts.jobs
    .filter((job) => !isAtRest(job, facts))
    .flatMap((job) => {
      const { name, failures, lastError, isRunning, nextDueAtMs, leaseEndsAtMs } = job;
      if (failures >= THRESHOLDS.jobFailures)
        return [
          warning(
            'job-failing',
            `The job ${name} has failed ${failures} times in a row (${lastError ?? 'no reason given'}).`,
          ),
        ];
      const dueMs = Math.max(nextDueAtMs, leaseEndsAtMs ?? 0);
      if (!isRunning && nowMs - dueMs > THRESHOLDS.jobLateMs)
        return [
          warning(
            'job-late',
            `The job ${name} has been due for ${formatDuration(nowMs - dueMs)}, and no process has started it.`,
          ),
        ];
      if (isRunning && leaseEndsAtMs !== null && nowMs - leaseEndsAtMs > THRESHOLDS.jobLateMs)
        return [
          warning(
            'job-late',
            `The job ${name} started but never ended: its lease expired ${formatDuration(nowMs - leaseEndsAtMs)} ago.`,
          ),
        ];
      return [];
    });
};

const webhookRule: Rule = ({ webhooks: { open, oldestAtMs, errors }, database: { nowMs } }) => {
  if (oldestAtMs === null || nowMs - oldestAtMs < THRESHOLDS.webhookOldMs) return [];
  const why = errors[0] === undefined ? '' : ` (${errors[0].code})`;
  const text = `${formatCount(open, 'payment event')} ${open.count === 1 ? 'is' : 'are'} waiting, the oldest for ${formatDuration(nowMs - oldestAtMs)}${why}.`;
  return [
    nowMs - oldestAtMs > THRESHOLDS.webhookStuckMs ? urgent('webhooks-stuck', text) : warning('webhooks-late', text),
  ];
};

const alarmRule: Rule = ({ payments: { openAlarms, alarms } }) => {
  if (openAlarms.count === 0) return [];
  const kinds = [...new Set(alarms.map(({ kind }) => kind))].join(', ');
  return [
    urgent(
      'billing-alarms',
      `${formatCount(openAlarms, 'billing alarm')} ${openAlarms.count === 1 ? 'is' : 'are'} open: ${kinds}.`,
    ),
  ];
};

const mailRule: Rule = ({ mail, takenAtMs }) => {
  const found: Attention[] = [];
  if (!mail.isSending && mail.waiting.count > 0)
    found.push(
      warning(
        'mail-off',
        `${formatCount(mail.waiting, 'email')} ${mail.waiting.count === 1 ? 'is' : 'are'} waiting, and no mail server is set.`,
      ),
    );
  else if (mail.oldestAtMs !== null && takenAtMs - mail.oldestAtMs > THRESHOLDS.mailOldMs)
    found.push(
      urgent(
        'mail-late',
        `${formatCount(mail.waiting, 'email')} ${mail.waiting.count === 1 ? 'is' : 'are'} waiting, the oldest for ${formatDuration(takenAtMs - mail.oldestAtMs)}.`,
      ),
    );
  if (mail.failed > 0)
    found.push(warning('mail-failed', `${counted(mail.failed, 'email')} failed permanently in the last 24 hours.`));
  return found;
};

/** Statuses of a push service that refuses our key. Any other failure concerns a single device. */
const KEY_REFUSED = new Set(['401', '403']);

const pushRule: Rule = ({ push: { errors } }) => {
  const refused = errors.filter(({ error }) => KEY_REFUSED.has(error)).reduce((sum, { count }) => sum + count, 0);
  if (refused === 0) return [];
  const subject = refused === 1 ? 'One notification was' : `${refused} notifications were`;
  return [warning('push-refused', `${subject} refused in the last 24 hours: push services reject this site’s key.`)];
};

/** A chat that takes no message is its owner's concern; a token that a service refuses is ours. */
const chatRule: Rule = ({ chats: { errors } }) => {
  const refused = errors.find(({ error }) => error === '401')?.count ?? 0;
  if (refused === 0) return [];
  const subject = refused === 1 ? 'One chat message is' : `${refused} chat messages are`;
  return [warning('chat-token', `${subject} waiting: a chat service refuses the token of this site’s bot.`)];
};

/** A receiver that fails is its owner's concern; a due delivery that no process sends is ours. */
const deliveryRule: Rule = ({ deliveries: { waiting, dueSinceMs }, takenAtMs }) =>
  dueSinceMs === null || takenAtMs - dueSinceMs < THRESHOLDS.deliveryLateMs
    ? []
    : [
        warning(
          'deliveries-late',
          `${formatCount(waiting, 'webhook request')} ${waiting.count === 1 ? 'is' : 'are'} waiting, the longest overdue by ${formatDuration(takenAtMs - dueSinceMs)}.`,
        ),
      ];

const processRule: Rule = ({ process, database }) => {
  const found: Attention[] = [];
  if (database.latencyMs > THRESHOLDS.databaseSlowMs)
    found.push(
      warning('database-slow', `The database took ${Math.round(database.latencyMs)} ms to answer a trivial query.`),
    );
  if (process.eventLoop.p99Ms > THRESHOLDS.eventLoopSlowMs)
    found.push(
      warning(
        'process-busy',
        `This process responds slowly: its timers fire up to ${Math.round(process.eventLoop.p99Ms)} ms late.`,
      ),
    );
  if (process.rssMb > THRESHOLDS.memoryMb)
    found.push(warning('memory-high', `This process uses ${Math.round(process.rssMb)} MB of memory.`));
  return found;
};

const overloadRule: Rule = ({ overload: { isShedding, bookEveryMs } }) => {
  if (isShedding) return [warning('overloaded', 'This process is overloaded and is refusing some requests.')];
  if (bookEveryMs === 0) return [];
  return [
    note(
      'near-capacity',
      `This process is near its capacity: order books are updated at most every ${bookEveryMs} ms.`,
    ),
  ];
};

const busRule: Rule = ({ bus, takenAtMs }) => {
  if (bus.isConnected || bus.lostSinceMs === null) return [];
  const lostMs = takenAtMs - bus.lostSinceMs;
  if (lostMs < THRESHOLDS.busLostMs) return [];
  return [
    warning(
      'bus-lost',
      `This process can’t reach the others: it lost its connection to the broker ${formatDuration(lostMs)} ago.`,
    ),
  ];
};

const errorRule: Rule = ({ errors: { lastHour } }) =>
  lastHour.count < THRESHOLDS.errorsAnHour
    ? []
    : [warning('errors-many', `Pages reported ${formatCount(lastHour, 'error')} in the last hour.`)];

const RULES: readonly Rule[] = [
  modelRule,
  candleRule,
  webhookRule,
  alarmRule,
  mailRule,
  pushRule,
  chatRule,
  deliveryRule,
  jobRule,
  bookRule,
  storeRule,
  processRule,
  overloadRule,
  busRule,
  errorRule,
  budgetRule,
  newsRule,
];

/** '45 s', '12 min', '3 h', '2 d': rounded down. */
export function formatDuration(durationMs: number): string {
  const seconds = Math.max(0, Math.floor(durationMs / 1000));
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min`;
  if (seconds < 2 * 86_400) return `${Math.floor(seconds / 3600)} h`;
  return `${Math.floor(seconds / 86_400)} d`;
}

/** '3 emails', '1 email', '10,000 emails or more'. */
function formatCount({ count, isMore }: { count: number; isMore: boolean }, noun: string): string {
  return counted(count, noun) + (isMore ? ' or more' : '');
}
