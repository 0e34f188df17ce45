/** What the documents take from the built site: its fonts, and the page's script. */
import { hash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { documentStyle, type SiteFonts } from './style.ts';

export interface SiteParts {
  pageStyle: string;
  embedStyle: string;
  /** Path of the page's script; null while the site is not built. */
  script: string | null;
}

const SCRIPT = 'forecast-page.js';

export function siteParts(siteDir: string): SiteParts {
  const assets = read(() => readdirSync(join(siteDir, 'assets'))) ?? [];
  const font = (name: string): string | null => {
    const file = assets.find((asset) => asset.startsWith(`${name}-latin-wght-normal-`) && asset.endsWith('.woff2'));
    return file === undefined ? null : `/assets/${file}`;
  };
  const fonts: SiteFonts = { text: font('inter'), figures: font('jetbrains-mono') };
  const code = read(() => readFileSync(join(siteDir, SCRIPT)));
  return {
    pageStyle: documentStyle('page', fonts),
    // Another site's page must not wait for fonts of ours.
    embedStyle: documentStyle('embed', { text: null, figures: null }),
    // Named by its content, so that a page never runs a stored script of an earlier build.
    script: code === null ? null : `/${SCRIPT}?v=${hash('sha256', code, 'hex').slice(0, 12)}`,
  };
}

function read<T>(of: () => T): T | null {
  try {
    return of();
  } catch {
    // A server without a built site still has its pages, in the system's fonts and without the script.
    return null;
  }
}
