/**
 * `npm run seed:demo`: writes the demo accounts with their plans, and sample news, into the data folder while the
 * server is stopped (it holds the folder). A temporary server runs while they buy.
 */
import { fileURLToPath } from 'node:url';
import { startCommunitySandbox } from '../../sandbox/community/community-sandbox.ts';
import { sandboxCommunity } from '../../sandbox/community/sandbox-community.ts';
import { startSandboxMarket } from '../../sandbox/market/sandbox-market.ts';
import { sandboxSource } from '../../sandbox/market/sandbox-source.ts';
import { type RunningServer, startServer } from '../../server/main.ts';
import { type Config, readConfig, SettingsRefused } from '../../server/platform/config/config.ts';
import { refuseUnsafeDemo } from '../../server/platform/config/unsafe-settings.ts';
import { migrate } from '../../server/platform/database/migrate.ts';
import { openDatabase } from '../../server/platform/database/open-database.ts';
import { DataFolderInUse } from '../../server/platform/database/pglite/data-lock.ts';
import { productClock } from '../../server/platform/product-clock.ts';
import { createLogger } from '../../server/platform/telemetry/log.ts';
import { DEMO_ACCOUNTS, DEMO_PASSWORD } from '../demo/accounts.ts';
import { seedDemo } from '../demo/seed.ts';
import { subscribeDemoAccounts } from '../demo/subscribe.ts';
import { requireMarketDataDir } from '../start/market-data-dir.ts';
import { localUrl, openPayments } from '../start/payments-source.ts';

/** No one opens a page meanwhile. */
const SITE_DIR = fileURLToPath(new URL('../../web/public/', import.meta.url));

const config = readSettings();
const log = createLogger('warn');
const clock = productClock();
/** Undone last to first. */
const undo: (() => Promise<void>)[] = [];
try {
  const notes = await seed();
  console.log(`Seeded: ${DEMO_ACCOUNTS.map((account) => account.email).join(', ')} (password ${DEMO_PASSWORD})`);
  for (const note of notes) console.log(note);
} catch (error) {
  if (!(error instanceof DataFolderInUse)) throw error;
  console.error(`${error.message} Or start it with \`npm start -- --demo\`.`);
  process.exitCode = 1;
} finally {
  for (const step of undo.reverse()) await step();
}

/** @returns messages about accounts without a plan */
async function seed(): Promise<string[]> {
  const { databaseUrl, dataDir, isDurable } = config;
  const database = await openDatabase({
    databaseUrl,
    dataDir,
    isDurable: isDurable ?? true,
    clockOffsetMs: () => 0,
    log,
  });
  undo.push(() => database.close());
  await migrate(database, { log });
  const sandbox = await startSandboxMarket({ clock, dataDir: config.market.dataDir, ...config.development });
  undo.push(() => sandbox.close());
  const services = await startCommunitySandbox({ clock, hasFaultControl: false });
  undo.push(() => services.close());
  const [market, community] = [sandboxSource(sandbox), sandboxCommunity(services)];
  await seedDemo({ database, clock, log, market, community, settings: config.market });

  let running: RunningServer | null = null;
  const payments = await openPayments(config, { clock, address: () => running, log: (line) => log.info(line) });
  undo.push(() => payments.close());
  const { source } = payments;
  const parts = { config, clock, log, database, market, community, payments: source };
  const server = await startServer({ ...parts, siteDir: SITE_DIR, isDemo: true });
  undo.push(() => server.close());
  running = server;
  return subscribeDemoAccounts({ url: localUrl(config, server.port), source, priceIds: config.payments.priceIds });
}

/** Bad settings are refused with a message before anything is opened. */
function readSettings(): Config {
  try {
    if (process.argv.length > 2)
      throw new SettingsRefused(`Unknown option '${process.argv[2]}'. This command has no options.`);
    // On a free port: it runs briefly, for this machine alone.
    const read = readConfig({ ...process.env, PORT: '0', HOST: '127.0.0.1' });
    if (read.isProduction) throw new SettingsRefused('Demo accounts are refused in production.');
    refuseUnsafeDemo(read);
    requireMarketDataDir(read.market.dataDir);
    return read;
  } catch (error) {
    if (!(error instanceof SettingsRefused)) throw error;
    console.error(error.message);
    process.exit(1);
  }
}
