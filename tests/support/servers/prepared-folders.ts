/** Data folders as a first start leaves them: servers start from a copy, which saves each the database setup. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildSiteWhenStale } from '../../../scripts/site/build-site.ts';
import { PREPARED_FOLDERS } from './filled-folder.ts';
import { BUILT_SITE, startKat } from './kat-server.ts';

const KINDS = { plain: [], demo: ['--demo'] } as const;

/** The test runner calls it before the first browser test. */
export default async function prepareFolders(): Promise<() => void> {
  const root = mkdtempSync(join(tmpdir(), 'kat-prepared-'));
  // Workers inherit it too.
  process.env.NODE_COMPILE_CACHE ??= join(root, 'compiled');
  // Built once for both, and before a start's time limit runs.
  const { siteDir } = await buildSiteWhenStale();
  // In parallel: nothing else runs yet, and one after the other would leave a processor idle.
  await Promise.all(
    Object.entries(KINDS).map(async ([kind, args]) => {
      const kat = await startKat({ args, dataDir: join(root, kind) });
      await kat.stop();
    }),
  );
  process.env[PREPARED_FOLDERS] = root;
  // The two starts above looked for the build themselves, as users' starts do.
  process.env[BUILT_SITE] = siteDir;
  return () => rmSync(root, { recursive: true, force: true });
}
