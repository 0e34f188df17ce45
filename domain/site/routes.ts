export type RouteAccess = 'public' | 'signed-out' | 'signed-in' | 'any';

export interface SiteRoute {
  path: string;
  access: RouteAccess;
  title: string;
  /** One or two sentences for search engines and cards; null for a page that should not be found there. */
  description: string | null;
}

/** The documentation: separate pages, outside the app's routes. */
export const DOCS_PATH = '/docs/';

export const SITE_ROUTES = [
  {
    path: '/',
    access: 'public',
    title: 'honest one-minute forecasts',
    description:
      'One-minute forecasts of price ranges with calibrated bands, drawn candle by candle. For research and education only. Not financial advice.',
  },
  {
    path: '/kat',
    access: 'public',
    title: 'AI Prediction',
    description:
      'Forecast the next fifty one-minute candles of BTC, ETH and more with calibrated bands, beside a live order book, trading sessions and a holiday calendar.',
  },
  {
    path: '/market-simulator-v03',
    access: 'public',
    title: 'Market Simulator',
    description: 'A market simulator for practice: simulated prices that behave like real ones, with nothing at stake.',
  },
  {
    path: '/research',
    access: 'public',
    title: 'Research',
    description:
      'How the forecasts are made and measured: method, data, results with their intervals, and known limits.',
  },
  {
    path: '/ai-models',
    access: 'public',
    title: 'AI Models',
    description:
      'Bobcat, Panther and Lion: what the three models read, what they forecast, how well their bands hold, and what their limits are.',
  },
  {
    path: '/track-record',
    access: 'public',
    title: 'Track Record',
    description:
      'Every forecast is sealed before its outcome is known and scored by fixed rules. Hits and misses are shown alike. Verify it in your browser.',
  },
  {
    path: '/pricing',
    access: 'public',
    title: 'Pricing',
    description:
      'What the Free, Bobcat and Lion plans cost and include, how well their models forecast, and how cancelling and refunds work.',
  },
  {
    path: '/gallery',
    access: 'public',
    title: 'Prediction Gallery',
    description: 'Forecasts next to what the market did afterwards, misses included.',
  },
  {
    path: '/change-log',
    access: 'public',
    title: 'Change Log',
    description: 'What’s new in Kat, newest first. Also available as an Atom feed.',
  },
  {
    path: '/about',
    access: 'public',
    title: 'About',
    description: 'Who makes Kat, why it forecasts ranges instead of prices, and how to support it.',
  },
  {
    path: '/youtube',
    access: 'public',
    title: 'YouTube',
    description: 'Videos about Kat: how the models work, how to read a band, and what the record shows.',
  },
  {
    path: '/legal',
    access: 'public',
    title: 'Legal',
    description: 'Kat’s terms of use and privacy policy: what we store, why, for how long, and what you can request.',
  },
  { path: '/popout', access: 'public', title: 'Chart', description: null },
  { path: '/auth/signin', access: 'signed-out', title: 'Sign In', description: null },
  { path: '/auth/signup', access: 'signed-out', title: 'Sign Up', description: null },
  { path: '/auth/forgot-password', access: 'signed-out', title: 'Forgot password', description: null },
  { path: '/auth/callback', access: 'any', title: 'Signing in', description: null },
  { path: '/auth/reset-password', access: 'any', title: 'Reset password', description: null },
  { path: '/dashboard', access: 'signed-in', title: 'Dashboard', description: null },
  { path: '/account', access: 'signed-in', title: 'Profile', description: null },
  { path: '/account/subscription', access: 'signed-in', title: 'Subscription', description: null },
  { path: '/account/notifications', access: 'signed-in', title: 'Notifications', description: null },
  { path: '/account/security', access: 'signed-in', title: 'Security', description: null },
  { path: '/account/activity', access: 'signed-in', title: 'Activity', description: null },
  { path: '/account/predictions', access: 'signed-in', title: 'Predictions', description: null },
  { path: '/checkout/success', access: 'any', title: 'Payment', description: null },
  { path: '/checkout/cancel', access: 'any', title: 'Payment cancelled', description: null },
  { path: '/admin', access: 'signed-in', title: 'Admin Dashboard', description: null },
  // The server shows it on development machines only.
  { path: '/dev/ui', access: 'any', title: 'Design system', description: null },
] as const satisfies readonly SiteRoute[];
export type SitePath = (typeof SITE_ROUTES)[number]['path'];

/** The route of a path (a trailing slash is ignored), or null: then the page shows '404 – Page Not Found'. */
export function findRoute(pathname: string): SiteRoute | null {
  const path = pathname.length > 1 ? pathname.replace(/(?<!\/)\/+$/, '') : pathname;
  return SITE_ROUTES.find((route) => route.path === path) ?? null;
}

/** Pages that are pre-rendered, listed in the sitemap and open to search engines. */
export function foundRoutes(): SiteRoute[] {
  return SITE_ROUTES.filter((route) => route.description !== null);
}
