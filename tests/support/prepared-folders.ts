/**
 * Data folders as a first start leaves them, made once for all browser tests: one plain, one with the demo accounts.
 * Servers of tests begin with a copy, which saves each of them the setting up of its database.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PREPARED_FOLDERS } from './filled-folder.ts';
import { startKat } from './kat-server.ts';

const KINDS = { plain: [], demo: ['--demo'] } as const;

/** Run by the test runner before the first file of browser tests. */
export default async function prepareFolders(): Promise<() => void> {
  const root = mkdtempSync(join(tmpdir(), 'kat-prepared-'));
  for (const [kind, args] of Object.entries(KINDS)) {
    const dataDir = join(root, kind);
    await (await startKat({ args, dataDir })).stop();
  }
  process.env[PREPARED_FOLDERS] = root;
  return () => rmSync(root, { recursive: true, force: true });
}
