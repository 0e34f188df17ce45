/** Reads the arguments and settings of a start and refuses bad ones, before anything is opened, built or written. */
import { parseArgs } from 'node:util';
import { readSamlProviders } from '../../server/backend/auth/extensions/organisations/saml-providers.ts';
import { openSigningKeys } from '../../server/backend/auth/keys/keys.ts';
import { probedVenues, probeVenues } from '../../server/market/venues/probe-venue.ts';
import { type Config, readConfig, SettingsRefused } from '../../server/platform/config/config.ts';
import { refuseUnsafeDemo, refuseUnsafeProduction } from '../../server/platform/config/unsafe-settings.ts';
import { readSite } from '../../server/site/site-settings.ts';
import { requireMarketDataDir } from './market-data-dir.ts';
import { refuseMissingSandbox } from './missing-sandbox.ts';
import { refuseForeignPushSandbox } from './push-source.ts';
import { requireDataDir } from './writable-folder.ts';

/** How long MARKET=auto waits for the real venue. */
export const PROBE_TIMEOUT_MS = 3000;

export interface StartSettings {
  config: Config;
  isDemo: boolean;
  /** Known after up to PROBE_TIMEOUT_MS. In production it has been waited for, because no venue may be a refusal. */
  usesLiveMarket: Promise<boolean>;
}

/** @throws Error whose message names the bad argument, setting or missing file */
export async function readStartSettings(args: readonly string[], env: NodeJS.ProcessEnv): Promise<StartSettings> {
  const { values } = parseArgs({ args: [...args], options: { demo: { type: 'boolean', default: false } } });
  const config = readConfig(env);
  refuseUnsafeProduction(config, { isDemo: values.demo });
  if (values.demo) refuseUnsafeDemo(config);
  refuseForeignPushSandbox(config);
  refuseMissingSandbox(config);
  requireMarketDataDir(config.market.dataDir);
  requireDataDir(config.dataDir);
  const usesLiveMarket = choosesLiveMarket(config);
  if (config.isProduction) await usesLiveMarket;
  if (config.isProduction && config.hosted === null) await openSigningKeys(config.dataDir, { mayMake: false });
  if (config.accounts.samlProvidersFile !== null) await readSamlProviders(config.accounts.samlProvidersFile);
  await readSite(config.siteFile);
  return { config, isDemo: values.demo, usesLiveMarket };
}

/** @throws SettingsRefused if the real market does not answer and production refuses the sandbox */
async function choosesLiveMarket(config: Config): Promise<boolean> {
  const { choice, venueOrder, addresses } = config.market;
  if (choice === 'live') return true;
  if (choice === 'auto' && (await probeVenues(venueOrder, addresses, PROBE_TIMEOUT_MS)) !== null) return true;
  if (config.isProduction && !config.allowSandboxInProduction)
    throw new SettingsRefused(`No market: ${noVenueAnswers(config)}, and production refuses the sandbox.`);
  return false;
}

export function noVenueAnswers({ market: { venueOrder, addresses } }: Config): string {
  const probed = probedVenues(venueOrder).map((id) => addresses[id].restUrl);
  if (probed.length === 0) return 'VENUE_ORDER names no crypto venue';
  const one = probed.length === 1;
  return `${one ? '' : 'none of '}${probed.join(', ')} ${one ? 'does not respond' : 'responds'}`;
}
