/** Opens the computation of forecasts and the public record together, because the record uses the same forecasts. */
import { clientAddressBehind } from '../backend/client-address.ts';
import type { Core } from '../core.ts';
import type { Forecasts } from '../forecast/forecast.ts';
import { openForecasts } from '../forecast/forecast-cache.ts';
import { type MeteredRunner, meteredForecasts, meteredRunner } from '../forecast/forecast-meter.ts';
import { forecastPeers } from '../forecast/forecast-peers.ts';
import { openInference } from '../forecast/inference/inference-client.ts';
import { type ModelRegistry, openModelRegistry, servingVersion } from '../forecast/models/model-registry.ts';
import { openShadowModels } from '../forecast/models/shadow-models.ts';
import { openPathKeys } from '../forecast/paths/path-keys.ts';
import { readReleaseTable } from '../forecast/releases/release-table-file.ts';
import { releasesAsOf, releasesFrom } from '../forecast/releases/release-widening.ts';
import type { Market } from '../market/market.ts';
import type { OwnAddress } from '../own-address.ts';
import { openBandCorrections } from '../record/bands/band-corrections.ts';
import { openRecord, type PublicRecord } from '../record/open-record.ts';
import { openShare, type Share } from '../record/share/open-share.ts';
import { MODELS_DIR, type ServerOptions, type Undo } from '../server-options.ts';

export interface Forecasting {
  registry: ModelRegistry;
  /** Model statistics for operators. */
  runner: MeteredRunner;
  forecasts: Forecasts;
  record: PublicRecord;
  share: Share;
}

/** Longer than the slowest forecast of a busy machine, and shorter than a viewer is willing to wait. */
const FORECAST_TIMEOUT_MS = 2000;

export async function openForecasting(
  options: ServerOptions,
  { core, market, own }: { core: Core; market: Market; own: OwnAddress },
  undo: Undo,
): Promise<Forecasting> {
  const { config } = options;
  const { clock, log } = core;
  const { history, past, sharing } = market;
  const inference = openInference({ log, timeoutMs: FORECAST_TIMEOUT_MS });
  undo.push(() => inference.close());
  const runner = meteredRunner(inference);
  const logDisabled = (model: string, reason: string): void => log.error({ model, reason }, 'a model is disabled');
  const registry = await openModelRegistry(options.modelsDir ?? config.modelsDir ?? MODELS_DIR, runner, logDisabled);
  for (const [model, entry] of Object.entries(registry.states)) {
    if (entry.state === 'disabled') logDisabled(model, entry.reason);
  }
  const bands = await openBandCorrections({
    ...core,
    versionOf: (model, timeframe) => servingVersion(registry, model, timeframe),
  });
  undo.push(() => bands.close());
  const peers = sharing === null ? null : forecastPeers({ sharing, log, symbols: market.symbols });
  const pathKeyOf = openPathKeys(core.database);
  const releaseTable = readReleaseTable();
  const releasesOf = releasesFrom(market.releases, releaseTable);
  const forecasts = meteredForecasts(
    openForecasts({ ...core, history, registry, releasesOf, pathKeyOf, correctionOf: bands.of, peers }),
  );
  if (peers !== null) undo.push(peers.serve(forecasts));
  const shadows = await openShadowModels({
    ...core,
    dir: config.shadowModelsDir,
    serving: registry,
    history,
    releasesOf,
    pathKeyOf,
    timeoutMs: FORECAST_TIMEOUT_MS,
  });
  if (shadows !== null) undo.push(() => shadows.close());
  const marketClock = options.market.clock ?? clock;
  const recordCore: Core = { ...core, clock: config.development.hasMarketDays ? marketClock : clock };
  const record = await openRecord({
    ...recordCore,
    history,
    past,
    forecasts,
    registry,
    shadows,
    marketClock,
    marketKind: options.market.kind,
    kindOf: options.market.kindOf,
    dataDir: config.dataDir,
    siteDir: options.siteDir,
    releasesOf,
    isIssuing: config.hasHouseForecasts,
    lookup: market.symbols,
    openProduct: market.openProduct,
    addressOf: clientAddressBehind(config.trustedProxies),
  });
  undo.push(() => record.close());
  const share = openShare({
    ...recordCore,
    marketClock,
    past,
    forecasts,
    releasesAt: releasesAsOf(core.database, releaseTable),
    symbols: market.symbols,
    marketKind: options.market.kind,
    kindOf: options.market.kindOf,
    origin: own.originOf,
    siteDir: options.siteDir,
    addressOf: clientAddressBehind(config.trustedProxies),
  });
  undo.push(() => share.close());
  return { registry, runner, forecasts, record, share };
}
