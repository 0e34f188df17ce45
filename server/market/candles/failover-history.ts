/**
 * Candles of every symbol from the first venue of its order that has fresh ones. A series is always one venue's: when the
 * one that serves fails or lags, the next serves the whole of it and goes on doing so, while the preferred one is tried
 * again in the background, ever less often, and takes over once its history is whole and fresh.
 */
import { AppError, isAppError } from '#domain/errors/app-error.ts';
import { LOOKBACK_BARS } from '#domain/forecast/window.ts';
import type { Candle } from '#domain/market/candle.ts';
import type { MarketKind, MarketSymbol } from '#domain/market/symbols.ts';
import type { Logger } from '../../platform/telemetry/log.ts';
import { within } from '../../platform/within.ts';
import { type FeedState, problemOf } from '../market-state.ts';
import type { CandleUpdate, Venue } from '../venues/venue.ts';
import type { CandleHistory, HistorySlice } from './candle-history.ts';
import { missingMinutes } from './candle-series.ts';
import type { CandleMemory } from './candle-store.ts';
import { openCandleHistory, type VenueHistory } from './live-candle-history.ts';

export interface FailoverOptions {
  /** The preferred one first; each serves what it supports. */
  venues: readonly Venue[];
  marketKind: (symbol: MarketSymbol) => MarketKind;
  symbols: readonly MarketSymbol[];
  log: Logger;
  /** Null: nothing is stored or read back. */
  store: CandleMemory | null;
  /** Why a symbol without a venue has none, in a sentence for people. */
  whyNone?: (symbol: MarketSymbol) => string;
  /** How readers are told of whichever venue it is; absent: by its own name. */
  toldAs?: { venueId: string; attribution: string } | undefined;
  timing?: Partial<FailoverTiming> | undefined;
}

export interface FailoverTiming {
  /** A venue that has not answered after this long is as good as one that fails: the others are asked beside it. */
  patienceMs: number;
  /** Until a preferred venue is tried again; doubles with each vain try. */
  retryMs: number;
  maxRetryMs: number;
  repairMs: number;
}

export interface FailoverHistory extends CandleHistory {
  /** Every venue and symbol that was asked for; `isServing` where readers get that venue's candles. */
  state(): FeedState[];
  /** Some venue of the settings trades the symbol, whether it answers or not. */
  hasVenue(symbol: MarketSymbol): boolean;
  /** Told of every candle that comes live from the venue that serves its symbol, open ones too. @returns ends it */
  watch(listener: (update: CandleUpdate) => void): () => void;
}

const TIMING: FailoverTiming = { patienceMs: 3000, retryMs: 15_000, maxRetryMs: 300_000, repairMs: 20_000 };

type Answer = HistorySlice | AppError;

interface Route {
  symbol: MarketSymbol;
  /** Venues of the symbol, the preferred one first, and the index of the one that serves. */
  members: readonly VenueHistory[];
  serving: number;
  /** Those whose last answer took longer than anybody's patience. */
  slow: Set<VenueHistory>;
  /** Vain tries of preferred venues in a row, and when the next is allowed (monotonic milliseconds). */
  vainTries: number;
  retryAtMs: number;
  returning: Promise<void> | null;
}

export function openFailoverHistory(options: FailoverOptions): FailoverHistory {
  const { marketKind, symbols, log, store } = options;
  const timing = { ...TIMING, ...options.timing };
  const { repairMs } = timing;
  const lifetime = new AbortController();
  const listeners = new Set<(update: CandleUpdate) => void>();
  const histories = options.venues.map((venue) =>
    openCandleHistory({ venue, marketKind, symbols, log, store, repairMs, onUpdate: (update) => tell(venue, update) }),
  );
  const routes = new Map(symbols.map((symbol) => [symbol.sym, routeOf(symbol)]));

  function routeOf(symbol: MarketSymbol): Route {
    const members = histories.filter(({ venue }) => venue.supports(symbol));
    return { symbol, members, serving: 0, slow: new Set(), vainTries: 0, retryAtMs: 0, returning: null };
  }

  function tell(venue: Venue, update: CandleUpdate): void {
    const route = routes.get(update.symbol.sym);
    if (route?.members[route.serving]?.venue !== venue) return;
    for (const listener of listeners) {
      try {
        listener(update);
      } catch (error) {
        // Its own fault alone: the venue's stream goes on for the others.
        log.error({ err: error, sym: update.symbol.sym }, 'a listener of candles failed');
      }
    }
  }

  async function latest(symbol: MarketSymbol, count: number, signal: AbortSignal): Promise<HistorySlice> {
    return { ...(await best(symbol, count, signal)), ...options.toldAs };
  }

  async function best(symbol: MarketSymbol, count: number, signal: AbortSignal): Promise<HistorySlice> {
    const route = routes.get(symbol.sym);
    const server = route?.members[route.serving];
    if (route === undefined || server === undefined) throw noVenue(symbol);
    tryPreferred(route);
    const own = ask(route, server, count, signal);
    const early = route.members.length === 1 ? await own : await inPatience(route, server, own);
    if (early !== null && isFresh(early)) return early;
    // All at once, so that several slow ones cost no more than one; the first of the order that is fresh is taken.
    const others = route.members.filter((member) => member !== server);
    const answers = others.map((other) => ask(route, other, count, signal));
    const inTime = answers.map((answer, i) => inPatience(route, others[i] ?? server, answer));
    // Nobody may be waiting for the later ones any more when they fail.
    for (const answer of inTime) answer.catch(() => undefined);
    const settled: (Answer | null)[] = [early];
    for (const [i, answer] of inTime.entries()) {
      const other = await answer;
      settled.push(other);
      if (other === null || !isFresh(other)) continue;
      switchTo(route, others[i] ?? server, problemIn(early));
      return other;
    }
    return (await leastOld(settled, route, count)) ?? (await anyOf([own, ...answers]));
  }

  /** Null when it takes too long; whoever was too slow is not waited for again until it has answered well. */
  async function inPatience(route: Route, member: VenueHistory, answer: Promise<Answer>): Promise<Answer | null> {
    const settled = await within(answer, route.slow.has(member) ? 0 : timing.patienceMs);
    if (settled === null) route.slow.add(member);
    return settled;
  }

  function ask(route: Route, from: VenueHistory, count: number, signal: AbortSignal): Promise<Answer> {
    const answer = answerOf(route, from, count, signal);
    // Its reader may have been answered by another and be gone; whoever still waits sees the error.
    answer.catch(() => undefined);
    return answer;
  }

  async function answerOf(route: Route, from: VenueHistory, count: number, signal: AbortSignal): Promise<Answer> {
    try {
      const slice = await from.latest(route.symbol, count, signal);
      route.slow.delete(from);
      return slice;
    } catch (error) {
      signal.throwIfAborted();
      if (isAppError(error)) return error;
      throw error;
    }
  }

  /** Nobody has fresh candles: the least old of what is there, told as stale; null without any. */
  async function leastOld(answers: readonly (Answer | null)[], route: Route, count: number) {
    const held = await Promise.all(route.members.map((member) => member.held(route.symbol, count)));
    const slices = [...answers, ...held].flatMap((a) => (a === null || isAppError(a) || a.asOfS === null ? [] : [a]));
    return slices.sort((a, b) => (b.asOfS ?? 0) - (a.asOfS ?? 0))[0] ?? null;
  }

  function switchTo(route: Route, member: VenueHistory, reason: string): void {
    const from = route.members[route.serving]?.venue.id;
    const to = route.members.indexOf(member);
    if (to < 0 || to === route.serving) return;
    const isReturn = to < route.serving;
    route.serving = to;
    if (!isReturn) Object.assign(route, { vainTries: 0, retryAtMs: performance.now() + timing.retryMs });
    log.warn({ sym: route.symbol.sym, from, to: member.venue.id, reason }, 'candles come from another venue');
  }

  /** In the background, one try at a time, and none while the last vain one is fresh: no reader waits for it. */
  function tryPreferred(route: Route): void {
    if (route.serving === 0 || route.returning !== null || performance.now() < route.retryAtMs) return;
    route.returning = returnTo(route)
      // A reader of the preferred venue meets the same fault, and there it is told.
      .catch((error: unknown) => log.debug({ err: error, sym: route.symbol.sym }, 'preferred venue not back'))
      .finally(() => {
        const pauseMs = Math.min(timing.maxRetryMs, timing.retryMs * 2 ** Math.min(10, route.vainTries));
        Object.assign(route, { returning: null, retryAtMs: performance.now() + pauseMs });
        route.vainTries += 1;
      });
  }

  async function returnTo(route: Route): Promise<void> {
    const serving = await route.members[route.serving]?.held(route.symbol, LOOKBACK_BARS);
    for (const member of route.members.slice(0, route.serving)) {
      const answer = await ask(route, member, LOOKBACK_BARS, lifetime.signal);
      if (!isFresh(answer) || !isAsGoodAs(answer, serving ?? null, route.symbol)) continue;
      switchTo(route, member, 'it is back');
      return;
    }
  }

  function noVenue(symbol: MarketSymbol): AppError {
    const reason = options.whyNone?.(symbol) ?? `No venue of ${symbol.label} is connected.`;
    return new AppError('venue/not-connected', { details: { sym: symbol.sym, reason } });
  }

  function isServed({ source, subject }: FeedState): boolean {
    const route = [...routes.values()].find((r) => r.symbol.label === subject);
    return route?.members[route.serving]?.venue.id === source;
  }

  return {
    latest,
    hasVenue: (symbol) => (routes.get(symbol.sym)?.members.length ?? 0) > 0,
    state: () => histories.flatMap((h) => h.state()).map((feed) => ({ ...feed, isServing: isServed(feed) })),
    watch(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async close() {
      lifetime.abort();
      await Promise.all(histories.map((history) => history.close()));
      await Promise.all([...routes.values()].map((route) => route.returning));
    },
  };
}

function isFresh(answer: Answer): answer is HistorySlice {
  return !isAppError(answer) && !answer.isStale;
}

function problemIn(answer: Answer | null): string {
  if (answer === null) return 'no answer in time';
  return isAppError(answer) ? problemOf(answer) : 'its candles are old';
}

/** As long, as unbroken, and ending no earlier by its own delay than what readers have now. */
function isAsGoodAs(candidate: HistorySlice, serving: HistorySlice | null, symbol: MarketSymbol): boolean {
  if (serving === null) return true;
  // A minute without trade is normal at exchanges with hours, and differs from venue to venue.
  const gaps = ({ candles }: HistorySlice): number => (symbol.hours === 'always' ? gapsIn(candles) : 0);
  const endS = ({ asOfS, delayS }: HistorySlice): number => (asOfS ?? 0) + delayS;
  const isAsLong = candidate.candles.length >= serving.candles.length;
  return isAsLong && gaps(candidate) <= gaps(serving) && endS(candidate) >= endS(serving);
}

function gapsIn(candles: readonly Candle[]): number {
  const timesS = candles.map((candle) => candle.time);
  return missingMinutes('always', timesS).length;
}

/** With nothing to show every answer is waited for. @throws AppError the first venue's reason */
async function anyOf(answers: readonly Promise<Answer>[]): Promise<HistorySlice> {
  const all = await Promise.all(answers);
  const slice = all.find((answer) => !isAppError(answer) && answer.asOfS !== null);
  if (slice !== undefined && !isAppError(slice)) return slice;
  throw all.find(isAppError) ?? new AppError('venue/unavailable', { details: { reason: 'no candles' } });
}
