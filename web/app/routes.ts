/** Each page is its own chunk; titles and guards are in the domain's table. */
import { type ComponentType, createElement } from 'react';
import { findRoute, type RouteAccess, SITE_ROUTES, type SitePath } from '#domain/site/routes.ts';
import { lazyPart } from '../ui/widget.tsx';
import { useMarkAlive } from './alive.ts';

interface PageModule {
  default: ComponentType;
  /** What else must load before a pre-rendered page hydrates. */
  ready?: Promise<unknown>;
}
type Loading = () => Promise<PageModule>;

export interface PageRoute {
  path: string;
  access: RouteAccess;
  Page: ComponentType;
  load: () => Promise<void>;
}

/** A route without a page, or a page without a route, does not compile. */
const PAGES = {
  '/': () => import('../pages/home-page.tsx'),
  '/kat': () => import('../pages/trading/kat-page.tsx'),
  '/market-simulator-v03': () => import('../pages/trading/market-simulator-page.tsx'),
  '/research': () => import('../pages/about/research-page.tsx'),
  '/ai-models': () => import('../pages/about/ai-models-page.tsx'),
  '/track-record': () => import('../pages/about/track-record-page.tsx'),
  '/pricing': () => import('../pages/billing/pricing-page.tsx'),
  '/gallery': () => import('../pages/about/gallery-page.tsx'),
  '/change-log': () => import('../pages/about/change-log-page.tsx'),
  '/about': () => import('../pages/about/about-page.tsx'),
  '/youtube': () => import('../pages/about/youtube-page.tsx'),
  '/legal': () => import('../pages/about/legal-page.tsx'),
  '/popout': () => import('../pages/trading/popout-page.tsx'),
  '/auth/signin': () => import('../pages/auth/sign-in-page.tsx'),
  '/auth/signup': () => import('../pages/auth/sign-up-page.tsx'),
  '/auth/forgot-password': () => import('../pages/auth/forgot-password-page.tsx'),
  '/auth/callback': () => import('../pages/auth/auth-callback-page.tsx'),
  '/auth/reset-password': () => import('../pages/auth/reset-password-page.tsx'),
  '/dashboard': () => import('../pages/trading/dashboard-page.tsx'),
  '/account': () => import('../pages/account/account-profile-page.tsx'),
  '/account/subscription': () => import('../pages/account/account-subscription-page.tsx'),
  '/account/notifications': () => import('../pages/account/account-notifications-page.tsx'),
  '/account/security': () => import('../pages/account/account-security-page.tsx'),
  '/account/activity': () => import('../pages/account/account-activity-page.tsx'),
  '/account/predictions': () => import('../pages/account/account-predictions-page.tsx'),
  '/checkout/success': () => import('../pages/billing/checkout-success-page.tsx'),
  '/checkout/cancel': () => import('../pages/billing/checkout-cancel-page.tsx'),
  '/admin': () => import('../pages/admin-page.tsx'),
  '/dev/ui': () => import('../pages/dev-ui-page.tsx'),
} as const satisfies Record<SitePath, Loading>;

/** The last route matches every other URL. */
export const ROUTES: readonly PageRoute[] = [
  ...SITE_ROUTES.map(({ path, access }) => ({ path, access, ...pageOf(PAGES[path]) })),
  { path: '*', access: 'public', ...pageOf(() => import('../pages/not-found-page.tsx')) },
];

/** Loads the first page's code before hydration: a pre-rendered page must not flicker while its code loads. */
export async function loadPage(pathname: string): Promise<void> {
  const path = findRoute(pathname)?.path ?? '*';
  await ROUTES.find((route) => route.path === path)?.load();
}

/** @param loading  the page's code; if an update of the site has removed it, the document is loaded again */
export function pageOf(loading: Loading): Pick<PageRoute, 'Page' | 'load'> {
  const Lazy = lazyPart(async () => (await loading()).default, true);
  let loaded: ComponentType | null = null;
  return {
    Page: () => {
      useMarkAlive();
      return createElement(loaded ?? Lazy);
    },
    load: async () => {
      const module = await loading();
      await module.ready;
      loaded = module.default;
    },
  };
}
