/** Builds the site from web/ into the folder of scripts/site/build-site.ts: no inlined files, no outside requests. */
import { createHash } from 'node:crypto';
import { join, relative } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin, type Rolldown } from 'vite';
import { KAT_NEAR, KAT_ON_CLICK } from './scripts/site/kat-parts.ts';

const WEB = join(import.meta.dirname, 'web');

/** With the font from the first paint on, text does not move: a fallback font only approximates its widths. */
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

/** Short, identical in prerendered pages, and easy to compress, unlike hashes of lines. */
function scopedName(name: string, file: string): string {
  const hash = createHash('sha256')
    .update(relative(WEB, file.replace(/\?.*$/, '')))
    .digest('base64url');
  return `${name}_${hash.replace(/[^a-zA-Z0-9]/g, '').slice(0, 4)}`;
}

const isReact = /node_modules[\\/](?:react|react-dom|react-router|scheduler)[\\/]/;
const isOwnScript = /[\\/](?:domain|web[\\/](?:brand|charts|features|session|site|platform|ui))[\\/].*\.ts$/;
/** Small parts of packages, of which each page needs a few. */
const isPart =
  /[\\/]lucide-react[\\/].+[\\/]icons[\\/]|[\\/]@tanstack[\\/].+-(?:query|core)[\\/]|[\\/]eventsource-parser[\\/]/;
/** The first paint imports the index of the query library, and uses none of these. */
const isLaterPart =
  /[\\/]@tanstack[\\/].+[\\/](?:queriesObserver|useQueries|infiniteQueryObserver|useInfiniteQuery)\.js$/;
/** Excludes the entry and everything that isn't script: the bundler places those. */
const isPlaced = /[\\/]main\.tsx$|\.html|^\0/;

/**
 * The first paint of / and /kat share one chunk beside React, because every page needs nearly all of it. It includes
 * modules without styles that / needs first and /kat later. Small chunks cost requests and compress badly.
 */
function chunkOf(id: string, context: Rolldown.ChunkingContext): string | null {
  if (isPlaced.test(id) || isLaterPart.test(id)) return null;
  const neededBy = (file: string) => importedBy(join(WEB, file), context).has(id);
  const kat = join(WEB, 'pages/trading/kat-page.tsx');
  const isNeededLater = () =>
    isOwnScript.test(id) && laterThan(kat, context).some((file) => importedBy(file, context).has(id));
  const isNeeded =
    neededBy('main.tsx') ||
    (neededBy('pages/home-page.tsx') && (neededBy('pages/trading/kat-page.tsx') || isNeededLater()));
  return isNeeded ? 'site' : null;
}

/**
 * Modules that /kat shares, and that the first paint of / does not need, form one chunk per load time: as fifty files
 * of a few hundred bytes they would compress to half as much again. Modules with styles are left out, or pages would
 * load styles of others.
 */
function katChunkOf(id: string, context: Rolldown.ChunkingContext): string | null {
  if ((!isOwnScript.test(id) && !isPart.test(id)) || isLaterPart.test(id)) return null;
  const isIn = (entry: string) => entry !== id && importedBy(entry, context).has(id);
  if (FIRST.some((file) => isIn(join(WEB, file)))) return null;
  if (entriesOf(context).filter(isIn).length < 2) return null;
  const page = join(WEB, 'pages/trading/kat-page.tsx');
  if (isIn(page)) return 'kat';
  const isNear = (file: string) => KAT_NEAR.some((near) => file === join(WEB, near));
  const later = laterThan(page, context);
  if (later.some((file) => !isNear(file) && isIn(file))) return 'kat-late';
  if (SIGNED_IN.some((file) => !isNear(join(WEB, file)) && isIn(join(WEB, file)))) return 'kat-signed-in';
  return KAT_NEAR.some((file) => isIn(join(WEB, file))) ? 'kat-near' : null;
}

/** What visitors load after this page was drawn: its widgets, and what these load. */
function laterThan(page: string, context: Rolldown.ChunkingContext): string[] {
  const isForVisitors = (id: string) => ![...SIGNED_IN, ...KAT_ON_CLICK].some((file) => id === join(WEB, file));
  const widgets = context.getModuleInfo(page)?.dynamicallyImportedIds.filter(isForVisitors) ?? [];
  const parts = widgets.flatMap((widget) =>
    [widget, ...importedBy(widget, context)].flatMap(
      (id) => context.getModuleInfo(id)?.dynamicallyImportedIds.filter(isForVisitors) ?? [],
    ),
  );
  return [...widgets, ...parts];
}

const FIRST = ['main.tsx', 'pages/home-page.tsx'];
/** Modules that visitors of /kat never load. */
const SIGNED_IN = [
  'features/forecast/panel/live-panel.tsx',
  'features/predictions/prediction-grid.tsx',
  'features/alerts/rules/alert-bell.tsx',
  'features/alerts/watch-alerts.ts',
];
let entriesKnown: readonly string[] | null = null;

/** Every module that another one imports dynamically. */
function entriesOf(context: Rolldown.ChunkingContext): readonly string[] {
  if (entriesKnown !== null) return entriesKnown;
  const entries = new Set<string>();
  const waiting = [join(WEB, 'main.tsx')];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    for (const id of importedBy(next, context))
      for (const later of context.getModuleInfo(id)?.dynamicallyImportedIds ?? []) {
        if (entries.has(later)) continue;
        entries.add(later);
        waiting.push(later);
      }
  }
  entriesKnown = [...entries];
  return entriesKnown;
}

const importsKnown = new Map<string, Set<string>>();

/** Everything that a module imports, directly or not; dynamic imports do not count. */
function importedBy(id: string, context: Rolldown.ChunkingContext): Set<string> {
  const known = importsKnown.get(id);
  if (known) return known;
  const reached = new Set<string>();
  const waiting = [id];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (reached.has(next)) continue;
    reached.add(next);
    waiting.push(...(context.getModuleInfo(next)?.importedIds ?? []));
  }
  importsKnown.set(id, reached);
  return reached;
}

const isOnEveryPage = /^assets\/(?:rolldown-runtime|react|schemas|site)-/;
/** What the forecast's panels, and parts that come with them, have loaded. */
const isOfPanel = /^assets\/(?:kat|kat-late|badge)-[\w-]{8}\.js$/;
/** Their other files are fetched once they are parsed: naming them with their buttons would cost the first screen as much. */
const comesOnClick = /^assets\/(?:export-dialog|watch-side|watch-stars)-/;
const comesWithPanel = /(?:forecast|live)-panel|kat-(?:late|signed-in)|account-menu|watch-alerts|alert-bell|picker-/;

export default defineConfig({
  root: 'web',
  cacheDir: join(import.meta.dirname, '.cache/vite'),
  plugins: [react(), preloadWordFont()],
  css: { modules: { generateScopedName: scopedName } },
  build: {
    outDir: '../dist/web',
    emptyOutDir: true,
    manifest: true,
    // The oldest that have URL.parse, the newest API in use; `Promise.withResolvers` and `AbortSignal.any` are older.
    target: ['chrome126', 'firefox126', 'safari18'],
    assetsInlineLimit: 0,
    modulePreload: {
      polyfill: false,
      // Naming what is loaded already with each later part would cost the first screen half a kilobyte.
      resolveDependencies: (part, deps, { hostId, hostType }) =>
        hostType === 'html'
          ? deps
          : deps.filter(
              (file) =>
                !isOnEveryPage.test(file) &&
                !(comesWithPanel.test(hostId) && isOfPanel.test(file)) &&
                !(comesOnClick.test(part) && file.endsWith('.js')),
            ),
    },
    reportCompressedSize: false,
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            // Changes only with a release of the packages, so returning visitors have it cached.
            { name: 'react', test: isReact, priority: 2 },
            { name: chunkOf, debugName: 'site', priority: 1 },
            { name: katChunkOf, debugName: 'kat', priority: 0, includeDependenciesRecursively: false },
          ],
        },
      },
    },
  },
});
