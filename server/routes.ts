/** The single list of all routes, constructed with their dependencies. Middleware around every request is in app.ts. */
import type { Hono } from 'hono';
import { BOARD_FUNCTIONS } from '#domain/contract/prediction-functions.ts';
import { accountFunctions } from './account/account.ts';
import { type ProviderSettings, providerKinds } from './backend/auth/providers/providers.ts';
import type { Backend } from './backend/backend.ts';
import { clientAddressBehind } from './backend/client-address.ts';
import type { RateLimits } from './backend/limits.ts';
import { adminCheck, openEntitlements } from './billing/entitlements.ts';
import { formerPrices } from './billing/prices.ts';
import { paymentScript } from './billing/provider/payment-script.ts';
import type { Community } from './community/community.ts';
import type { ProcessAdmission } from './compose/admission.ts';
import type { ChanceServices } from './compose/chances.ts';
import type { Forecasting } from './compose/forecasting.ts';
import { programRoutes } from './compose/programs.ts';
import type { UserParts } from './compose/user-services.ts';
import type { Core } from './core.ts';
import type { Counting } from './counting.ts';
import { devRoutes } from './dev-routes.ts';
import { chanceRoutes } from './forecast/chances/chance-routes.ts';
import { latestRoutes } from './forecast/latest-routes.ts';
import { modelRoutes } from './forecast/model-routes.ts';
import { modelStatuses } from './forecast/models/model-registry.ts';
import { newForecastCount } from './forecast/new-forecasts.ts';
import { predictionFunctions } from './forecast/predictions/prediction-functions.ts';
import type { PredictionStore } from './forecast/predictions/prediction-store.ts';
import { forecastRoutes } from './forecast/stream/forecast-routes.ts';
import { openingTurns } from './forecast/stream/opening-turns.ts';
import type { Market } from './market/market.ts';
import type { OwnAddress } from './own-address.ts';
import { ownMachineOnly } from './own-machine.ts';
import { isLocalOnly } from './platform/config/unsafe-settings.ts';
import { callerReader } from './platform/http/calls/caller.ts';
import { requireInContract } from './platform/http/calls/contract-route.ts';
import { contractFunctions, functionRoutes, type ServerFunction } from './platform/http/calls/server-function.ts';
import { healthRoutes, type ReadinessCheck } from './platform/http/health.ts';
import { trackBoard } from './record/board/track-board.ts';
import { type ServerOptions, VERSION } from './server-options.ts';
import { type OwnConfig, siteConfigRoutes } from './site/site-config.ts';
import { siteIndexRoutes } from './site/site-index.ts';
import { type Site, siteSettingsRoutes } from './site/site-settings.ts';

export interface OpenedParts {
  core: Core;
  admission: Pick<ProcessAdmission, 'isDatabaseFree' | 'isLoopFull' | 'watch'>;
  own: OwnAddress;
  site: Site;
  backend: Backend;
  counting: Pick<Counting, 'slots'>;
  limits: RateLimits;
  sandboxProviders: ProviderSettings | null;
  market: Market;
  community: Community;
  forecasting: Forecasting;
  chances: ChanceServices;
  predictions: PredictionStore;
  users: UserParts;
  sendsMails: boolean;
  telemetry: { routes: readonly Hono[] };
  operations: { functions: readonly ServerFunction[] };
  readiness: readonly ReadinessCheck[];
  stopping: AbortSignal;
}

/** Half a second of candles in one write while the loop is full: docs/decisions/045-load.md. */
const CANDLES_UNDER_LOAD = 5;

export async function routesOf(options: ServerOptions, parts: OpenedParts): Promise<Hono[]> {
  const { config } = options;
  const { core, own, backend, counting, market, predictions, forecasting, users, sendsMails } = parts;
  const { registry, forecasts, record, share } = forecasting;
  const callers = callerReader(backend.verifier);
  const requireAdmin = adminCheck(openEntitlements(core));
  const turns = openingTurns({ isDatabaseFree: parts.admission.isDatabaseFree });
  parts.admission.watch('stream', turns.backlog);
  const candlesTogether = (): number => (parts.admission.isLoopFull() ? CANDLES_UNDER_LOAD : 1);
  const routes = [
    ...parts.telemetry.routes,
    healthRoutes(parts.readiness),
    ownMachineOnly({ config, log: core.log, providers: providerKinds(config.accounts, parts.sandboxProviders) }),
    siteConfigRoutes({
      origin: own.originOf,
      config: await publicConfig(options, parts),
      push: users.push.config,
      chat: users.chat.config,
      clock: options.clock,
      hasTestClock: config.development.hasTestClock,
    }),
    siteIndexRoutes({ origin: own.originOf, siteDir: options.siteDir }),
    await siteSettingsRoutes(parts.site),
    backend.routes,
    ...devRoutes(config, options),
    functionRoutes({ callers, clientAddress: clientAddressBehind(config.trustedProxies), requireAdmin }, [
      ...predictionFunctions({ ...core, predictions }),
      ...contractFunctions(BOARD_FUNCTIONS, {
        'get-track-board': trackBoard({
          ...core,
          marketClock: options.market.clock ?? core.clock,
          kindOf: (symbol) => options.market.kindOf(symbol),
        }),
      }),
      ...share.functions,
      ...users.billing.functions,
      ...parts.operations.functions,
      ...users.push.functions,
      ...users.alerts.functions,
      ...users.webhooks.functions,
      ...users.chat.functions,
      ...accountFunctions({
        ...core,
        sessions: backend.verifier,
        limits: parts.limits,
        sendsMails,
        deletion:
          config.accounts.deletionBy === 'operator' || backend.accounts === undefined
            ? null
            : { ...backend.accounts, provider: users.billing.accountEnder },
      }),
    ]),
    users.push.routes,
    ...(users.chat.routes === null ? [] : [users.chat.routes]),
    ...users.billing.routes,
    ...market.routes,
    ...parts.community.routes,
    modelRoutes({ registry }),
    latestRoutes({ forecasts, clock: core.clock }),
    chanceRoutes({
      ...parts.chances,
      callers,
      limiterOf: core.limiterOf,
      stopping: parts.stopping,
      addressOf: clientAddressBehind(config.trustedProxies),
    }),
    ...record.routes,
    ...programRoutes(options, {
      core,
      own,
      market,
      forecasting,
      predictions,
      chances: parts.chances,
      stopping: parts.stopping,
    }),
    share.routes,
    forecastRoutes({
      callers,
      predictions,
      forecasts,
      registry,
      log: core.log,
      symbols: market.symbols,
      slots: counting.slots,
      turns,
      candlesTogether,
      countNewForecast: newForecastCount(core.limiterOf),
      stopping: parts.stopping,
    }),
  ];
  requireInContract(routes);
  return routes;
}

/** @returns a function that reads it each time: keys are rotated, a hosted project's providers change */
async function publicConfig(options: ServerOptions, parts: OpenedParts): Promise<() => Promise<OwnConfig>> {
  const { config, mailbox = null, payments = null, community } = options;
  const { backend, core, forecasting, sandboxProviders } = parts;
  const { kind, detail, bookSource } = options.market;
  const paymentMode = payments?.mode ?? 'none';
  const hasMailboxPage = mailbox !== null && isLocalOnly(config);
  const former = await formerPrices(core.database, config.payments.priceIds);
  return async () => ({
    supabaseAnonKey: backend.anonKey,
    market: { kind, detail, bookSource },
    community: community.kind,
    models: modelStatuses(forecasting.registry),
    payments: paymentMode,
    paymentScript: paymentScript(paymentMode),
    // A hosted project sends its own mails and has its own providers.
    mail: hasMailboxPage && config.hosted === null ? 'mailbox' : 'smtp',
    providers: (await backend.providerKinds?.()) ?? providerKinds(config.accounts, sandboxProviders),
    demo: options.isDemo,
    prices: { ...config.payments.priceIds, former },
    version: VERSION,
  });
}
