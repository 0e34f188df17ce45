/** Saved predictions are made by the real model on the market in use. Idempotent: existing data is left unchanged. */
import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { MODELS } from '#domain/forecast/models.ts';
import { HISTORY_BARS, joinPrediction, LOOKBACK_BARS } from '#domain/forecast/window.ts';
import { MINUTE_S } from '#domain/market/candle.ts';
import { SYMBOLS } from '#domain/market/symbols.ts';
import { DEFAULT_TIMEFRAME } from '#domain/market/timeframes.ts';
import type { Clock } from '#domain/time/clock.ts';
import { confirmEmail } from '../../server/backend/auth/mail/address-proof.ts';
import { openPasswords, type Passwords } from '../../server/backend/auth/passwords/passwords.ts';
import { findUserByEmail, insertUserUnlessTaken } from '../../server/backend/auth/user-store.ts';
import type { CommunitySource } from '../../server/community/community-source.ts';
import { seedNews } from '../../server/community/news.ts';
import { type Inference, openInference } from '../../server/forecast/inference/inference-client.ts';
import { type ModelRegistry, openModelRegistry } from '../../server/forecast/models/model-registry.ts';
import type { FailoverHistory } from '../../server/market/candles/failover-history.ts';
import { openMarketCandles } from '../../server/market/candles/market-candles.ts';
import { candlePast } from '../../server/market/candles/past-candles.ts';
import type { MarketSource } from '../../server/market/market-source.ts';
import type { MarketConfig } from '../../server/platform/config/config-market.ts';
import { asOwner, type Database } from '../../server/platform/database/database.ts';
import type { Logger } from '../../server/platform/telemetry/log.ts';
import { outcomeStore } from '../../server/record/outcome-store.ts';
import { resolveOutcomes } from '../../server/record/outcomes.ts';
import { DEMO_ACCOUNTS, DEMO_PASSWORD, type DemoAccount } from './accounts.ts';
import { countPredictions, insertPrediction, setRole } from './demo-store.ts';
import { seedPosts } from './posts.ts';
import { seedVotes } from './votes.ts';

export interface SeedDeps {
  database: Database;
  clock: Clock;
  log: Logger;
  market: MarketSource;
  community: CommunitySource;
  settings: Pick<MarketConfig, 'venueOrder'>;
}

/**
 * Age in minutes and symbol of each saved demo forecast. The newest one's outcome is not known yet, so the chart of its
 * symbol shows it; that of Bitcoin, the first symbol, starts with the market.
 */
const SAVED = [
  { sym: 'ETHUSDT.P', minutesAgo: 20 },
  { sym: 'BTCUSDT.P', minutesAgo: 75 },
  { sym: 'BTCUSDT.P', minutesAgo: 140 },
  { sym: 'SOLUSDT.P', minutesAgo: 205 },
  { sym: 'DOGEUSDT.P', minutesAgo: 270 },
  { sym: 'BTCUSDT.P', minutesAgo: 335 },
] as const;
const FORECAST_TIMEOUT_MS = 10_000;
const MODELS_DIR = fileURLToPath(new URL('../../models/', import.meta.url));

export async function seedDemo(deps: SeedDeps): Promise<void> {
  const userIds: string[] = [];
  const passwords = openPasswords({ log: deps.log });
  const saving = predictionSaver(deps);
  try {
    for (const account of DEMO_ACCOUNTS) {
      const userId = await ensureUser(deps, passwords, account);
      userIds.push(userId);
      if (account.isVerified) await confirmEmail(asOwner(deps.database), userId, nowIso(deps.clock));
      await setRole(deps.database, userId, account.fullName, account.role);
      if (account.plan === 'free') continue;
      if ((await countPredictions(deps.database, userId)) === 0) await saving.save(userId, account.plan);
    }
  } finally {
    await passwords.close();
    await saving.close();
  }
  const { community: source, database, clock, log } = deps;
  await seedPosts({ database, clock }, userIds);
  await seedVotes(database);
  // The accounts work without news, and the server retries.
  await seedNews({ source, database, clock, log }).catch((error: unknown) => log.warn({ err: error }, 'no demo news'));
}

async function ensureUser(deps: SeedDeps, passwords: Passwords, account: DemoAccount): Promise<string> {
  const queries = asOwner(deps.database);
  const existing = await findUserByEmail(queries, account.email, nowIso(deps.clock));
  if (existing) return existing.user.id;
  const id = randomUUID();
  const passwordHash = await passwords.hash(DEMO_PASSWORD, { address: 'demo' });
  const metadata = { full_name: account.fullName };
  await insertUserUnlessTaken(
    queries,
    { id, email: account.email, metadata, passwordHash, isWanted: true },
    nowIso(deps.clock),
  );
  return id;
}

function nowIso(clock: Clock): string {
  return new Date(clock.nowMs()).toISOString();
}

interface PredictionSaver {
  save(userId: string, model: 'bobcat' | 'lion'): Promise<void>;
  close(): Promise<void>;
}

/** The accounts share the models and the candles, which are opened for the first account without predictions. */
function predictionSaver(deps: SeedDeps): PredictionSaver {
  const { market, clock, log } = deps;
  let parts: SavingParts | null = null;

  function open(): SavingParts {
    const inference = openInference({ log, timeoutMs: FORECAST_TIMEOUT_MS });
    return {
      history: openMarketCandles({ source: market, settings: deps.settings, clock, log, store: null }),
      inference,
      registry: openModelRegistry(MODELS_DIR, inference),
    };
  }

  return {
    save(userId, model) {
      parts ??= open();
      return savePredictions(deps, parts, { userId, model });
    },
    async close() {
      await parts?.history.close();
      await parts?.inference.close();
    },
  };
}

interface SavingParts {
  history: FailoverHistory;
  inference: Inference;
  registry: Promise<ModelRegistry>;
}

/** Forecasts as they would have been made then: the model sees only candles that had closed. */
async function savePredictions(
  deps: SeedDeps,
  { history, registry }: SavingParts,
  { userId, model }: { userId: string; model: 'bobcat' | 'lion' },
): Promise<void> {
  const { market, clock, log } = deps;
  const outcomes = outcomeStore(deps.database);
  try {
    const ready = (await registry).ready(model);
    for (const { sym, minutesAgo } of SAVED) {
      const symbol = SYMBOLS.find((s) => s.sym === sym);
      if (!symbol) continue;
      try {
        const count = LOOKBACK_BARS + minutesAgo;
        const { candles } = await history.latest(symbol, count, AbortSignal.timeout(10_000));
        const seen = candles.slice(0, LOOKBACK_BARS);
        const forecast = await ready.forecast(symbol, seen);
        const predictionId = await insertPrediction(deps.database, {
          userId,
          label: symbol.label,
          model: MODELS[model].backendName,
          candles: joinPrediction(seen.slice(-HISTORY_BARS), forecast.path),
          band: forecast.band,
          createdAtMs: clock.nowMs() - minutesAgo * MINUTE_S * 1000,
        });
        const joinS = seen.at(-1)?.time ?? 0;
        await outcomes.await({
          predictionId,
          marketKind: market.kindOf(symbol),
          sym,
          timeframe: DEFAULT_TIMEFRAME,
          joinS,
        });
      } catch (error) {
        // The start must not fail for missing demo pictures; the accounts work without them.
        log.warn({ err: error, sym }, 'no demo prediction for this symbol');
      }
    }
    const past = candlePast({ history, store: null });
    const clocks = [clock, ...(market.clock === undefined ? [] : [market.clock])];
    await resolveOutcomes(outcomes, { past, clocks, log }, AbortSignal.timeout(10_000));
  } catch (error) {
    log.warn({ err: error }, 'no demo predictions: the model is not ready');
  }
}
