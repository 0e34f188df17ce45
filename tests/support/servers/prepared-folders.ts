/**
 * Data folders as a first start leaves them, made once for all browser tests: one plain, one with the demo accounts.
 * Servers of tests begin with a copy, which saves each of them the setting up of its database.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildSiteWhenStale } from '../../../scripts/site/build-site.ts';
import { PREPARED_FOLDERS } from './filled-folder.ts';
import { startKat } from './kat-server.ts';

const KINDS = { plain: [], demo: ['--demo'] } as const;

/** Run by the test runner before the first file of browser tests. */
export default async function prepareFolders(): Promise<() => void> {
  const root = mkdtempSync(join(tmpdir(), 'kat-prepared-'));
  // Workers inherit it too.
  process.env.NODE_COMPILE_CACHE ??= join(root, 'compiled');
  // Once for both, and not against the clock of a start.
  await buildSiteWhenStale();
  // Nothing else runs yet: one after the other would leave a processor idle.
  await Promise.all(
    Object.entries(KINDS).map(async ([kind, args]) => {
      const kat = await startKat({ args, dataDir: join(root, kind) });
      await kat.stop();
    }),
  );
  process.env[PREPARED_FOLDERS] = root;
  return () => rmSync(root, { recursive: true, force: true });
}
