/** A data folder as a first start leaves it, made once for all runs: each then starts from a copy. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PREPARED_FOLDERS } from '../../../../tests/support/servers/filled-folder.ts';
import { startKat } from '../../../../tests/support/servers/kat-server.ts';

/** @param env  of the servers that will use it. @returns removes it */
export async function prepareFolder(env: Readonly<Record<string, string>>): Promise<() => void> {
  const root = mkdtempSync(join(tmpdir(), 'kat-prepared-'));
  // Servers read it too: a start then compiles nothing.
  process.env.NODE_COMPILE_CACHE ??= join(root, 'compiled');
  writeFileSync(join(root, 'index.html'), '<!doctype html><title>Kat</title>');
  const settings = { SITE_DIR: root, DEVELOPMENT: 'community=sandbox', ...env };
  const kat = await startKat({ dataDir: join(root, 'plain'), env: settings });
  await kat.stop();
  process.env[PREPARED_FOLDERS] = root;
  return () => rmSync(root, { recursive: true, force: true });
}
