/** Opens everything in order, listens, and stops in the reverse order. What is composed here is chosen by the caller. */
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { frameOrigins } from '#domain/site/frame-origins.ts';
import { accountFunctions } from './account/account.ts';
import { apiKeyReader } from './account/api-key-reader.ts';
import { openAlerts } from './alerts/open-alerts.ts';
import { createApp } from './app.ts';
import { BRAND } from './backend/auth/mail/account-mails.ts';
import { type ProviderSettings, providerKinds, withStandIns } from './backend/auth/providers/providers.ts';
import { clientAddressBehind } from './backend/client-address.ts';
import { openEmbeddedBackend } from './backend/embedded.ts';
import { openHostedBackend } from './backend/hosted.ts';
import { type RateLimits, rateLimits } from './backend/limits.ts';
import { startBackups } from './backup/backup-schedule.ts';
import { openBilling } from './billing/billing.ts';
import { openEntitlements } from './billing/entitlement-store.ts';
import { openNotices } from './billing/notices.ts';
import { paymentScript, paymentScriptSources } from './billing/payment-script.ts';
import type { PaymentsSource } from './billing/payments-source.ts';
import { formerPrices } from './billing/price-store.ts';
import { openCommunity } from './community/community.ts';
import type { CommunitySource } from './community/community-source.ts';
import { YOUTUBE_CALLS_PER_MONTH } from './community/counters.ts';
import { openCounting } from './counting.ts';
import { type DevSources, devRoutes } from './dev-routes.ts';
import { openForecasts } from './forecast/forecast-cache.ts';
import { meteredForecasts, meteredRunner } from './forecast/forecast-meter.ts';
import { forecastPeers } from './forecast/forecast-peers.ts';
import { forecastRoutes } from './forecast/forecast-routes.ts';
import { createPrediction } from './forecast/functions/create-prediction.ts';
import { getQuota } from './forecast/functions/get-quota.ts';
import { openInference } from './forecast/inference-client.ts';
import { latestRoutes } from './forecast/latest-routes.ts';
import { modelStatuses, openModelRegistry, servingVersion } from './forecast/model-registry.ts';
import { modelRoutes } from './forecast/model-routes.ts';
import { openPredictionStore } from './forecast/prediction-store.ts';
import { startSettling } from './forecast/settle-reservations.ts';
import { openShadowModels } from './forecast/shadow-models.ts';
import { type Market, openMarket } from './market/market.ts';
import type { MarketSource } from './market/market-source.ts';
import { callAllowances } from './market/metrics.ts';
import { openCommands } from './open-commands.ts';
import { openOperations } from './operations/operations.ts';
import { openTelemetry } from './operations/telemetry.ts';
import { type Bus, openInProcessBus } from './platform/bus.ts';
import { callerReader } from './platform/caller.ts';
import { closeAll } from './platform/close-all.ts';
import { type Config, isLocalOnly } from './platform/config.ts';
import { type Database, OWNER } from './platform/database.ts';
import { databaseSteps } from './platform/database-steps.ts';
import { type Draining, draining } from './platform/draining.ts';
import { healthRoutes } from './platform/health.ts';
import { ownHosts } from './platform/host-rule.ts';
import { listen } from './platform/listen.ts';
import type { Logger } from './platform/log.ts';
import { MAX_UNDER_WAY, startMailWorker } from './platform/mail/mail-worker.ts';
import { smtpTransport } from './platform/mail/smtp-transport.ts';
import { openNatsBus } from './platform/nats-bus.ts';
import { lowerPoolPriority } from './platform/pool-priority.ts';
import type { ProductClock } from './platform/product-clock.ts';
import { openPush } from './platform/push/open-push.ts';
import { functionRoutes } from './platform/server-function.ts';
import type { Pooled } from './platform/session-pool.ts';
import { openBandCorrections } from './record/bands/band-corrections.ts';
import { trackBoard } from './record/board/track-board.ts';
import { openRecord } from './record/open-record.ts';
import { startOutcomes } from './record/outcomes.ts';
import { readApi } from './record/read-api/read-api.ts';
import { type OwnConfig, siteConfigRoutes } from './site-config.ts';
import { siteIndexRoutes } from './site-index.ts';
import { readSiteSettings, siteSettingsRoutes } from './site-settings.ts';

export interface ServerOptions extends DevSources {
  config: Config;
  clock: ProductClock;
  log: Logger;
  /** Open and migrated; closed by whoever opened it. */
  database: Database & Partial<Pooled>;
  market: MarketSource;
  community: CommunitySource;
  /** Who takes the payments; null: nothing can be bought. */
  payments?: PaymentsSource | null;
  /** Stand-ins for the sign-in providers that have no settings; unused where others than this machine come. */
  standIns?: ProviderSettings | null;
  /** Folder of the built site. */
  siteDir: string;
  modelsDir?: string;
  isDemo: boolean;
  /** How often one address and one account may try; default: the product's own limits. */
  limits?: RateLimits;
}

export interface RunningServer {
  url: string;
  port: number;
  /** Some page reads the live prices: a sandbox market may rest while none does. */
  hasLiveReaders(): boolean;
  /**
   * One of many goes: `/readyz` says so, another process reads the market, and everything is answered for DRAIN_MS more.
   * Cut short by `close`.
   */
  drain(): Promise<void>;
  /** Stops listening, ends open streams, waits for jobs. What fails is told once everything else is closed. */
  close(): Promise<void>;
}

const MODELS_DIR = fileURLToPath(new URL('../models/', import.meta.url));
const VERSION = '0.1.0';

/** @throws Error with code EADDRINUSE when the port is taken; whatever was opened until then is closed again */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const undo: (() => unknown)[] = [];
  const leaving = draining();
  const close = (): Promise<void> => {
    leaving.finish();
    return closeAll(undo.splice(0).reverse());
  };
  try {
    return { ...(await open(options, leaving, undo)), close };
  } catch (error) {
    await close().catch((failure: unknown) => options.log.error({ err: failure }, 'not all was closed'));
    throw error;
  }
}

/** @param undo  gets what closes each part, in the order of opening */
async function open(
  options: ServerOptions,
  leaving: Draining,
  undo: (() => unknown)[],
): Promise<Omit<RunningServer, 'close'>> {
  const { config, clock, log, mailbox = null } = options;
  const database = databaseSteps(options.database);
  const standIns = isLocalOnly(config) ? (options.standIns ?? null) : null;
  const hasMailboxPage = mailbox !== null && isLocalOnly(config);
  const stopping = new AbortController();
  const site = await readSiteSettings(config.siteFile);

  const telemetry = await openTelemetry({ settings: config.telemetry, version: VERSION, log });
  undo.push(() => telemetry.close());
  const bus = openBus(options);
  undo.push(() => bus.close());
  const providers = withStandIns(config.accounts, standIns);
  const counting = openCounting({ database, databaseUrl: config.databaseUrl, log });
  undo.push(() => counting.close());
  const { limiterOf, slots } = counting;
  const limits = options.limits ?? rateLimits({}, limiterOf);
  const parts = { config, clock, log, database, bus, providers, limits };
  const backend =
    config.hosted === null
      ? await openEmbeddedBackend(parts)
      : await openHostedBackend({ ...parts, project: config.hosted });
  undo.push(() => backend.close());
  const callers = callerReader(backend.verifier);
  let port = config.port;
  const isOwnHost = ownHosts(config, () => port);
  const allowedOrigins = [...(config.publicUrl === null ? [] : [config.publicUrl]), ...config.allowedOrigins];
  const door = { isOwnHost, allowedOrigins, trustedProxies: config.trustedProxies };
  const market = openMarket({ source: options.market, settings: config.market, door, database, clock, log, bus });
  undo.push(() => market.close());
  const origin = (request: Request): string => config.publicUrl ?? new URL(request.url).origin;
  const community = openCommunity({ source: options.community, database, clock, log, origin });
  undo.push(() => community.close());
  const { history } = market;
  const inference = openInference({ log, timeoutMs: config.forecastTimeoutMs });
  undo.push(() => inference.close());
  const runner = meteredRunner(inference);
  const registry = await openModelRegistry(options.modelsDir ?? MODELS_DIR, runner);
  for (const [model, entry] of Object.entries(registry.states)) {
    if (entry.state === 'disabled') log.error({ model, reason: entry.reason }, 'a model is disabled');
  }
  const bands = await openBandCorrections({ database, log, versionOf: (model) => servingVersion(registry, model) });
  undo.push(() => bands.close());
  const peers = market.sharing === null ? null : forecastPeers({ sharing: market.sharing, log });
  const forecasts = meteredForecasts(openForecasts({ history, registry, clock, log, correctionOf: bands.of, peers }));
  if (peers !== null) undo.push(peers.serve(forecasts));
  const shadowParts = { serving: registry, history, clock, log, timeoutMs: config.forecastTimeoutMs };
  const shadows =
    config.shadowModelsDir === null ? null : await openShadowModels({ dir: config.shadowModelsDir, ...shadowParts });
  if (shadows !== null) undo.push(() => shadows.close());
  const record = await openRecord({
    ...{ database, clock, log, history, past: market.past, forecasts, registry },
    marketClock: options.market.clock ?? clock,
    marketKind: options.market.kind,
    kindOf: options.market.kindOf,
    dataDir: config.dataDir,
    siteDir: options.siteDir,
    isIssuing: config.hasHouseForecasts,
    addressOf: clientAddressBehind(config.trustedProxies),
    shadows,
  });
  undo.push(() => record.close());
  const predictions = openPredictionStore({ database });
  const entitlements = openEntitlements({ database });
  const smtpUrl = mailbox?.smtpUrl ?? config.mail.smtpUrl;

  const push = await openPush({
    source: options.push ?? null,
    settings: config.push,
    dataDir: config.dataDir,
    ...{ database, clock, log, limiterOf },
  });
  undo.push(() => push.close());
  const alerts = openAlerts({
    ...{ database, clock, log, brand: BRAND, sendsMails: smtpUrl !== null },
    marketClock: options.market.clock ?? clock,
    past: market.past,
    kindOf: (symbol) => options.market.kindOf(symbol),
    siteUrl: () => config.publicUrl ?? `http://${config.host}:${port}`,
  });
  undo.push(() => alerts.close());
  const payments = options.payments ?? null;
  const paymentMode = payments?.mode ?? 'none';
  const billing = await openBilling({
    ...{ source: payments, database, clock, log, priceIds: config.priceIds },
    isOwnAddress: ownAddresses(config, isOwnHost),
    notices: ({ mode, stripe }) =>
      openNotices({
        ...{ database, clock, log, mode, stripe, brand: BRAND, sendsMails: smtpUrl !== null },
        siteUrl: () => config.publicUrl ?? `http://${config.host}:${port}`,
      }),
  });
  undo.push(() => billing.close());
  const former = await formerPrices(database, config.priceIds);

  const { kind, detail, bookSource } = options.market;
  const operations = openOperations({
    ...{ database, clock, entitlements, version: VERSION },
    bus: { state: () => bus.state(), isLeading: market.isLeading },
    market: { kind, detail, bookSource, state: market.state },
    community: { kind: options.community.kind },
    allowances: {
      ...(kind === 'live' ? callAllowances(options.market.keys) : {}),
      ...(options.community.kind === 'live' ? { youtube: YOUTUBE_CALLS_PER_MONTH } : {}),
    },
    models: { states: registry.states, figures: runner.figures },
    payments: { mode: paymentMode },
    mail: { isSending: smtpUrl !== null },
    push: { kind: options.push?.kind ?? 'off' },
    record: { isIssuing: config.hasHouseForecasts },
  });
  undo.push(() => operations.close());
  await telemetry.start({ database, clock, bus, market, ...operations.watched });
  const publicConfig = async (): Promise<OwnConfig> => ({
    supabaseAnonKey: backend.anonKey,
    market: { kind, detail, bookSource },
    community: options.community.kind,
    models: modelStatuses(registry),
    payments: paymentMode,
    paymentScript: paymentScript(paymentMode),
    // A hosted project sends its own mails and has providers of its own.
    mail: hasMailboxPage && config.hosted === null ? 'mailbox' : 'smtp',
    providers: (await backend.providerKinds?.()) ?? providerKinds(config.accounts, standIns),
    demo: options.isDemo,
    prices: { ...config.priceIds, former },
    version: VERSION,
  });
  const app = createApp({
    log,
    isHttps: config.publicUrl?.startsWith('https:') ?? false,
    siteDir: options.siteDir,
    hasDesignPage: isLocalOnly(config),
    frameOrigins: frameOrigins(site),
    scriptFromElsewhere: paymentScriptSources(paymentMode),
    origin,
    isOwnHost,
    allowedOrigins,
    hasTrustedProxies: config.trustedProxies > 0,
    routes: [
      ...telemetry.routes,
      healthRoutes([
        { name: 'database', isReady: async () => (await database.query(OWNER, 'select 1 as one')).length === 1 },
        { name: 'market', isReady: market.isReady },
        leaving.readiness,
        ...backend.readiness,
      ]),
      siteConfigRoutes({
        origin,
        config: publicConfig,
        push: push.config,
        clock,
        hasTestClock: config.hasTestClock,
      }),
      siteIndexRoutes({ origin }),
      await siteSettingsRoutes(site),
      backend.routes,
      ...devRoutes(config, options),
      functionRoutes({ callers, clientAddress: clientAddressBehind(config.trustedProxies) }, [
        getQuota({ predictions }),
        createPrediction({ predictions }),
        trackBoard({
          ...{ database, clock, marketClock: options.market.clock ?? clock },
          kindOf: (symbol) => options.market.kindOf(symbol),
        }),
        ...billing.functions,
        ...operations.functions,
        ...push.functions,
        ...alerts.functions,
        ...accountFunctions({ database, clock, log, sessions: backend.verifier, limits, sendsMails: smtpUrl !== null }),
      ]),
      ...billing.routes,
      ...market.routes,
      ...community.routes,
      modelRoutes({ registry }),
      latestRoutes({ forecasts, clock }),
      ...record.routes,
      readApi({
        database,
        clock,
        log,
        limiterOf,
        marketKind: options.market.kind,
        keyOf: apiKeyReader({ database, clock }),
      }),
      forecastRoutes({
        callers,
        predictions,
        entitlements,
        forecasts,
        registry,
        log,
        slots,
        stopping: stopping.signal,
      }),
    ],
  });

  undo.push(startSettling({ predictions, log }));
  const clocks = [clock, ...(options.market.clock === undefined ? [] : [options.market.clock])];
  const outcomes = startOutcomes({ past: market.past, clocks, database, log });
  undo.push(() => outcomes.close());
  if (smtpUrl !== null) {
    const transport = smtpTransport({ smtpUrl, from: config.mail.from, maxConnections: MAX_UNDER_WAY });
    const mails = await startMailWorker({ database, clock, log, transport });
    undo.push(() => mails.close());
  }

  const backupParts = { database, dataDir: config.dataDir, hasBucket: config.s3 !== null, version: VERSION };
  if (config.backups !== null) {
    const backups = startBackups({ ...backupParts, ...config.backups, log });
    undo.push(() => backups.close());
  }
  const commands = await openCommands({ config, database, payments, log, backup: backupParts });
  undo.push(() => commands.close());
  await community.ready;
  const server = await listen(app.fetch, config, log);
  undo.push(() => stopListening(server, market, stopping));
  port = (server.address() as AddressInfo).port;
  market.attach(server);
  leaving.attach(server);
  await lowerPoolPriority();
  const url = config.publicUrl ?? `http://${config.host}:${port}`;
  return {
    url,
    port,
    hasLiveReaders: () => market.hasReaders(),
    async drain() {
      await Promise.all([leaving.begin(config.processes.drainMs), market.stopLeading()]);
    },
  };
}

function openBus({ config, clock, log }: ServerOptions): Bus {
  const { nats } = config.processes;
  return nats === null ? openInProcessBus({ log }) : openNatsBus({ ...nats, clock, log });
}

/** Of this site as a browser may name it: PUBLIC_URL, and in development this machine's own names. */
function ownAddresses(
  { publicUrl, isProduction }: Pick<Config, 'publicUrl' | 'isProduction'>,
  isOwnHost: (host: string) => boolean,
): (url: string) => boolean {
  return (text) => {
    const url = URL.parse(text);
    if (url === null) return false;
    if (url.origin === publicUrl) return true;
    return !isProduction && url.protocol === 'http:' && isOwnHost(url.host);
  };
}

async function stopListening(server: Server, market: Market, stopping: AbortController): Promise<void> {
  stopping.abort();
  market.detach();
  const closed = new Promise<void>((done) => server.close(() => done()));
  server.closeIdleConnections();
  await Promise.race([closed, graceOver()]);
  server.closeAllConnections();
  await closed;
}

/** Requests under way may finish for this long after the order to stop. */
const STOP_GRACE_MS = 5000;

function graceOver(): Promise<void> {
  return new Promise((over) => setTimeout(over, STOP_GRACE_MS).unref());
}
