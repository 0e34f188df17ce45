/** Sizes are gzip sizes of the built site's files: by import before the first paint, by `import()` after it. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import {
  ENTRY,
  loadedBy,
  MANIFEST_FILE,
  type Manifest,
  readManifest,
  scriptsOf,
  stylesOf,
} from '../site/build-manifest.ts';
import { KAT_NEAR } from '../site/kat-parts.ts';
import { currentSiteDir } from '../site/site-cache.ts';

/** JavaScript before the first paint of a page. No budget counts fonts (woff2 is not gzipped). */
const FIRST_PAINT_KB = 131;
/** What /kat loads on arrival: the first screen of a laptop. */
const KAT_TOTAL_KB = 264;
/** Signed-in users also load streams, saved predictions and their checks; not the library of accounts. */
const KAT_SIGNED_IN_KB = 287;
/** What the rest of /kat adds for a signed-in user who scrolls to its end. */
const KAT_NEAR_KB = 41;
/** The total that /kat fetches only when a button is clicked: it delays no paint and no forecast. */
const KAT_ON_CLICK_KB = 41;

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
/** Loads when a session must be renewed (its token is valid for an hour), and on the pages of accounts. */
const ACCOUNTS = '../node_modules/@supabase/auth-js/dist/module/index.js';
/** Nor modules that load after sign-in: profile, plan, functions, unread posts, alerts. */
const AFTER_SIGN_IN =
  /^(?:_kat-signed-in-|_profile-|session\/profile\.ts|\.\.\/domain\/billing\/subscription-record\.ts|features\/(?:changelog|alerts)\/)/;
/** By their buttons: the account menu; the lists of the pickers; the command palette; 'Alerts' beside a prediction; 'CSV' and 'JSON'; the chart's tour; the watchlist. */
const ON_CLICK = new Set([
  // A longer timeframe, while its forecast runs.
  'features/forecast/run/forming-candle.ts',
  'app/layout/account-menu-panel.tsx',
  'app/layout/command-menu.tsx',
  'features/alerts/rules/alert-dialog.tsx',
  'features/watchlist/watch-side.tsx',
  'ui/forms/picker-list.tsx',
  // 'Take the tour', and what an account's first visit reads from the server.
  'features/onboarding/tour.tsx',
  'features/onboarding/progress.ts',
  '../domain/forecast/prediction-export.ts',
  // For an address or a saved prediction of a market which this browser has not met.
  'features/forecast/controls/name-market.ts',
]);
/** Other pages' chunks are never followed, nor the search of users, which only an admin's palette loads. */
const PAGE = /^(?:pages\/|_admin-api-)/;

/** Which files each budget counts. @throws Error if the manifest lacks a module that a budget needs */
export function budgetsOf(manifest: Manifest): Budget[] {
  for (const key of [ENTRY, HOME, KAT, ...SIGNED_IN_ONLY, ...ON_CLICK, ...KAT_NEAR, ACCOUNTS])
    if (!manifest[key]) throw new Error(`The manifest has no ${key}.`);
  const firstOf = (page: string) => scriptsOf(manifest, loadedBy(manifest, [ENTRY, page]));
  const allOf = (isFollowed: (module: string) => boolean) => {
    const keys = loadedBy(
      manifest,
      [ENTRY, KAT],
      (module) => !PAGE.test(module) && module !== ACCOUNTS && isFollowed(module),
    );
    return [...scriptsOf(manifest, keys), ...stylesOf(manifest, keys)];
  };
  const isNear = (module: string) => KAT_NEAR.includes(module);
  const signedIn = allOf((module) => !ON_CLICK.has(module) && !isNear(module));
  const scrolled = allOf((module) => !ON_CLICK.has(module));
  return [
    { name: 'JavaScript before the first paint of /', limitKb: FIRST_PAINT_KB, files: firstOf(HOME) },
    { name: 'JavaScript before the first paint of /kat', limitKb: FIRST_PAINT_KB, files: firstOf(KAT) },
    {
      name: 'scripts and styles that /kat loads on arrival for a visitor',
      limitKb: KAT_TOTAL_KB,
      files: allOf(
        (module) =>
          !SIGNED_IN_ONLY.has(module) && !ON_CLICK.has(module) && !AFTER_SIGN_IN.test(module) && !isNear(module),
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
      files: allOf(() => true).filter((file) => !scrolled.includes(file)),
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
