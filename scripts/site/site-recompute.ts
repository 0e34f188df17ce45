/** Writes the code that recomputes the record's figures into a built site: one file that needs no other. */
import { join } from 'node:path';
import { build } from 'vite';
import { ROOT } from './site-cache.ts';

/** @param siteDir  the folder that the site was built into */
export async function writeRecompute(siteDir: string): Promise<void> {
  await build({
    configFile: false,
    root: ROOT,
    logLevel: 'warn',
    // Read by people: what stands in it is meant to be checked.
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
