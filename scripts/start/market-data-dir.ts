/** Refuses a missing folder of recordings, which would silently become a simulated market. */
import { statSync } from 'node:fs';
import { SettingsRefused } from '../../server/platform/config/config.ts';

/** @throws SettingsRefused naming the folder; null (everything is simulated) is valid */
export function requireMarketDataDir(dataDir: string | null): void {
  if (dataDir === null || statSync(dataDir, { throwIfNoEntry: false })?.isDirectory() === true) return;
  throw new SettingsRefused(`MARKET_DATA_DIR: there is no folder ${dataDir}.`);
}
