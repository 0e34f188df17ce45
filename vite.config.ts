/** Builds the site from web/ (scripts/build-site.ts says into which folder): no inline script, no inlined file, nothing fetched from elsewhere. */
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

/** The font of words is needed by the first paint and would else be found only after the style sheet. */
function preloadWordFont(): Plugin {
  return {
    name: 'preload-word-font',
    transformIndexHtml: {
      order: 'post',
      handler(_html, { bundle }) {
        const font = Object.keys(bundle ?? {}).find((name) => /inter-latin-wght-normal.*\.woff2$/.test(name));
        if (font === undefined) return [];
        const attrs = { rel: 'preload', as: 'font', type: 'font/woff2', href: `/${font}`, crossorigin: '' };
        return [{ tag: 'link', attrs, injectTo: 'head' }];
      },
    },
  };
}

/** The started server that `npm run dev` stands beside. */
const SERVER = `http://127.0.0.1:${process.env.PORT ?? '3000'}`;

const isReact = /node_modules[\\/](?:react|react-dom|react-router|scheduler)[\\/]/;

export default defineConfig({
  root: 'web',
  plugins: [react(), preloadWordFont()],
  build: {
    outDir: '../dist/web',
    emptyOutDir: true,
    manifest: true,
    target: ['chrome120', 'firefox120', 'safari17'],
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: {
      // Changes with a release of the packages only, so returning visitors keep it.
      output: { codeSplitting: { groups: [{ name: 'react', test: isReact }] } },
    },
  },
  server: {
    // `npm run dev` beside a started server: pages from here, everything else from there.
    proxy: {
      '/market/ws': { target: SERVER, ws: true, changeOrigin: true },
      ...Object.fromEntries(
        [
          '/config.json',
          '/models.json',
          '/site.json',
          '/news/images',
          '/donations',
          '/auth/v1',
          '/rest/v1',
          '/functions/v1',
          '/history',
          '/stream-kat2',
          '/forecast',
          '/api/v3',
          '/fng',
          '/0/public',
          '/products',
          '/dev',
        ].map((path) => [path, SERVER]),
      ),
    },
  },
});
