/**
 * The whole product on its embedded database, killed in the middle of work and restarted on the same folder and port.
 * The payment sandbox runs inside it and dies with it.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod/mini';
import { freePort } from '../../../support/servers/free-port.ts';
import { startKat } from '../../../support/servers/kat-server.ts';
import { type FaultTimes, startAcknowledgedWork, WORK_SETTINGS } from '../acknowledged.ts';
import type { Fault } from '../fault.ts';
import type { ProviderKeys } from '../work/purchases.ts';

const ROUNDS = 5;
const RECOVERY_LIMIT_MS = 90_000;

export const killServer: Fault = async ({ rounds = ROUNDS, isTiny = false, ...options }) => {
  const port = await freePort();
  // A trivial site, so that no site is built during the test.
  const siteDir = mkdtempSync(join(tmpdir(), 'kat-site-'));
  writeFileSync(join(siteDir, 'index.html'), '<!doctype html><title>Kat</title>');
  const env = { ...WORK_SETTINGS, PORT: String(port), SITE_DIR: siteDir, DEVELOPMENT: 'community=sandbox' };
  let server = await startKat({ env, ...options });
  const { dataDir } = server;
  try {
    const work = await startAcknowledgedWork({
      url: () => `http://127.0.0.1:${port}`,
      provider: () => embeddedProvider(dataDir),
      ...(isTiny ? { firstUsers: 4, everyMs: { predictions: null, purchases: null } } : {}),
    });
    const times: FaultTimes[] = [];
    for (let round = 0; round < rounds; round++) {
      await work.untilAllGoOn(RECOVERY_LIMIT_MS);
      // At a different point of the work each time.
      await sleep(isTiny ? 500 : 3000 + Math.random() * 3000);
      const startMs = Date.now();
      await server.stop('SIGKILL');
      server = await startKat({ env, dataDir });
      const endMs = Date.now();
      await work.untilAllGoOn(RECOVERY_LIMIT_MS);
      times.push({ startMs, endMs });
    }
    await work.stop();
    return { fault: 'kill-server', recoveryMs: times.map(work.recoveredAfterMs), ...(await work.verify()) };
  } finally {
    await server.dispose();
    rmSync(siteDir, { recursive: true, force: true });
  }
};

const controlSchema = z.object({ url: z.string() });
const keysSchema = z.object({ secretKey: z.string() });

/** The current address of a server's payment sandbox, from the files that it writes. */
export function embeddedProvider(dataDir: string): ProviderKeys {
  const inFile = (name: string): unknown => JSON.parse(readFileSync(join(dataDir, name), 'utf8'));
  const { secretKey } = keysSchema.parse(inFile('payments-keys.json'));
  return { secretKey, port: Number(new URL(controlSchema.parse(inFile('payments-control.json')).url).port) };
}
