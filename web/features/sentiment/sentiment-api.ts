/** Votes through database procedures, and Bitcoin's hourly price from our own origin. */
import {
  type OwnVote,
  parseOwnVote,
  parseVoteDays,
  parseVoteStats,
  VOTE_BUCKET,
  VOTE_CURRENCY,
  VOTE_MESSAGES,
  VOTE_WINDOW,
  type VoteDay,
  type VoteDirection,
  type VoteRefusal,
  type VoteStats,
  voteHistoryFrom,
} from '#domain/community/vote.ts';
import { parseCoinbaseCandles } from '#domain/market/codecs/coinbase-candles.ts';
import { MARKET_KINDS, type MarketKind } from '#domain/market/symbols.ts';
import { fetchJson } from '../../platform/calls/fetch-json.ts';
import { inTime } from '../../platform/calls/time-limit.ts';
import { publicConfig } from '../../platform/config.ts';
import { tables } from '../../platform/supabase.ts';

const HOUR_S = 3600;
const PRICE_DAYS = 4;
const p_currency = VOTE_CURRENCY;

export class VoteRefused extends Error {
  override readonly name = 'VoteRefused';
  readonly refusal: VoteRefusal;
  /** The server treats the sender as a visitor. */
  readonly isSignedOut: boolean;

  constructor(refusal: VoteRefusal, status: number) {
    super(refusal.message);
    this.refusal = refusal;
    this.isSignedOut = status === 401;
  }
}

/** Votes of the last 24 hours. @throws Error 'Failed to load vote stats' */
export function fetchVoteStats(signal: AbortSignal): Promise<VoteStats> {
  const args = { p_currency, p_window: VOTE_WINDOW };
  return read('get_vote_stats', args, parseVoteStats, VOTE_MESSAGES.stats, signal);
}

/** Five UTC days, oldest first, the last one unfinished. @throws Error 'Failed to load vote history' */
export function fetchVoteDays(signal: AbortSignal): Promise<VoteDay[]> {
  const args = { p_currency, p_from: voteHistoryFrom(Date.now()).toISOString(), p_bucket: VOTE_BUCKET };
  return read('get_vote_timeseries', args, parseVoteDays, VOTE_MESSAGES.history, signal);
}

/** Null if the user has not voted yet. @throws Error */
export function fetchOwnVote(signal: AbortSignal): Promise<OwnVote | null> {
  return read('get_own_vote', { p_currency }, parseOwnVote, 'Failed to load your vote', signal);
}

async function read<T>(
  procedure: string,
  args: Record<string, string>,
  parse: (answer: unknown) => T,
  failure: string,
  signal: AbortSignal,
): Promise<T> {
  try {
    return await inTime(signal, async (limited) => {
      const client = await tables();
      const { data, error } = await client.rpc(procedure, args).abortSignal(limited);
      if (error !== null) throw error;
      return parse(data);
    });
  } catch (error) {
    signal.throwIfAborted();
    throw new Error(failure, { cause: error });
  }
}

/** @throws VoteRefused with the server's message; with an empty one if there was no answer */
export async function submitVote(p_direction: VoteDirection): Promise<OwnVote | null> {
  const never = new AbortController().signal;
  try {
    return await inTime(never, async (limited) => {
      const client = await tables();
      const args = { p_currency, p_direction, p_window: VOTE_WINDOW };
      const { data, error, status } = await client.rpc('submit_vote', args).abortSignal(limited);
      if (error === null) return parseOwnVote(data);
      // Without an answer the library's message is its own error.
      throw new VoteRefused(status === 0 ? { message: '', details: null } : error, status);
    });
  } catch (error) {
    throw error instanceof VoteRefused ? error : new VoteRefused({ message: '', details: null }, 0);
  }
}

export interface PriceHours {
  /** Closes, oldest first; the last hour is not over. */
  closes: { timeS: number; value: number }[];
  attribution: string | null;
  kind: MarketKind | null;
}

/** Hourly BTC-USD over the past four days. @throws CallError 'BTC overlay failed' */
export function fetchPriceHours(signal: AbortSignal): Promise<PriceHours> {
  const endMs = Date.now();
  const query = new URLSearchParams({
    granularity: String(HOUR_S),
    start: new Date(endMs - PRICE_DAYS * 86_400_000).toISOString(),
    end: new Date(endMs).toISOString(),
  });
  return fetchJson(`/products/BTC-USD/candles?${query}`, {
    signal,
    failure: { code: 'market', message: VOTE_MESSAGES.overlay },
    read: (body, headers) => ({
      closes: parseCoinbaseCandles(body, HOUR_S).candles.map(({ time, close }) => ({ timeS: time, value: close })),
      attribution: headers.get('x-market-attribution'),
      kind: MARKET_KINDS.find((kind) => kind === headers.get('x-market-kind')) ?? null,
    }),
  });
}

/** True if the server was seeded with demo accounts and sample votes. */
export async function areVotesSamples(): Promise<boolean> {
  return (await publicConfig()).demo;
}
