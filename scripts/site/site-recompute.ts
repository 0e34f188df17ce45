/** Writes the code that recomputes the record's figures into a built site: one file without imports. */
import { join } from 'node:path';
import { build } from 'vite';
import { ROOT } from './site-cache.ts';

/** @param siteDir  the folder of the built site */
export async function writeRecompute(siteDir: string): Promise<void> {
  await build({
    configFile: false,
    root: ROOT,
    logLevel: 'warn',
    // Not minified, because people read and check it.
    build: {
      outDir: join(siteDir, 'record'),
      emptyOutDir: false,
      copyPublicDir: false,
      minify: false,
      ssr: join(ROOT, 'scripts/site/recompute.ts'),
      target: 'es2022',
      rolldownOptions: { output: { entryFileNames: 'recompute.mjs', codeSplitting: false } },
    },
    ssr: { noExternal: true },
  });
}
