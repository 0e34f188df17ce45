/** `npm run seed:demo`: the demo accounts and sample news into the data folder, with the server stopped (it holds the folder). */

import { startCommunitySandbox } from '../sandbox/community/community-sandbox.ts';
import { sandboxCommunity } from '../sandbox/community/sandbox-community.ts';
import { startSandboxMarket } from '../sandbox/market/sandbox-market.ts';
import { sandboxSource } from '../sandbox/market/sandbox-source.ts';
import { registerPrices } from '../server/billing/price-store.ts';
import { type Config, readConfig, refuseHostedDemo, SettingsRefused } from '../server/platform/config.ts';
import { DataFolderInUse } from '../server/platform/data-lock.ts';
import { createLogger } from '../server/platform/log.ts';
import { migrate } from '../server/platform/migrate.ts';
import { openDatabase } from '../server/platform/open-database.ts';
import { productClock } from '../server/platform/product-clock.ts';
import { DEMO_ACCOUNTS, DEMO_PASSWORD } from './demo/accounts.ts';
import { seedDemo } from './demo/seed.ts';
import { requireMarketDataDir } from './market-data-dir.ts';

const config = readSettings();
const log = createLogger('warn');
const clock = productClock();
try {
  const { databaseUrl, dataDir, priceIds } = config;
  const database = await openDatabase({ databaseUrl, dataDir, clockOffsetMs: () => 0, log });
  const sandbox = await startSandboxMarket({ clock, ...config.market });
  const services = await startCommunitySandbox({ clock, hasFaultControl: false });
  try {
    await migrate(database, { log });
    await registerPrices(database, priceIds);
    const [market, community] = [sandboxSource(sandbox), sandboxCommunity(services)];
    await seedDemo({ database, clock, log, market, community, settings: config.market, priceIds });
  } finally {
    await services.close();
    await sandbox.close();
    await database.close();
  }
  console.log(`Seeded: ${DEMO_ACCOUNTS.map((account) => account.email).join(', ')} (password ${DEMO_PASSWORD})`);
} catch (error) {
  if (!(error instanceof DataFolderInUse)) throw error;
  console.error(`${error.message} Or start it with \`npm start -- --demo\`.`);
  process.exitCode = 1;
}

/** Refusals come before anything is opened, and as sentences. */
function readSettings(): Config {
  try {
    if (process.argv.length > 2) throw new SettingsRefused(`Unknown option '${process.argv[2]}': there are none.`);
    const read = readConfig(process.env);
    if (read.isProduction) throw new SettingsRefused('Demo accounts are refused in production.');
    refuseHostedDemo(read);
    requireMarketDataDir(read.market.dataDir);
    return read;
  } catch (error) {
    if (!(error instanceof SettingsRefused)) throw error;
    console.error(error.message);
    process.exit(1);
  }
}
