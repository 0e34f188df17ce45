/**
 * Alerts users a few minutes before a scheduled release that falls within a running forecast of theirs: once for each
 * release, user and market. At the moment of the release an alert is worth nothing, so none is sent from then on.
 */

import { modelOfBackendName } from '#domain/forecast/models.ts';
import { releaseName } from '#domain/forecast/releases/release-names.ts';
import type { ReleaseTable } from '#domain/forecast/releases/release-table.ts';
import { isCounted } from '#domain/forecast/releases/widening.ts';
import type { Release } from '#domain/market/calendar/release.ts';
import { MINUTE_S } from '#domain/market/candle.ts';
import type { MarketKind, MarketSymbol } from '#domain/market/symbols.ts';
import type { Clock } from '#domain/time/clock.ts';
import type { Core } from '../core.ts';
import type { ReleaseCalendar } from '../market/calendar/release-calendar.ts';
import { ONLY_SPECIFIED, type SymbolLookup } from '../market/catalogue/symbol-lookup.ts';
import { asOwner } from '../platform/database/database.ts';
import { type ReleaseForecast, releaseForecasts } from './release-forecasts-store.ts';
import type { NewAlert } from './send-alerts.ts';
import { timeframeFact } from './watch-bands.ts';

export interface WatchReleasesDeps extends Pick<Core, 'database' | 'log'> {
  marketClock: Clock;
  /** Absent: there is no calendar, and rules about releases raise nothing. */
  releases?: { calendar: Pick<ReleaseCalendar, 'between'>; table: ReleaseTable } | undefined;
  /** Absent: only the ten symbols of the picker. */
  symbols?: Pick<SymbolLookup, 'savedSymbol'> | undefined;
  kindOf(symbol: MarketSymbol): MarketKind;
}

/** By moment, the minute of the market in which this process last looked for forecasts. */
export type CheckedReleases = Map<number, number>;

/** Time to look at a chart, and short enough that the release is the next thing that happens. */
const LEAD_S = 5 * MINUTE_S;
/** Users and markets per statement. */
const BATCH = 1000;

/** Runs one round: one query a minute while a release is near, none otherwise. @param send  receives the alerts batch by batch */
export async function watchReleases(
  deps: WatchReleasesDeps,
  checked: CheckedReleases,
  send: (alerts: readonly NewAlert[]) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  const { releases, marketClock } = deps;
  if (releases === undefined) return;
  const nowS = Math.floor(marketClock.nowMs() / 1000);
  const minute = Math.floor(nowS / MINUTE_S);
  const near = await releases.calendar.between(nowS + 1, nowS + LEAD_S + 1, signal);
  signal.throwIfAborted();
  for (const atS of checked.keys()) if (atS <= nowS) checked.delete(atS);
  for (const release of near.releases) {
    // What widens any market widens coins.
    if (!isCounted(releases.table, release.kind, 'crypto') || checked.get(release.timeS) === minute) continue;
    if (await watchRelease(deps, releases.table, release, send, signal)) checked.set(release.timeS, minute);
  }
}

/** @returns false if a market could not be looked up: the next round tries again */
async function watchRelease(
  { database, marketClock, symbols = ONLY_SPECIFIED, kindOf, log }: WatchReleasesDeps,
  table: ReleaseTable,
  release: Release,
  send: (alerts: readonly NewAlert[]) => Promise<void>,
  signal: AbortSignal,
): Promise<boolean> {
  const moment = new Date(release.timeS * 1000).toISOString();
  const isWidened = new Map<string, boolean | null>();

  /** Null: unknown. */
  async function isMarketWidened({ sym, marketKind }: ReleaseForecast): Promise<boolean | null> {
    try {
      const symbol = await symbols.savedSymbol(sym, signal);
      if (symbol === null) return false;
      return kindOf(symbol) === marketKind && isCounted(table, release.kind, symbol.assetClass);
    } catch (error) {
      signal.throwIfAborted();
      log.error({ err: error, sym }, 'the releases of a market could not be checked');
      return null;
    }
  }

  let after: ReleaseForecast | null = null;
  for (let count = BATCH; count === BATCH; ) {
    signal.throwIfAborted();
    const query = { release, moment, after, limit: BATCH };
    const rows: ReleaseForecast[] = await releaseForecasts(asOwner(database), query);
    count = rows.length;
    after = rows.at(-1) ?? null;
    for (const row of rows) {
      const key = `${row.marketKind} ${row.sym}`;
      if (!isWidened.has(key)) isWidened.set(key, await isMarketWidened(row));
    }
    const ttlS = Math.ceil(release.timeS - marketClock.nowMs() / 1000);
    if (ttlS <= 0) return true;
    const concerned = rows.filter(({ marketKind, sym }) => isWidened.get(`${marketKind} ${sym}`) === true);
    await send(concerned.flatMap((row) => alertOf(row, release, moment, ttlS) ?? []));
  }
  return ![...isWidened.values()].includes(null);
}

function alertOf(row: ReleaseForecast, release: Release, moment: string, ttlS: number): NewAlert | null {
  const { userId, sym, marketKind, predictionId, timeframe, joinS, releases, isAware, others, unaware } = row;
  const model = modelOfBackendName(row.model)?.name;
  if (model === undefined) return null;
  return {
    userId,
    subject: `${sym} ${moment}`,
    ttlS,
    facts: {
      kind: 'release-due',
      sym,
      marketKind,
      predictionId,
      model,
      ...timeframeFact(timeframe),
      joinS,
      release: releaseName(release.kind, release.title),
      releasedS: release.timeS,
      factor: isAware ? (releases?.factor ?? null) : null,
      known: releases?.list.length ?? 0,
      others,
      unaware,
    },
  };
}
