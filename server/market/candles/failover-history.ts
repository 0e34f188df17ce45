/**
 * A series has one venue, the first in order with fresh candles. When it fails or lags, the next takes over all of it;
 * the preferred one is retried in the background and returns with a complete, fresh history. A venue whose prices are of
 * another coin of the same name never takes over.
 */
import { AppError, isAppError } from '#domain/errors/app-error.ts';
import { LOOKBACK_BARS } from '#domain/forecast/window.ts';
import type { Candle } from '#domain/market/candle.ts';
import { isSameCoin, type PriceSeries } from '#domain/market/same-coin.ts';
import type { MarketKind, MarketSymbol } from '#domain/market/symbols.ts';
import { barSecondsOf, DEFAULT_TIMEFRAME, type Timeframe } from '#domain/market/timeframes.ts';
import { unlessAborted, within } from '#domain/time/deadline.ts';
import type { Logger } from '../../platform/telemetry/log.ts';
import { type FeedState, problemOf } from '../market-state.ts';
import type { CandleUpdate, ServedUpdate, Venue } from '../venues/venue.ts';
import { type CandleHistory, type HistorySlice, lastTradedBar } from './candle-history.ts';
import { missingBars } from './candle-series.ts';
import type { CandleMemory } from './candle-store.ts';
import { openCandleHistory, type VenueHistory } from './live-candle-history.ts';
import { feedSubject, maxCandlesOf } from './symbol-state.ts';

export interface FailoverOptions {
  /** The preferred one first; each serves the symbols it supports. */
  venues: readonly Venue[];
  marketKind: (symbol: MarketSymbol) => MarketKind;
  symbols: readonly MarketSymbol[];
  log: Logger;
  /** Null: nothing is stored or read back. */
  store: CandleMemory | null;
  /** Explains in a sentence for users why a symbol has no venue. */
  whyNone?: (symbol: MarketSymbol) => string;
  /** Name that readers see for every venue; absent: each venue's own. */
  /** Whether a product beside the symbols has ended, by lists that are read again. Absent: there are none. */
  confirmedEnd?: ((sym: string) => Promise<AppError | null>) | undefined;
  shownAs?: { venueId: string; attribution: string } | undefined;
  timing?: Partial<FailoverTiming> | undefined;
}

export interface FailoverTiming {
  /** After this long without an answer a venue counts as failing, and the others are queried too. */
  patienceMs: number;
  /** Wait before a preferred venue is tried again; doubles with each failed try. */
  retryMs: number;
  maxRetryMs: number;
  repairMs: number;
}

export interface FailoverHistory extends CandleHistory {
  /** Every venue and symbol requested so far; `isServing` where readers get that venue's candles. */
  state(): FeedState[];
  /** True when a configured venue trades the symbol, whether or not it answers. */
  hasVenue(symbol: MarketSymbol): boolean;
  /** Calls the listener for each live candle of the serving venue, open ones too. @returns the unsubscribe function */
  watch(listener: (update: ServedUpdate) => void): () => void;
}

const TIMING: FailoverTiming = { patienceMs: 3000, retryMs: 15_000, maxRetryMs: 300_000, repairMs: 20_000 };

type Answer = HistorySlice | AppError;

const OTHER_COIN = 'another coin by this name';

/** A product whose newest bar should have closed longer ago may have been delisted or halted. */
const LATE_S = 5;
/** Longest wait for the venues' lists. */
const END_PATIENCE_MS = 2000;

/** Of one symbol and timeframe. */
interface Route {
  symbol: MarketSymbol;
  timeframe: Timeframe;
  /** Venues of the symbol, the preferred one first, and the index of the one that serves. */
  members: readonly VenueHistory[];
  serving: number;
  /** Venues whose last answer exceeded `patienceMs`. */
  slow: Set<VenueHistory>;
  /** Venues that have another coin under this name, by their last comparison. */
  strangers: Set<VenueHistory>;
  /** Failed tries of preferred venues in a row, and when the next is allowed (monotonic milliseconds). */
  failedTries: number;
  retryAtMs: number;
  returning: Promise<void> | null;
}

export function openFailoverHistory(options: FailoverOptions): FailoverHistory {
  const { marketKind, symbols, log, store } = options;
  const timing = { ...TIMING, ...options.timing };
  const { repairMs } = timing;
  const lifetime = new AbortController();
  const listeners = new Set<(update: ServedUpdate) => void>();
  const histories = options.venues.map((venue) =>
    openCandleHistory({ venue, marketKind, symbols, log, store, repairMs, onUpdate: (update) => emit(venue, update) }),
  );
  const known = new Set(symbols.map(({ sym }) => sym));
  const routes = new Map<string, Route>();

  /** One of the symbols keeps its route; a product of the catalogue gets another one when its venues change. */
  function routeOf(symbol: MarketSymbol, timeframe: Timeframe): Route | undefined {
    const key = `${symbol.sym} ${timeframe}`;
    const route = routes.get(key);
    if (route !== undefined && known.has(symbol.sym)) return route;
    const members = histories.filter(({ venue }) => venue.supports(symbol));
    const isSame = route?.members.length === members.length && members.every((one) => route.members.includes(one));
    if (route !== undefined && isSame) return route;
    const series = { symbol, timeframe, members };
    const fresh = {
      ...series,
      serving: 0,
      slow: new Set<VenueHistory>(),
      strangers: new Set<VenueHistory>(),
      failedTries: 0,
      retryAtMs: 0,
      returning: null,
    };
    // A product that no venue trades any more keeps nothing here.
    if (members.length > 0 || known.has(symbol.sym)) routes.set(key, fresh);
    else routes.delete(key);
    return fresh;
  }

  function emit(venue: Venue, update: CandleUpdate): void {
    const route = routeOf(update.symbol, DEFAULT_TIMEFRAME);
    if (route?.members[route.serving]?.venue !== venue) return;
    const served = { ...update, venueId: venue.id };
    for (const listener of listeners) {
      try {
        listener(served);
      } catch (error) {
        // One failing listener must not end the venue's stream for the others.
        log.error({ err: error, sym: update.symbol.sym }, 'a candle listener failed');
      }
    }
  }

  const latest: CandleHistory['latest'] = async (symbol, count, signal, timeframe = DEFAULT_TIMEFRAME) => {
    const answer = best(symbol, routeOf(symbol, timeframe), count, signal);
    if (!known.has(symbol.sym)) await refuseEnded(symbol, answer, signal, timeframe);
    return { ...(await answer), ...options.shownAs };
  };

  /** @throws AppError `market/delisted`, `market/halted` for a product without its newest bar that its venues ended */
  async function refuseEnded(
    symbol: MarketSymbol,
    answer: Promise<HistorySlice>,
    signal: AbortSignal,
    timeframe: Timeframe,
  ): Promise<void> {
    const slice = await answer.catch(() => null);
    signal.throwIfAborted();
    if (slice !== null && !isLate(symbol, slice, timeframe)) return;
    const confirming = options.confirmedEnd?.(symbol.sym) ?? Promise.resolve(null);
    const end = await unlessAborted(within(confirming, END_PATIENCE_MS), signal);
    if (end !== null) throw end;
  }

  async function best(
    symbol: MarketSymbol,
    route: Route | undefined,
    count: number,
    signal: AbortSignal,
  ): Promise<HistorySlice> {
    const server = route?.members[route.serving];
    if (route === undefined || server === undefined) throw noVenue(symbol);
    tryPreferred(route);
    const own = query(route, server, count, signal);
    const early = route.members.length === 1 ? await own : await inPatience(route, server, own);
    if (early !== null && isFresh(early)) return early;
    // All are queried in parallel, so several slow venues cost no more than one; the first fresh one in order wins.
    const others = route.members.filter((member) => member !== server);
    const shown = await pricesOf(route, server);
    const answers = others.map(async (other) => ofCoin(route, other, await query(route, other, count, signal), shown));
    const inTime = answers.map((answer, i) => inPatience(route, others[i] ?? server, answer));
    // No caller may be waiting for the later ones when they fail.
    for (const answer of inTime) answer.catch(() => undefined);
    const settled: (Answer | null)[] = [early];
    for (const [i, answer] of inTime.entries()) {
      const other = await answer;
      settled.push(other);
      if (other === null || !isFresh(other)) continue;
      switchTo(route, others[i] ?? server, problemIn(early));
      return other;
    }
    return (await leastOld(settled, route, count, shown)) ?? (await anyOf([own, ...answers]));
  }

  /** Null when it takes too long; a venue that was too slow is not waited for again until it has answered. */
  async function inPatience(route: Route, member: VenueHistory, answer: Promise<Answer>): Promise<Answer | null> {
    const settled = await within(answer, route.slow.has(member) ? 0 : timing.patienceMs);
    if (settled === null) route.slow.add(member);
    return settled;
  }

  function query(route: Route, from: VenueHistory, count: number, signal: AbortSignal): Promise<Answer> {
    const answer = answerOf(route, from, count, signal);
    // This reader may have been served by another venue already; any other reader still sees the error.
    answer.catch(() => undefined);
    return answer;
  }

  async function answerOf(route: Route, from: VenueHistory, count: number, signal: AbortSignal): Promise<Answer> {
    try {
      const slice = await from.latest(route.symbol, count, signal, route.timeframe);
      route.slow.delete(from);
      return slice;
    } catch (error) {
      signal.throwIfAborted();
      if (isAppError(error)) return error;
      throw error;
    }
  }

  /** Prices of a venue, as far as they are at hand: of the route's timeframe, else of one minute; null without any. */
  async function pricesOf({ symbol, timeframe }: Route, member: VenueHistory): Promise<PriceSeries | null> {
    for (const length of new Set<Timeframe>([timeframe, DEFAULT_TIMEFRAME])) {
      const slice = await member.cached(symbol, maxCandlesOf(length), length);
      if (slice !== null) return { candles: slice.candles, barS: barSecondsOf(length) };
    }
    return null;
  }

  /** @param shown  prices that readers have had so far. @returns a refusal in place of candles of another coin */
  async function ofCoin<A extends Answer | null>(
    route: Route,
    member: VenueHistory,
    answer: A,
    shown: PriceSeries | null,
  ): Promise<A | AppError> {
    if (answer === null || isAppError(answer) || shown === null) return answer;
    const prices = (await pricesOf(route, member)) ?? { candles: answer.candles, barS: barSecondsOf(route.timeframe) };
    if (isSameCoin(shown, prices)) {
      route.strangers.delete(member);
      return answer;
    }
    if (!route.strangers.has(member)) {
      const { symbol, timeframe } = route;
      const closes = { shown: shown.candles.at(-1)?.close, refused: prices.candles.at(-1)?.close };
      log.warn(
        { sym: symbol.sym, timeframe, venue: member.venue.id, ...closes },
        'a venue has another coin by this name',
      );
    }
    route.strangers.add(member);
    return new AppError('venue/unavailable', { details: { reason: OTHER_COIN } });
  }

  /** No venue has fresh candles: returns the newest available slice, marked stale; null without any. */
  async function leastOld(
    answers: readonly (Answer | null)[],
    route: Route,
    count: number,
    shown: PriceSeries | null,
  ): Promise<HistorySlice | null> {
    const cached = await Promise.all(
      route.members.map(async (member) =>
        ofCoin(route, member, await member.cached(route.symbol, count, route.timeframe), shown),
      ),
    );
    const slices = [...answers, ...cached].flatMap((a) => (a === null || isAppError(a) || a.asOfS === null ? [] : [a]));
    return slices.sort((a, b) => (b.asOfS ?? 0) - (a.asOfS ?? 0))[0] ?? null;
  }

  function switchTo(route: Route, member: VenueHistory, reason: string): void {
    const from = route.members[route.serving]?.venue.id;
    const to = route.members.indexOf(member);
    if (to < 0 || to === route.serving) return;
    const isReturn = to < route.serving;
    route.serving = to;
    if (!isReturn) Object.assign(route, { failedTries: 0, retryAtMs: performance.now() + timing.retryMs });
    const { symbol, timeframe } = route;
    log.warn({ sym: symbol.sym, timeframe, from, to: member.venue.id, reason }, 'candles now come from another venue');
  }

  /** Tries in the background, once at a time and never before `retryAtMs`: no reader waits for it. */
  function tryPreferred(route: Route): void {
    if (route.serving === 0 || route.returning !== null || performance.now() < route.retryAtMs) return;
    route.returning = returnTo(route)
      .catch((error: unknown) =>
        log.debug({ err: error, sym: route.symbol.sym }, 'the preferred venue is still unavailable'),
      )
      .finally(() => {
        const pauseMs = Math.min(timing.maxRetryMs, timing.retryMs * 2 ** Math.min(10, route.failedTries));
        Object.assign(route, { returning: null, retryAtMs: performance.now() + pauseMs });
        route.failedTries += 1;
      });
  }

  async function returnTo(route: Route): Promise<void> {
    const server = route.members[route.serving];
    if (server === undefined) return;
    const serving = await server.cached(route.symbol, LOOKBACK_BARS, route.timeframe);
    const shown = await pricesOf(route, server);
    for (const member of route.members.slice(0, route.serving)) {
      const answer = await ofCoin(route, member, await query(route, member, LOOKBACK_BARS, lifetime.signal), shown);
      if (!isFresh(answer) || !isAsGoodAs(answer, serving, route)) continue;
      switchTo(route, member, 'it is back');
      return;
    }
  }

  function noVenue(symbol: MarketSymbol): AppError {
    const message = options.whyNone?.(symbol) ?? `No venue for ${symbol.label} is connected.`;
    return new AppError('venue/not-connected', { details: { sym: symbol.sym, message } });
  }

  function withRoute(feed: FeedState): FeedState {
    const route = [...routes.values()].find((r) => feedSubject(r) === feed.subject);
    const isServing = route?.members[route.serving]?.venue.id === feed.source;
    const isStranger = [...(route?.strangers ?? [])].some(({ venue }) => venue.id === feed.source);
    return { ...feed, isServing, ...(isStranger && { problem: OTHER_COIN }) };
  }

  return {
    latest,
    hasVenue: (symbol) => (routeOf(symbol, DEFAULT_TIMEFRAME)?.members.length ?? 0) > 0,
    state: () => histories.flatMap((h) => h.state()).map(withRoute),
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

function isLate(symbol: MarketSymbol, slice: HistorySlice, timeframe: Timeframe): boolean {
  const closedS = slice.nowMs / 1000 - LATE_S - barSecondsOf(timeframe);
  return (slice.asOfS ?? 0) < lastTradedBar(symbol, slice.marketKind, closedS, timeframe);
}

function isFresh(answer: Answer): answer is HistorySlice {
  return !isAppError(answer) && !answer.isStale;
}

function problemIn(answer: Answer | null): string {
  if (answer === null) return 'no answer in time';
  return isAppError(answer) ? problemOf(answer) : 'its candles are old';
}

/** As long as what readers have now, with no more gaps, and ending no earlier after each venue's delay. */
function isAsGoodAs(candidate: HistorySlice, serving: HistorySlice | null, { symbol, timeframe }: Route): boolean {
  if (serving === null) return true;
  // A minute without trade is normal at exchanges with hours, and differs from venue to venue.
  const gaps = ({ candles }: HistorySlice): number => (symbol.hours === 'always' ? gapsIn(candles, timeframe) : 0);
  const endS = ({ asOfS, delayS }: HistorySlice): number => (asOfS ?? 0) + delayS;
  const isAsLong = candidate.candles.length >= serving.candles.length;
  return isAsLong && gaps(candidate) <= gaps(serving) && endS(candidate) >= endS(serving);
}

function gapsIn(candles: readonly Candle[], timeframe: Timeframe): number {
  const timesS = candles.map((candle) => candle.time);
  return missingBars('always', timesS, barSecondsOf(timeframe)).length;
}

/** With nothing to show, waits for every answer. @throws AppError the first venue's reason */
async function anyOf(answers: readonly Promise<Answer>[]): Promise<HistorySlice> {
  const all = await Promise.all(answers);
  const slice = all.find((answer) => !isAppError(answer) && answer.asOfS !== null);
  if (slice !== undefined && !isAppError(slice)) return slice;
  throw all.find(isAppError) ?? new AppError('venue/unavailable', { details: { reason: 'no candles' } });
}
