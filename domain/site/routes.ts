/** The route table: what is a page and what is not. Specification 1, section 2; READINGS lists the routes of our own. */
export type RouteAccess = 'public' | 'signed-out' | 'signed-in' | 'any';

export interface SiteRoute {
  path: string;
  access: RouteAccess;
  /** Document title before the product's name; on the home page after it. */
  title: string;
}

export const SITE_ROUTES = [
  { path: '/', access: 'public', title: 'honest one-minute forecasts' },
  { path: '/kat', access: 'public', title: 'AI Prediction' },
  { path: '/market-simulator-v03', access: 'public', title: 'Market Simulator' },
  { path: '/research', access: 'public', title: 'Research' },
  { path: '/ai-models', access: 'public', title: 'AI Models' },
  { path: '/gallery', access: 'public', title: 'Prediction Gallery' },
  { path: '/change-log', access: 'public', title: 'Change Log' },
  { path: '/about', access: 'public', title: 'About' },
  { path: '/youtube', access: 'public', title: 'YouTube' },
  { path: '/legal', access: 'public', title: 'Legal' },
  { path: '/popout', access: 'public', title: 'Chart' },
  { path: '/auth/signin', access: 'signed-out', title: 'Sign In' },
  { path: '/auth/signup', access: 'signed-out', title: 'Sign Up' },
  { path: '/auth/forgot-password', access: 'signed-out', title: 'Forgot password' },
  { path: '/auth/callback', access: 'any', title: 'Signing in' },
  { path: '/auth/reset-password', access: 'any', title: 'Reset password' },
  { path: '/dashboard', access: 'signed-in', title: 'Dashboard' },
  { path: '/account', access: 'signed-in', title: 'Profile' },
  { path: '/account/subscription', access: 'signed-in', title: 'Subscription' },
  { path: '/account/notifications', access: 'signed-in', title: 'Notifications' },
  { path: '/account/security', access: 'signed-in', title: 'Security' },
  { path: '/account/activity', access: 'signed-in', title: 'Activity' },
  { path: '/account/predictions', access: 'signed-in', title: 'Predictions' },
  { path: '/checkout/success', access: 'any', title: 'Payment' },
  { path: '/checkout/cancel', access: 'any', title: 'Payment cancelled' },
  { path: '/admin', access: 'signed-in', title: 'Admin Dashboard' },
] as const satisfies readonly SiteRoute[];
export type SitePath = (typeof SITE_ROUTES)[number]['path'];

/** The route of a path (a trailing slash is forgiven), or null: then the page says '404 – Page Not Found'. */
export function findRoute(pathname: string): SiteRoute | null {
  const path = pathname.length > 1 ? pathname.replace(/\/+$/, '') : pathname;
  return SITE_ROUTES.find((route) => route.path === path) ?? null;
}
