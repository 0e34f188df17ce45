import './platform/outbound/whole-answers.ts';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { environmentAttribute } from '#domain/site/environment.ts';
import { frameOrigins } from '#domain/site/frame-origins.ts';
import { createApp } from './app.ts';
import { withSandboxes } from './backend/auth/providers/providers.ts';
import { openEmbeddedBackend } from './backend/embedded.ts';
import { openHostedBackend } from './backend/hosted/hosted.ts';
import { rateLimits } from './backend/limits.ts';
import { startBackups } from './backup/backup-schedule.ts';
import { paymentScriptSources } from './billing/provider/payment-script.ts';
import { openCommunity } from './community/community.ts';
import { YOUTUBE_CALLS_PER_MONTH } from './community/counters.ts';
import { openProcessAdmission } from './compose/admission.ts';
import { openChanceParts } from './compose/chances.ts';
import { openCommands } from './compose/commands.ts';
import { openForecasting } from './compose/forecasting.ts';
import { openUserParts } from './compose/user-services.ts';
import type { Core } from './core.ts';
import { openCounting } from './counting.ts';
import { openPredictionStore } from './forecast/predictions/prediction-store.ts';
import { startSettling } from './forecast/predictions/settle-reservations.ts';
import { type Market, openMarket } from './market/market.ts';
import { callAllowances } from './market/reference/metrics.ts';
import { openOperations } from './operations/operations.ts';
import { openTelemetry } from './operations/telemetry.ts';
import { ownAddress } from './own-address.ts';
import { closeAll } from './platform/close-all.ts';
import { isLocalOnly } from './platform/config/unsafe-settings.ts';
import { OWNER } from './platform/database/database.ts';
import { databaseSteps } from './platform/database/database-steps.ts';
import { CAN_SHARE_PORT, type ExtraListeners, openExtraListeners } from './platform/http/extra-listeners.ts';
import { addressBehind } from './platform/http/guards/slow-refusals.ts';
import { type Draining, draining } from './platform/http/health.ts';
import { listen, stopServer } from './platform/http/listen.ts';
import { MAX_UNDER_WAY, startMailWorker } from './platform/mail/mail-queue.ts';
import { smtpTransport } from './platform/mail/smtp-transport.ts';
import { type Bus, openInProcessBus } from './platform/processes/bus.ts';
import { startOutcomes } from './record/outcomes.ts';
import { routesOf } from './routes.ts';
import { type ServerOptions, type Undo, VERSION } from './server-options.ts';
import { readSite } from './site/site-settings.ts';

export interface RunningServer {
  url: string;
  port: number;
  /** True while a page reads live prices: without one, a sandbox market may idle. */
  hasLiveReaders(): boolean;
  /**
   * Leaves a group of processes: `/readyz` reports it, another process reads the market, and requests are answered for
   * DRAIN_MS more. `close` cuts this short.
   */
  drain(): Promise<void>;
  /** Stops listening, ends open streams, waits for jobs. Reports errors once everything else is closed. */
  close(): Promise<void>;
}

/** @throws Error with code EADDRINUSE when the port is taken; everything opened so far is closed again */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const undo: Undo = [];
  const leaving = draining();
  const close = (): Promise<void> => {
    leaving.finish();
    return closeAll(undo.splice(0).reverse());
  };
  try {
    return { ...(await open(options, leaving, undo)), close };
  } catch (error) {
    await close().catch((failure: unknown) => options.log.error({ err: failure }, 'not everything was closed'));
    throw error;
  }
}

async function open(options: ServerOptions, leaving: Draining, undo: Undo): Promise<Omit<RunningServer, 'close'>> {
  const { config, clock, log, mailbox = null, payments = null } = options;
  const database = databaseSteps(options.database);
  const sandboxProviders = isLocalOnly(config) ? (options.sandboxProviders ?? null) : null;
  const stopping = new AbortController();
  const site = await readSite(config.siteFile);
  const own = ownAddress(config);
  const { isOwnHost, allowedOrigins } = own;

  const telemetry = await openTelemetry({ settings: config.telemetry, version: VERSION, log });
  undo.push(() => telemetry.close());
  const admission = openProcessAdmission({
    database: options.database,
    trustedProxies: config.trustedProxies,
    isPatient: config.development.isPatient,
  });
  undo.push(() => admission.close());
  const bus = await openBus(options);
  undo.push(() => bus.close());
  const counting = openCounting({ database, databaseUrl: config.databaseUrl, log });
  undo.push(() => counting.close());
  const core: Core = { database, clock, log, limiterOf: counting.limiterOf };
  const limits = options.limits ?? rateLimits({}, core.limiterOf);
  const providers = withSandboxes(config.accounts, sandboxProviders);
  const { passwordCost } = options;
  const parts = { ...core, config, bus, providers, limits, passwordCost };
  const backend =
    config.hosted === null
      ? await openEmbeddedBackend(parts)
      : await openHostedBackend({ ...parts, project: config.hosted });
  undo.push(() => backend.close());
  admission.identifyBy(async (token) => {
    const { sub } = await backend.verifier.verify(token);
    return typeof sub === 'string' ? sub : null;
  });
  if (backend.hashBacklog !== undefined) admission.watch('sign-up', backend.hashBacklog);
  const socketAccess = { isOwnHost, allowedOrigins, trustedProxies: config.trustedProxies };
  const market = openMarket({
    ...core,
    source: options.market,
    settings: config.market,
    socketAccess,
    bus,
    bookEveryMs: admission.bookEveryMs,
    admit: admission.admitUpgrade,
    addressOf: addressBehind(config.trustedProxies),
  });
  undo.push(() => market.close());
  const community = openCommunity({ ...core, source: options.community, origin: own.originOf });
  undo.push(() => community.close());
  const forecasting = await openForecasting(options, { core, market, own }, undo);
  const predictions = openPredictionStore(core);
  const chances = openChanceParts(options, { core, market, forecasting, predictions }, undo);
  const smtpUrl = mailbox?.smtpUrl ?? config.mail.smtpUrl;
  const sendsMails = smtpUrl !== null;
  const users = await openUserParts(
    options,
    { core, market, own, chances: chances.chances, share: forecasting.share, sendsMails },
    undo,
  );

  const { kind, detail, bookSource } = options.market;
  const operations = openOperations({
    ...core,
    version: VERSION,
    overload: admission.facts,
    bus: { state: () => bus.state(), isLeading: market.isLeading },
    market: { kind, detail, bookSource, state: market.state },
    community: { kind: options.community.kind },
    allowances: {
      ...(kind === 'live' ? callAllowances(options.market.keys) : {}),
      ...(options.community.kind === 'live' ? { youtube: YOUTUBE_CALLS_PER_MONTH } : {}),
    },
    models: { registry: forecasting.registry, figures: forecasting.runner.figures },
    payments: { mode: payments?.mode ?? 'none' },
    mail: { isSending: sendsMails },
    push: { kind: options.push?.kind ?? 'off' },
    chats: { kinds: users.chat.config },
    record: { isIssuing: config.hasHouseForecasts },
    backups: { isEnabled: config.backups !== null },
  });
  undo.push(() => operations.close());
  await telemetry.start({
    database,
    clock,
    bus,
    market,
    streams: counting.slots,
    overload: admission.facts,
    ...operations.watched,
  });
  const app = createApp({
    log,
    isHttps: config.publicUrl?.startsWith('https:') ?? false,
    siteDir: options.siteDir,
    environment: environmentAttribute(kind, payments?.mode === 'live'),
    hasDesignPage: isLocalOnly(config),
    frameOrigins: frameOrigins(site.settings),
    scriptFromElsewhere: paymentScriptSources(payments?.mode ?? 'none'),
    origin: own.originOf,
    isOwnHost,
    allowedOrigins,
    hasTrustedProxies: config.trustedProxies > 0,
    addressOf: addressBehind(config.trustedProxies),
    routes: await routesOf(options, {
      core,
      admission,
      own,
      site,
      backend,
      counting,
      limits,
      market,
      community,
      forecasting,
      sandboxProviders,
      predictions,
      chances,
      users,
      sendsMails,
      telemetry,
      operations,
      readiness: [
        { name: 'database', isReady: async () => (await database.query(OWNER, 'select 1 as one')).length === 1 },
        { name: 'market', isReady: market.isReady },
        leaving.readiness,
        ...backend.readiness,
        ...(options.readiness ?? []),
      ],
      stopping: stopping.signal,
    }),
  });

  undo.push(startSettling({ predictions, log }));
  const clocks = [clock, ...(options.market.clock === undefined ? [] : [options.market.clock])];
  const outcomes = startOutcomes({ past: market.past, symbols: market.symbols, clocks, database, log });
  undo.push(() => outcomes.close());
  if (smtpUrl !== null) {
    const transport = smtpTransport({ smtpUrl, from: config.mail.from, maxConnections: MAX_UNDER_WAY });
    const mails = await startMailWorker({ ...core, transport });
    undo.push(() => mails.close());
  }
  const backupParts = { database, dataDir: config.dataDir, hasBucket: config.s3 !== null, version: VERSION };
  if (config.backups !== null) {
    const backups = startBackups({ ...backupParts, ...config.backups, log });
    undo.push(() => backups.close());
  }
  const commands = await openCommands({ ...core, config, payments, limits, backup: backupParts });
  undo.push(() => commands.close());

  await community.ready;
  const address = { host: config.host, port: config.port, isShared: CAN_SHARE_PORT, admission };
  const server = await listen(app.fetch, address, log);
  const listeners = await openExtraListeners(server, config.host);
  undo.push(() => stopListening(server, listeners, market, stopping));
  own.port = (server.address() as AddressInfo).port;
  market.attach(server);
  leaving.attach(server);
  return {
    url: own.siteUrl(),
    port: own.port,
    hasLiveReaders: () => market.hasReaders(),
    async drain() {
      await Promise.all([leaving.begin(config.processes.drainMs), market.stopLeading()]);
    },
  };
}

async function openBus({ config, clock, log }: ServerOptions): Promise<Bus> {
  const { nats } = config.processes;
  if (nats === null) return openInProcessBus({ log });
  // A server without a broker starts faster without its client.
  const { openNatsBus } = await import('./platform/processes/nats-bus.ts');
  return openNatsBus({ ...nats, clock, log });
}

async function stopListening(
  server: Server,
  listeners: ExtraListeners,
  market: Market,
  stopping: AbortController,
): Promise<void> {
  stopping.abort();
  market.detach();
  await stopServer(server, listeners);
}
