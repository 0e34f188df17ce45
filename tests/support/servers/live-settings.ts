/** MARKET=live with every real service's address set to a sandbox: this tests live mode offline. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SandboxMarket } from '../../../sandbox/market/sandbox-market.ts';
import type { AddressOverrides } from '../../../server/platform/config/addresses.ts';

/** @param others  further addresses, and other ones in place of the sandbox's */
export function liveAt(
  sandbox: Pick<SandboxMarket, 'addresses'>,
  others: AddressOverrides = {},
): Record<string, string> {
  return { MARKET: 'live', ADDRESSES_FILE: addressesFile({ ...sandbox.addresses, ...others }) };
}

/** Of this process, removed when it ends. */
let folder: string | null = null;
let files = 0;

/** @returns the path of a file for ADDRESSES_FILE, removed when this process ends */
export function addressesFile(addresses: AddressOverrides): string {
  folder ??= temporaryFolder();
  files += 1;
  const path = join(folder, `addresses-${files}.json`);
  writeFileSync(path, JSON.stringify(addresses));
  return path;
}

function temporaryFolder(): string {
  const created = mkdtempSync(join(tmpdir(), 'kat-addresses-'));
  process.once('exit', () => rmSync(created, { recursive: true, force: true }));
  return created;
}
