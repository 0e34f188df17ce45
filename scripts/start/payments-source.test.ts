import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { readConfig } from '../../server/platform/config/config.ts';
import { openPayments } from './payments-source.ts';

const folder = mkdtempSync(join(tmpdir(), 'kat-payments-'));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('stores the payments sandbox’s state in a data folder that does not exist yet', async () => {
  const dataDir = join(folder, 'not', 'there');
  const config = readConfig({ DATA_DIR: dataDir, PAYMENTS: 'sandbox', PORT: '0' });

  const payments = await openPayments(config, { clock: { nowMs: () => 0 }, address: () => null, log: () => undefined });
  await payments.close();

  expect(payments.source?.mode).toBe('sandbox');
  expect(existsSync(join(dataDir, 'payments-keys.json'))).toBe(true);
});
