/** Sizes are gzip sizes of the built site's files: by import before the first paint, by `import()` after it. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import {
  type BuildManifest,
  ENTRY,
  loadedBy,
  MANIFEST_FILE,
  readManifest,
  scriptsOf,
  stylesOf,
} from '../site/build-manifest.ts';
import { KAT_NEAR, KAT_ON_CLICK } from '../site/kat-parts.ts';
import { currentSiteDir } from '../site/site-cache.ts';

/** JavaScript before the first paint of a page. No budget counts fonts (woff2 is not gzipped). */
const FIRST_PAINT_KB = 128;
/** The same of /kat. */
const KAT_FIRST_PAINT_KB = 129;
/**
 * What /kat loads on arrival: the first screen of a laptop. The live chart and the answer above it are 6 of them; full
 * screen, seams, the way back to the whole chart and the side column are 2. Charts that follow the size of text, and the
 * state without a network, are 1.
 */
const KAT_TOTAL_KB = 274;
/** Signed-in users also load streams, saved predictions and their checks, and what a forecast says of scheduled releases; not the library of accounts. */
const KAT_SIGNED_IN_KB = 295;
/**
 * What the rest of /kat adds for a signed-in user who scrolls to its end, or stays. What comes next today is 3 of them,
 * stored paper trades are 5, what shows without a network is 1.
 */
const KAT_NEAR_KB = 52;
/**
 * The total that /kat fetches only when a button is clicked: it delays no paint and no forecast. Chances are 12 of
 * them: lines over the chart, a plot by bar, dials and the parsers of their messages. The dialog that shares a
 * saved prediction is 3. Export is 10: the plot and the layout of pictures, the files, and the sentence that both have.
 * The search in the list of symbols is 2, the alert at the opening of a closed market 2, and the marks of paper trades
 * on the chart 2. Messages of new alerts are 3.
 */
const KAT_ON_CLICK_KB = 80;

export interface Budget {
  name: string;
  limitKb: number;
  files: readonly string[];
}

const HOME = 'pages/home-page.tsx';
const KAT = 'pages/trading/kat-page.tsx';
/** Modules that a visitor to /kat never loads. */
const SIGNED_IN_ONLY = new Set([
  'app/layout/account-menu.tsx',
  'features/forecast/panel/live-panel.tsx',
  'features/predictions/prediction-grid.tsx',
]);
/** Modules that a signed-in user of /kat never loads. */
const VISITORS_ONLY = 'features/news/locked-news.tsx';
/** Loads when a session must be renewed (its token is valid for an hour), and on the pages of accounts. */
const ACCOUNTS = '../node_modules/@supabase/auth-js/dist/module/index.js';
/** Loads when the link of a mail, or a provider, has brought something. */
const LINKS = 'session/link-answer.tsx';
/** Nor modules that load after sign-in: profile, plan, functions, unread posts, alerts. */
const AFTER_SIGN_IN =
  /^(?:_kat-signed-in-|_profile-|session\/profile\.ts|\.\.\/domain\/billing\/subscription-record\.ts|features\/(?:changelog|alerts)\/)/;
/** Other pages' chunks are never followed, nor the search of users, which only an admin's palette loads. */
const PAGE = /^(?:pages\/|_admin-api-)/;

/** Which files each budget counts. @throws Error if the manifest lacks a module that a budget needs */
export function budgetsOf(manifest: BuildManifest): Budget[] {
  for (const key of [ENTRY, HOME, KAT, ...SIGNED_IN_ONLY, ...KAT_ON_CLICK, ...KAT_NEAR, VISITORS_ONLY, ACCOUNTS, LINKS])
    if (!manifest[key]) throw new Error(`The manifest has no ${key}.`);
  const firstOf = (page: string) => scriptsOf(manifest, loadedBy(manifest, [ENTRY, page]));
  const allOf = (isFollowed: (module: string) => boolean) => {
    const keys = loadedBy(
      manifest,
      [ENTRY, KAT],
      (module) => !PAGE.test(module) && module !== ACCOUNTS && module !== LINKS && isFollowed(module),
    );
    return [...scriptsOf(manifest, keys), ...stylesOf(manifest, keys)];
  };
  const isNear = (module: string) => KAT_NEAR.includes(module);
  const isOnClick = (module: string) => KAT_ON_CLICK.includes(module);
  const signedIn = allOf((module) => !isOnClick(module) && !isNear(module));
  const scrolled = allOf((module) => !isOnClick(module) && module !== VISITORS_ONLY);
  return [
    { name: 'JavaScript before the first paint of /', limitKb: FIRST_PAINT_KB, files: firstOf(HOME) },
    { name: 'JavaScript before the first paint of /kat', limitKb: KAT_FIRST_PAINT_KB, files: firstOf(KAT) },
    {
      name: 'scripts and styles that /kat loads on arrival for a visitor',
      limitKb: KAT_TOTAL_KB,
      files: allOf(
        (module) => !SIGNED_IN_ONLY.has(module) && !isOnClick(module) && !AFTER_SIGN_IN.test(module) && !isNear(module),
      ),
    },
    {
      name: 'the same for signed-in users',
      limitKb: KAT_SIGNED_IN_KB,
      files: signedIn,
    },
    {
      name: 'what /kat adds while they scroll to its end',
      limitKb: KAT_NEAR_KB,
      files: scrolled.filter((file) => !signedIn.includes(file)),
    },
    {
      name: 'what buttons on /kat fetch when they are clicked',
      limitKb: KAT_ON_CLICK_KB,
      files: allOf((module) => module !== VISITORS_ONLY).filter((file) => !scrolled.includes(file)),
    },
  ];
}

function checkBudgets(folder: string): boolean {
  if (!existsSync(join(folder, MANIFEST_FILE))) {
    console.error(`The site is not built in ${folder}: npm start builds it.`);
    return false;
  }
  const results = budgetsOf(readManifest(folder)).map((budget) => {
    const bytes = budget.files.reduce((sum, file) => sum + gzipSync(readFileSync(join(folder, file))).length, 0);
    const isMet = bytes <= budget.limitKb * 1024;
    const figures = `${(bytes / 1024).toFixed(1)} of ${budget.limitKb} KB`;
    console.log(
      `${isMet ? 'ok      ' : 'EXCEEDED'} ${figures.padStart(18)}  ${budget.name} (${budget.files.length} files)`,
    );
    return isMet;
  });
  return results.every(Boolean);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const folder = process.argv[2] ?? currentSiteDir();
  if (!checkBudgets(folder)) process.exitCode = 1;
}
