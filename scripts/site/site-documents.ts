/**
 * Public pages are prerendered, so that they can be read before, and without, any script; the others are drawn in the
 * browser, and without scripts show a notice.
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, minifySync } from 'vite';
import { foundRoutes, SITE_ROUTES } from '#domain/site/routes.ts';
import type { Preview } from '../pictures/previews/write-previews.ts';
import { type BuildManifest, ENTRY, loadedBy, readManifest, scriptsOf, stylesInOrder } from './build-manifest.ts';
import {
  headTags,
  inLoadingOrder,
  noscriptHtml,
  styleTags,
  withoutStyles,
  withScriptInside,
  withScriptsLater,
} from './document-head.ts';
import { DIST_DIR, ROOT } from './site-cache.ts';

type RenderPage = (pathname: string) => Promise<string>;

const HEAD_PLACE = '<!--head-->';
const HEAD_END = '</head>';
/** Replaced by the prerendered page, or by the notice of a page that needs scripts. */
const ROOT_PLACE = '<div id="root"><noscript>This page needs JavaScript.</noscript></div>';
/** Used in the document for every unknown address; also the address under which that page is rendered. */
const NOT_FOUND = { page: '*', pathname: '/404', file: '404.html', module: 'pages/not-found-page.tsx' };
/** Prerendered with its page although it is a separate chunk, because the page needs it for its first paint. */
const DRAWN_WITH: Readonly<Record<string, readonly string[]>> = {
  'pages/trading/kat-page.tsx': ['features/forecast/panel/forecast-panel.tsx'],
};

/** Replaces the folder's index.html with documents in which only the origin is still missing. */
export async function writeDocuments(siteDir: string, previews: ReadonlyMap<string, Preview>): Promise<void> {
  const shell = readFileSync(join(siteDir, 'index.html'), 'utf8');
  const manifest = readManifest(siteDir);
  const hasFile = (name: string) => existsSync(join(siteDir, name));
  const modules = pageModules();
  const begin = scriptInside();
  const write = (file: string, pathname: string, page: string, html: string | null, module: string | undefined) => {
    const { styles, scripts } = module === undefined ? NO_FILES : filesOf(manifest, module, shell);
    const head = headTags({ pathname, preview: previews.get(pathname) ?? null, scripts, hasFile });
    const named = put(shell, HEAD_PLACE, head);
    const withHead =
      styles.length === 0 ? named : put(withoutStyles(named), HEAD_END, stylesOf(siteDir, styles) + HEAD_END);
    const root =
      html === null
        ? `<div id="root"><noscript>${noscriptHtml(pathname)}</noscript></div>`
        : `<div id="root" data-page="${page}">${html}</div>`;
    const path = join(siteDir, file);
    mkdirSync(dirname(path), { recursive: true });
    const ordered = inLoadingOrder(withHead);
    const whole = withScriptInside(html === null ? ordered : withScriptsLater(ordered), begin);
    writeFileSync(path, put(whole, ROOT_PLACE, root));
  };

  const drawn = new Set(foundRoutes().map((route) => route.path));
  await withRenderer(async (renderPage) => {
    for (const { path } of SITE_ROUTES) {
      const html = drawn.has(path) ? await renderPage(path) : null;
      write(join(path, 'index.html'), path, path, html, modules.get(path));
    }
    const { file, pathname, page, module } = NOT_FOUND;
    write(file, pathname, page, await renderPage(pathname), module);
  });
}

const NO_FILES = { styles: [], scripts: [] };

/** Styles in the order of the cascade, and the scripts that the shell does not name already. */
function filesOf(manifest: BuildManifest, module: string, shell: string): { styles: string[]; scripts: string[] } {
  if (!manifest[module]) throw new Error(`The manifest has no ${module}.`);
  const roots = [ENTRY, ...(DRAWN_WITH[module] ?? []), module];
  const isNew = (file: string) => !shell.includes(`"/${file}"`);
  return {
    styles: stylesInOrder(manifest, roots),
    scripts: scriptsOf(manifest, loadedBy(manifest, roots)).filter(isNew),
  };
}

/** The theme, and the loader of the rest: the same in every document. The server allows it by its hash. */
function scriptInside(): string {
  const source = ['web/public/theme.js', 'web/begin.js'].map((file) => readFileSync(join(ROOT, file), 'utf8')).join('');
  const { code, errors } = minifySync('begin.js', source);
  const [error] = errors;
  if (error !== undefined) throw new Error(`The documents' script: ${error.message}`);
  return code;
}

/** All of a page's style sheets as one file: each further one would cost the first paint a round trip to the server. */
function stylesOf(siteDir: string, parts: readonly string[]): string {
  const css = parts.map((file) => readFileSync(join(siteDir, file), 'utf8')).join('');
  const whole = `assets/page-${createHash('sha256').update(css).digest('hex').slice(0, 10)}.css`;
  writeFileSync(join(siteDir, whole), css);
  return styleTags(whole, parts);
}

/** Module of each route, read from the one table that names them. */
function pageModules(): Map<string, string> {
  const table = readFileSync(join(ROOT, 'web/app/routes.ts'), 'utf8');
  const rows = [...table.matchAll(/'(\/[^']*)': \(\) => import\('\.\.\/(pages\/[^']+)'\)/g)];
  const modules = new Map(rows.map(([, path = '', module = '']) => [path, module]));
  for (const { path } of SITE_ROUTES) if (!modules.has(path)) throw new Error(`No page module found for ${path}.`);
  return modules;
}

/** A build of the same pages for Node, in a temporary folder below the packages that they import. */
async function withRenderer(work: (renderPage: RenderPage) => Promise<void>): Promise<void> {
  mkdirSync(DIST_DIR, { recursive: true });
  const folder = mkdtempSync(join(DIST_DIR, 'prerender-'));
  try {
    await build({
      configFile: join(ROOT, 'vite.config.ts'),
      logLevel: 'warn',
      publicDir: false,
      build: {
        outDir: folder,
        emptyOutDir: true,
        manifest: false,
        ssr: 'prerender.tsx',
        minify: false,
        rolldownOptions: {
          output: { codeSplitting: true, entryFileNames: 'prerender.mjs', chunkFileNames: '[name]-[hash].mjs' },
        },
      },
    });
    const built: { renderPage: RenderPage } = await import(pathToFileURL(join(folder, 'prerender.mjs')).href);
    await work(built.renderPage);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function put(text: string, place: string, replacement: string): string {
  if (!text.includes(place)) throw new Error(`The document lacks ${place}.`);
  return text.replace(place, () => replacement);
}
