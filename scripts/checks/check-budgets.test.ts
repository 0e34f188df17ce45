import { expect, test } from 'vitest';
import type { BuildManifest } from '../site/build-manifest.ts';
import { KAT_NEAR } from '../site/kat-parts.ts';
import { budgetsOf } from './check-budgets.ts';

const PANEL = 'features/forecast/panel/live-panel.tsx';
const ACCOUNTS = '../node_modules/@supabase/auth-js/dist/module/index.js';
const DIALOG = 'features/alerts/rules/alert-dialog.tsx';
const TOUR = 'features/onboarding/tour.tsx';
const OPENING = 'features/forecast/controls/opening-text.ts';
const PROGRESS = 'features/onboarding/progress.ts';
const EXPORT = 'features/predictions/prediction-files.ts';
const MOCKS = 'features/market-clock/mock-holidays.ts';
const CLOCK = 'features/market-clock/market-clock.ts';
const NEWS = 'features/news/news-list.tsx';
const LOCKED_NEWS = 'features/news/locked-news.tsx';
const LINKS = 'session/link-answer.tsx';
const GRID = 'features/predictions/prediction-grid.tsx';
const MENU = 'app/layout/account-menu.tsx';
const MENU_PANEL = 'app/layout/account-menu-panel.tsx';
const PALETTE = 'app/layout/command-menu.tsx';
const LISTS = 'ui/forms/picker-list.tsx';
const SYMBOL_LIST = 'features/forecast/controls/symbol-list.tsx';
const CLOSED = 'features/forecast/controls/closed-market.tsx';
const TOASTS = 'features/alerts/alert-toasts.tsx';
const OPENING_ALERT = 'features/alerts/rules/opening-alert.tsx';
const NAMED = 'features/forecast/controls/name-market.ts';
const WATCHLIST = 'features/watchlist/watch-side.tsx';
const STARS = 'features/watchlist/watch-stars.tsx';
const CHANCES = 'features/forecast/chances/chances.tsx';
const CHART_EXPORT = 'features/forecast/export/export-dialog.tsx';
const TRANSLATED = 'app/translated-page.ts';
const MARKS = 'features/forecast/trades/trade-marks.ts';
const SHARE = 'features/predictions/sharing/share-dialog.tsx';

const MANIFEST: BuildManifest = {
  'index.html': {
    file: 'entry.js',
    imports: ['_react'],
    dynamicImports: [
      'pages/home-page.tsx',
      'pages/trading/kat-page.tsx',
      'client',
      ACCOUNTS,
      LINKS,
      MENU,
      PALETTE,
      TRANSLATED,
    ],
  },
  _react: { file: 'react.js', css: ['react.css'] },
  [ACCOUNTS]: { file: 'accounts.js' },
  [LINKS]: { file: 'links.js' },
  [MENU]: { file: 'menu.js', dynamicImports: [MENU_PANEL] },
  [MENU_PANEL]: { file: 'menu-panel.js' },
  [PALETTE]: { file: 'palette.js' },
  [TRANSLATED]: { file: 'translated.js' },
  [LISTS]: { file: 'lists.js' },
  [SYMBOL_LIST]: { file: 'symbol-list.js', imports: [LISTS] },
  [CLOSED]: { file: 'closed.js' },
  [TOASTS]: { file: 'toasts.js' },
  [OPENING_ALERT]: { file: 'opening-alert.js' },
  [NAMED]: { file: 'named.js' },
  [WATCHLIST]: { file: 'watchlist.js' },
  [STARS]: { file: 'stars.js' },
  [CHANCES]: { file: 'chances.js' },
  [SHARE]: { file: 'share.js' },
  [MARKS]: { file: 'marks.js' },
  [CHART_EXPORT]: { file: 'chart-export.js' },
  client: { file: 'client.js', imports: ['_react'] },
  'pages/home-page.tsx': { file: 'home.js', imports: ['_react'] },
  'pages/trading/kat-page.tsx': {
    file: 'kat.js',
    imports: ['_chart'],
    dynamicImports: [
      ...['library', PANEL, ...KAT_NEAR, TOUR, OPENING, PROGRESS, LISTS, NAMED, WATCHLIST, STARS, MARKS],
      ...[SYMBOL_LIST, CLOSED, OPENING_ALERT, TOASTS],
    ],
    css: ['kat.css'],
  },
  [PANEL]: { file: 'live.js', imports: ['_chart'], dynamicImports: [CHANCES, CHART_EXPORT] },
  [GRID]: { file: 'grid.js', css: ['grid.css'], dynamicImports: [DIALOG, EXPORT, SHARE] },
  [DIALOG]: { file: 'dialog.js', css: ['dialog.css'], imports: ['_chart', '_switch'] },
  [EXPORT]: { file: 'export.js' },
  [CLOCK]: { file: 'clock.js', dynamicImports: [MOCKS] },
  [MOCKS]: { file: 'mocks.js' },
  [NEWS]: { file: 'news.js', dynamicImports: [LOCKED_NEWS] },
  [LOCKED_NEWS]: { file: 'locked-news.js' },
  [TOUR]: { file: 'tour.js' },
  [OPENING]: { file: 'opening.js' },
  [PROGRESS]: { file: 'progress.js' },
  _switch: { file: 'switch.js' },
  _chart: { file: 'chart.js' },
  ...Object.fromEntries(
    KAT_NEAR.filter((key) => ![GRID, CLOCK, NEWS].includes(key)).map((key) => [key, { file: 'near.js' }]),
  ),
  library: { file: 'library.js' },
};

test('counts imports before the first paint, later loads of the same page, and apart what scrolling and clicks add', () => {
  const [home, kat, visitor, signedIn, near, onClick] = budgetsOf(MANIFEST);

  expect(home?.files.toSorted()).toEqual(['entry.js', 'home.js', 'react.js']);
  expect(kat?.files.toSorted()).toEqual(['chart.js', 'entry.js', 'kat.js', 'react.js']);
  expect(visitor?.files.toSorted()).toEqual([
    'chart.js',
    'client.js',
    'entry.js',
    'kat.css',
    'kat.js',
    'library.js',
    'react.css',
    'react.js',
  ]);
  const more = signedIn?.files.filter((file) => !visitor?.files.includes(file));
  expect(more?.toSorted()).toEqual(['live.js', 'menu.js']);
  expect(near?.files.toSorted()).toEqual(['clock.js', 'grid.css', 'grid.js', 'near.js', 'news.js']);
  expect(onClick?.files.toSorted()).toEqual([
    'chances.js',
    'chart-export.js',
    'closed.js',
    'dialog.css',
    'dialog.js',
    'export.js',
    'lists.js',
    'marks.js',
    'menu-panel.js',
    'mocks.js',
    'named.js',
    'opening-alert.js',
    'opening.js',
    'palette.js',
    'progress.js',
    'share.js',
    'stars.js',
    'switch.js',
    'symbol-list.js',
    'toasts.js',
    'tour.js',
    'translated.js',
    'watchlist.js',
  ]);
});

test('rejects a manifest without one of the pages, so a renamed page cannot slip out of its budget', () => {
  const { 'pages/trading/kat-page.tsx': _removed, ...rest } = MANIFEST;

  expect(() => budgetsOf(rest)).toThrow('pages/trading/kat-page.tsx');
});
