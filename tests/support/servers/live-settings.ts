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

/** @returns the path of a file for ADDRESSES_FILE, removed when this process ends */
export function addressesFile(addresses: AddressOverrides): string {
  const folder = mkdtempSync(join(tmpdir(), 'kat-addresses-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, 'addresses.json');
  writeFileSync(path, JSON.stringify(addresses));
  return path;
}
