import * as z from 'zod/mini';

export type VoteDirection = 'up' | 'down';

export const VOTE_CURRENCY = 'btc';
/** How long a vote counts and how long the user waits for the next one, in the procedures' format (R-VOTE-1). */
export const VOTE_WINDOW = '24 hours';
export const VOTE_BUCKET = '24 hour';
export const VOTE_DAYS = 5;
/** Degrees to either side of upright (R-VOTE-9). */
export const VOTE_GAUGE_MAX = 90;

export const VOTE_MESSAGES = {
  stats: 'Failed to load vote stats',
  gauge: 'Failed to load gauge',
  history: 'Failed to load vote history',
  overlay: 'BTC overlay failed',
  submit: 'Could not submit your vote',
  recorded: 'Vote recorded',
} as const;

const count = z.int().check(z.gte(0));
const percent = z.nullable(z.number());
const voteStatsSchema = z.object({
  /** Both null when there are no votes; else they sum to 100. */
  up_pct: percent,
  down_pct: percent,
  up_count: count,
  down_count: count,
  total: count,
});
export type VoteStats = z.infer<typeof voteStatsSchema>;

const voteBucketSchema = z.object({ ts: z.string(), up_count: count, down_count: count });
const ownVoteSchema = z.object({ direction: z.enum(['up', 'down']), next_at: z.string() });

export interface VoteDay {
  /** Start of its 24 hours, epoch seconds. */
  fromS: number;
  up: number;
  down: number;
}

export interface OwnVote {
  direction: VoteDirection;
  nextMs: number;
}

/** @param answer  response of get_vote_stats: one row @throws ZodError */
export function parseVoteStats(answer: unknown): VoteStats {
  return z.tuple([voteStatsSchema]).parse(answer)[0];
}

/** @param answer  response of get_vote_timeseries, oldest first @throws ZodError */
export function parseVoteDays(answer: unknown): VoteDay[] {
  const rows = z.array(voteBucketSchema).parse(answer);
  return rows.map(({ ts, up_count, down_count }) => ({ fromS: Date.parse(ts) / 1000, up: up_count, down: down_count }));
}

/** @param answer  response of get_own_vote or submit_vote: a row, or none without a vote @throws ZodError */
export function parseOwnVote(answer: unknown): OwnVote | null {
  const [row] = z.array(ownVoteSchema).parse(answer);
  return row === undefined ? null : { direction: row.direction, nextMs: Date.parse(row.next_at) };
}

/** Degrees from upright, positive for up; null without votes: no needle is drawn. */
export function voteAngle({ up_count: up, down_count: down, total }: VoteStats): number | null {
  return total === 0 ? null : ((up - down) / total) * VOTE_GAUGE_MAX;
}

/** Percentage of a day's votes that were up; null without votes. */
export function upPercent({ up, down }: VoteDay): number | null {
  return up + down === 0 ? null : (100 * up) / (up + down);
}

/** First of the five days in the history, the last of which is today: midnight, UTC. */
export function voteHistoryFrom(nowMs: number): Date {
  return new Date((Math.floor(nowMs / 86_400_000) - VOTE_DAYS + 1) * 86_400_000);
}

export interface VoteRefusal {
  message: string;
  details: string | null;
}

/** When the user may vote again; null: too soon, time unknown; undefined: refused for another reason. */
export function nextVoteMs({ message, details }: VoteRefusal): number | null | undefined {
  if (!`${message} ${details}`.includes('TOO_SOON')) return undefined;
  const ms = Date.parse(details ?? '');
  return Number.isNaN(ms) ? null : ms;
}

export function describeRefusal({ message, details }: VoteRefusal): string {
  return [message, details].filter(Boolean).join(' ') || VOTE_MESSAGES.submit;
}
