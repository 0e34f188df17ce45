/** New alerts are found every 15 seconds, in one server process at a time. docs/decisions/038-alerts.md */
import type { MarketKind, MarketSymbol } from '#domain/market/symbols.ts';
import type { Core } from '../core.ts';
import type { CandlePast } from '../market/candles/past-candles.ts';
import type { SymbolLookup } from '../market/catalogue/symbol-lookup.ts';
import { asOwner } from '../platform/database/database.ts';
import type { ServerFunction } from '../platform/http/calls/server-function.ts';
import type { MailBrand } from '../platform/mail/mail-layout.ts';
import { jobStore } from '../platform/processes/job-store.ts';
import { startJob } from '../platform/processes/schedule.ts';
import { alertFunctions } from './alert-functions.ts';
import { type Clocks, timeNow } from './alert-time.ts';
import { removeOldAlerts } from './old-alerts.ts';
import { type NewAlert, type SendDeps, sendAlerts } from './send-alerts.ts';
import { type SeenCandles, watchBands } from './watch-bands.ts';
import { type ReachedRules, type WatchChancesDeps, watchChances } from './watch-chances.ts';
import { watchModels } from './watch-models.ts';
import { watchOpenings } from './watch-openings.ts';
import { watchOutcomes } from './watch-outcomes.ts';
import { type CheckedReleases, type WatchReleasesDeps, watchReleases } from './watch-releases.ts';

export interface AlertDeps extends Core, Clocks {
  past: CandlePast;
  /** Absent: only the ten symbols of the picker. */
  symbols?: Pick<SymbolLookup, 'savedSymbol'> | undefined;
  kindOf(symbol: MarketSymbol): MarketKind;
  /** Absent: rules about chances raise nothing. */
  chances?: WatchChancesDeps['chances'];
  /** Absent: rules about releases raise nothing. */
  releases?: WatchReleasesDeps['releases'];
  /** Queues alerts for the chats that chose them. Absent: there are no chats. */
  queueChats?: SendDeps['queueChats'];
  brand: MailBrand;
  /** The site's origin, read when an alert is sent. */
  siteUrl(): string;
  /** False: there is no mail transport. */
  sendsMails: boolean;
}

export interface Alerts {
  functions: readonly ServerFunction[];
  /** Aborts a running round and waits for its end. */
  close(): Promise<void>;
}

const PERIOD_MS = 15_000;

export function openAlerts(deps: AlertDeps): Alerts {
  const { database, log } = deps;
  const round = alertRounds(deps);
  const job = startJob({
    name: 'alerts',
    periodMs: PERIOD_MS,
    store: jobStore(database),
    log,
    async run(signal) {
      const sent = await round(signal);
      if (sent > 0) log.info({ told: sent }, 'alerts were sent');
      return undefined;
    },
  });
  return { functions: alertFunctions(deps), close: () => job.close() };
}

/** Runs one round for each call. @returns the number of new alerts */
export function alertRounds(deps: AlertDeps): (signal: AbortSignal) => Promise<number> {
  const seen: SeenCandles = new Map();
  const reached: ReachedRules = new Set();
  const checked: CheckedReleases = new Map();
  return async (signal) => {
    const time = timeNow(deps);
    let sent = 0;
    const send = async (alerts: readonly NewAlert[]): Promise<void> => {
      signal.throwIfAborted();
      sent += await sendAlerts(sendDeps(deps), alerts, time.nowMs);
    };
    // First: what comes after a release is worth nothing.
    await watchReleases(deps, checked, send, signal);
    await watchBands(deps, seen, time, send, signal);
    await watchOutcomes(deps.database, time, send, signal);
    await watchModels(deps, time, send, signal);
    await watchOpenings(deps, time, send, signal);
    await watchChances(deps, reached, time, send, signal);
    await removeOldAlerts(asOwner(deps.database), time.nowMs);
    return sent;
  };
}

function sendDeps({ database, brand, siteUrl, sendsMails, queueChats }: AlertDeps): SendDeps {
  return { database, mail: { brand, siteUrl: siteUrl() }, sendsMails, queueChats };
}
