/**
 * `npm start`: everything on one machine with one command. Opens the database; starts the sandbox market if the real
 * one is unreachable (or not wanted), the development mailbox if no mail server is set, and sandboxes for a payment or
 * sign-in provider without settings. Builds the site if it is stale, listens, and prints the address and how to sign
 * in. The documentation is built afterwards, in the background. The only place that composes server and sandbox, each part of which is loaded only if it is used.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { IdentitySandbox } from '../sandbox/identity/identity-sandbox.ts';
import type { SandboxMailbox } from '../sandbox/mailbox/sandbox-mailbox.ts';
import type { CommunitySource } from '../server/community/community-source.ts';
import { type RunningServer, startServer } from '../server/main.ts';
import type { MarketSource } from '../server/market/market-source.ts';
import { candleVenueNames } from '../server/market/venues/candle-venues.ts';
import type { Config } from '../server/platform/config/config.ts';
import { isLocalOnly } from '../server/platform/config/unsafe-settings.ts';
import { migrate } from '../server/platform/database/migrate.ts';
import { openDatabase } from '../server/platform/database/open-database.ts';
import { type ProductClock, productClock } from '../server/platform/product-clock.ts';
import { createLogger, type Logger } from '../server/platform/telemetry/log.ts';
import type { ServerOptions } from '../server/server-options.ts';
import { DEMO_ACCOUNTS, DEMO_PASSWORD } from './demo/accounts.ts';
import { seedDemo } from './demo/seed.ts';
import { subscribeDemoAccounts } from './demo/subscribe.ts';
import { openSite } from './site/build-site.ts';
import { openChatSandbox } from './start/chat-sandbox.ts';
import { localUrl, openPayments } from './start/payments-source.ts';
import { showProgress } from './start/progress-line.mjs';
import { openPushSource } from './start/push-source.ts';
import { explainStartFailure } from './start/start-failure.ts';
import { noVenueAnswers, PROBE_TIMEOUT_MS, readStartSettings } from './start/start-settings.ts';
import { openWebhookSandbox } from './start/webhook-sandbox.ts';

interface Market extends MarketSource {
  /** Fault injection for the sandbox market; null: off. */
  faultControlUrl: string | null;
  close(): Promise<void>;
}

/** Undone last to first, on stop and if the start fails half-way. */
const undo: (() => Promise<void>)[] = [];
/** Null until it listens. */
let server: RunningServer | null = null;
let isStopping = false;
let isDraining = false;

async function stop(code: number): Promise<void> {
  if (isStopping) return;
  isStopping = true;
  for (const step of undo.reverse()) {
    await step().catch((error: unknown) => {
      console.error(`While stopping: ${String(error)}`);
      process.exitCode = 1;
    });
  }
  process.exit(process.exitCode ?? code);
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    // Ctrl-C in a terminal does not drain, and a second signal cuts the draining short.
    const drains = signal === 'SIGTERM' && !isDraining && !isStopping;
    if (!isStopping) console.log('\nStopping ...');
    isDraining = true;
    void (drains ? (server?.drain() ?? Promise.resolve()).finally(() => stop(0)) : stop(0));
  });
}

// The launcher holds the other end of this channel. Without the launcher no one could stop this server any more.
process.on('disconnect', () => process.emit('SIGINT', 'SIGINT'));
process.channel?.unref();

try {
  if (process.connected === false) await stop(1);
  await start();
} catch (error) {
  console.error(explainStartFailure(error, process.env.PORT));
  await stop(1);
}

async function start(): Promise<void> {
  // Everything that may be refused is checked before anything is opened, built or written.
  const { config, isDemo, usesLiveMarket: choosing } = await readStartSettings(process.argv.slice(2), process.env);
  // The site is built by another process while this one creates the database and waits for the venues.
  const openingSite = openSite(config.siteDir, () => showProgress('Building the site (5 to 15 s)'));
  openingSite.catch(() => undefined);
  const log = createLogger(config.logLevel);
  const clock = productClock();

  if (config.databaseUrl === null && !existsSync(join(config.dataDir, 'database')))
    showProgress(`Creating the database in ${config.dataDir} (3 to 10 s)`);
  const database = await openDatabase({
    databaseUrl: config.databaseUrl,
    dataDir: config.dataDir,
    isDurable: config.isDurable ?? !isDemo,
    clockOffsetMs: () => clock.offsetMs,
    log,
  });
  undo.push(() => database.close());
  await migrate(database, { log, isHosted: config.hosted !== null });

  const usesLiveMarket = await choosing;
  const market = usesLiveMarket ? liveMarket(config) : await sandboxMarket(config, clock, log);
  undo.push(() => market.close());
  const community = await communitySource(config, usesLiveMarket, clock);
  undo.push(() => community.close());
  const mailbox = config.mail.smtpUrl === null ? await sandboxMailbox(clock) : null;
  if (mailbox !== null) undo.push(() => mailbox.close());
  const payments = await openPayments(config, {
    clock,
    address: () => server,
    log: (line) => log.info({ part: 'payment sandbox' }, line),
  });
  undo.push(() => payments.close());
  const push = await openPushSource(config, usesLiveMarket);
  undo.push(() => push.close());
  const webhooks = await openWebhookSandbox(config, usesLiveMarket);
  undo.push(() => webhooks.close());
  const chat = await openChatSandbox(config, usesLiveMarket, { clock, address: () => server });
  undo.push(() => chat.close());
  const identity = needsSandboxes(config) ? await sandboxIdentity(config, log) : null;
  if (identity !== null) undo.push(() => identity.close());
  const { siteDir, isNew, pendingDocs } = await openingSite;
  if (isNew) log.info('the site was built');
  if (isDemo) await seedDemo({ database, clock, log, market, community, settings: config.market });

  const peers = {
    market,
    community,
    mailbox,
    marketFaultsUrl: market.faultControlUrl,
    communityFaultsUrl: community.faultControlUrl,
    payments: payments.source,
    push: push.source,
    webhookSandboxUrl: webhooks.url,
    chat: chat.source,
    chatFaultsUrl: chat.faultControlUrl,
    sandboxProviders: identity,
  } satisfies Partial<ServerOptions>;
  // Their plans are bought over HTTP, as by any user.
  let hasDemoPlans = !isDemo;
  const readiness = isDemo ? [{ name: 'demo accounts', isReady: async () => hasDemoPlans }] : [];
  const running = await startServer({ config, clock, log, database, siteDir, isDemo, readiness, ...peers });
  undo.push(() => running.close());
  server = running;
  const shop = { url: localUrl(config, running.port), source: payments.source, priceIds: config.payments.priceIds };
  const withoutPlan = isDemo ? await subscribeDemoAccounts(shop) : [];
  hasDemoPlans = true;
  if (pendingDocs !== null) {
    pendingDocs.start();
    undo.push(() => pendingDocs.stop());
  }
  announce(running.url, market, community, {
    isBuildingDocs: pendingDocs !== null,
    withoutPlan,
    payments: payments.line,
    push: push.line(running.url),
    chat: chat.line(running.url),
    hasWebhookPage: webhooks.url !== null,
    isDemo,
    isProduction: config.isProduction,
    isLocalOnly: isLocalOnly(config),
    // A hosted project sends the mails of its accounts itself.
    hasMailbox: mailbox !== null && config.hosted === null,
    hostedUrl: config.hosted?.url ?? null,
    whySandbox: !usesLiveMarket && config.market.choice === 'auto' ? noVenueAnswers(config) : null,
  });
}

function liveMarket(config: Config): Market {
  const { addresses, keys, venueOrder } = config.market;
  const names = candleVenueNames({ order: venueOrder, addresses, keys });
  return {
    kind: 'live',
    kindOf: () => 'live',
    detail: names.length === 0 ? 'no venue of candles: see VENUE_ORDER' : names.join(', '),
    bookSource: 'Coinbase Exchange',
    addresses,
    keys,
    faultControlUrl: null,
    close: async () => undefined,
  };
}

async function sandboxMarket(config: Config, clock: ProductClock, log: Logger): Promise<Market> {
  const { speed, sinceMs, seed, startMs, hasFaultControl } = config.development;
  const { startSandboxMarket } = await import('../sandbox/market/sandbox-market.ts');
  const { sandboxSource } = await import('../sandbox/market/sandbox-source.ts');
  const sandbox = await startSandboxMarket({
    clock,
    dataDir: config.market.dataDir,
    speed,
    sinceMs,
    seed,
    startMs,
    hasFaultControl,
    isWatched: () => server?.hasLiveReaders() ?? false,
    log: (line) => log.info({ part: 'sandbox market' }, line),
  });
  const { faultControlUrl } = sandbox;
  return { ...sandboxSource(sandbox), faultControlUrl, close: () => sandbox.close() };
}

interface Community extends CommunitySource {
  /** Fault injection for the community sandbox; null: off. */
  faultControlUrl: string | null;
  close(): Promise<void>;
}

/** Like the market, unless the setting decides. */
async function communitySource(config: Config, usesLiveMarket: boolean, clock: ProductClock): Promise<Community> {
  const { choice, addresses, keys } = config.community;
  if (choice === 'live' || (choice === 'auto' && usesLiveMarket))
    return { kind: 'live', addresses, keys, faultControlUrl: null, close: async () => undefined };
  const { startCommunitySandbox } = await import('../sandbox/community/community-sandbox.ts');
  const { sandboxCommunity } = await import('../sandbox/community/sandbox-community.ts');
  const sandbox = await startCommunitySandbox({ clock, hasFaultControl: config.development.hasFaultControl });
  const { faultControlUrl } = sandbox;
  return { ...sandboxCommunity(sandbox), faultControlUrl, close: () => sandbox.close() };
}

async function sandboxMailbox(clock: ProductClock): Promise<SandboxMailbox> {
  const { startSandboxMailbox } = await import('../sandbox/mailbox/sandbox-mailbox.ts');
  return startSandboxMailbox({ clock });
}

/** A provider without settings is off if others can reach this server: its sandbox signs in as anyone. */
function needsSandboxes(config: Config): boolean {
  const { google, github } = config.accounts;
  return isLocalOnly(config) && config.hosted === null && (google === null || github === null);
}

async function sandboxIdentity(config: Config, log: Logger): Promise<IdentitySandbox> {
  const { startIdentitySandbox } = await import('../sandbox/identity/identity-sandbox.ts');
  return startIdentitySandbox({
    origins: config.publicUrl === null ? [] : [config.publicUrl],
    log: (line) => log.info({ part: 'identity sandbox' }, line),
  });
}

interface StartMode {
  isBuildingDocs: boolean;
  /** Why demo accounts have no plan. */
  withoutPlan: readonly string[];
  payments: string;
  push: string;
  chat: string;
  /** A sandbox receives webhooks. */
  hasWebhookPage: boolean;
  isDemo: boolean;
  isProduction: boolean;
  isLocalOnly: boolean;
  hasMailbox: boolean;
  hostedUrl: string | null;
  /** With MARKET=auto; null if the market is live or the sandbox was requested. */
  whySandbox: string | null;
}

function announce(url: string, market: Market, community: Community, mode: StartMode): void {
  const hint = mode.isProduction || mode.hostedUrl !== null ? '' : ', or start with `npm start -- --demo`';
  const lines = [
    '',
    `  Kat is ready:  ${url}`,
    `  Market:        ${market.kind} (${market.detail})`,
    ...(mode.whySandbox === null
      ? []
      : [`                 ${mode.whySandbox} within ${PROBE_TIMEOUT_MS / 1000} seconds`]),
    `  Community:     ${communityLine(community)}`,
    `  Payments:      ${mode.payments}`,
    ...(mode.hostedUrl === null ? [] : [`  Project:       ${mode.hostedUrl}`]),
    ...(mode.hasMailbox ? [`  Emails:        ${mailboxLine(url, mode)}`] : []),
    `  Notifications: ${mode.push}`,
    `  Chats:         ${mode.chat}`,
    ...(mode.hasWebhookPage ? [`  Webhooks:      ${url}/dev/webhooks (sandbox receiver)`] : []),
    mode.isDemo
      ? `  Sign in:       ${DEMO_ACCOUNTS.map((account) => account.email).join(', ')}\n                 password ${DEMO_PASSWORD}`
      : `  Sign in:       create an account at ${url}/auth/signup${hint}`,
    ...mode.withoutPlan.map((message) => `                 ${message}`),
    ...(mode.isBuildingDocs ? [`  Docs:          ${url}/docs/ in up to a minute; they are being built`] : []),
    '  Stop:          Ctrl-C',
    '',
  ];
  console.log(lines.join('\n'));
}

/** The services in use; one without a key is unknown. */
function communityLine({ kind, addresses, keys }: Community): string {
  if (kind === 'simulated') return 'simulated (sandbox)';
  const feeds = addresses.newsFeeds.length;
  const services = [
    ...(feeds === 0 ? [] : [`${feeds} news ${feeds === 1 ? 'feed' : 'feeds'}`]),
    ...(keys.youtube === null ? [] : ['YouTube']),
    ...(keys.discordInvite === null ? [] : ['Discord']),
    ...(keys.patreonToken === null ? [] : ['Patreon']),
  ];
  return `live (${services.length === 0 ? 'no services: see NEWS_FEEDS and the settings after it' : services.join(', ')})`;
}

function mailboxLine(url: string, mode: StartMode): string {
  if (mode.isLocalOnly) return `${url}/dev/mailbox (no email leaves this machine)`;
  const shown = mode.isProduction ? '' : '. They are not shown, because other machines can reach the server';
  return `SMTP_URL is not set, so no email leaves this machine${shown}`;
}
