/** A folder of recordings that is not there would quietly become a simulated market. */
import { statSync } from 'node:fs';
import { SettingsRefused } from '../../server/platform/config/config.ts';

/** @throws SettingsRefused naming the folder; null (everything is simulated) is fine */
export function requireMarketDataDir(dataDir: string | null): void {
  if (dataDir === null || statSync(dataDir, { throwIfNoEntry: false })?.isDirectory() === true) return;
  throw new SettingsRefused(`MARKET_DATA_DIR: there is no folder ${dataDir}.`);
}
