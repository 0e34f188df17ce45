/** Writes the script of forecasts' pages into a built site. The server's pages name it; they are no pages of the app. */
import { join } from 'node:path';
import { build } from 'vite';
import { ROOT } from './site-cache.ts';

/** @param siteDir  the folder of the built site */
export async function writeForecastPage(siteDir: string): Promise<void> {
  await build({
    configFile: false,
    root: ROOT,
    logLevel: 'warn',
    build: {
      outDir: siteDir,
      emptyOutDir: false,
      copyPublicDir: false,
      minify: true,
      // No helper for preloading: the one part that loads later is small.
      ssr: join(ROOT, 'web/forecast-page/forecast-page.ts'),
      target: 'es2022',
      rolldownOptions: {
        output: { entryFileNames: 'forecast-page.js', chunkFileNames: 'assets/forecast-[name]-[hash].js' },
      },
    },
    ssr: { noExternal: true },
  });
}
