/** Every address of the site with its title and its guard. Each page is a chunk of its own. Spec 1, section 2. */
import { type ComponentType, type LazyExoticComponent, lazy } from 'react';

type Loading = () => Promise<{ default: ComponentType }>;

export interface PageRoute {
  path: string;
  title: string;
  /** guest: signed-out only; user: signed-in only; public: anyone. */
  access: 'public' | 'guest' | 'user';
  Page: LazyExoticComponent<ComponentType>;
}

function route(path: string, title: string, access: PageRoute['access'], load: Loading): PageRoute {
  return { path, title, access, Page: lazy(load) };
}

/** The last one takes every other address. */
export const ROUTES: readonly PageRoute[] = [
  route('/', 'Home', 'public', () => import('../pages/home-page.tsx')),
  route('/kat', 'AI Prediction', 'public', () => import('../pages/kat-page.tsx')),
  route('/market-simulator-v03', 'Market Simulator', 'public', () => import('../pages/market-simulator-page.tsx')),
  route('/research', 'Research', 'public', () => import('../pages/research-page.tsx')),
  route('/ai-models', 'AI Models', 'public', () => import('../pages/ai-models-page.tsx')),
  route('/gallery', 'Gallery', 'public', () => import('../pages/gallery-page.tsx')),
  route('/change-log', 'Change Log', 'public', () => import('../pages/change-log-page.tsx')),
  route('/about', 'About', 'public', () => import('../pages/about-page.tsx')),
  route('/youtube', 'YouTube', 'public', () => import('../pages/youtube-page.tsx')),
  route('/legal', 'Legal', 'public', () => import('../pages/legal-page.tsx')),
  route('/popout', 'Chart', 'public', () => import('../pages/popout-page.tsx')),
  route('/auth/signin', 'Sign In', 'guest', () => import('../pages/sign-in-page.tsx')),
  route('/auth/signup', 'Sign Up', 'guest', () => import('../pages/sign-up-page.tsx')),
  route('/auth/forgot-password', 'Forgot password', 'guest', () => import('../pages/forgot-password-page.tsx')),
  route('/auth/callback', 'Signing in', 'public', () => import('../pages/auth-callback-page.tsx')),
  route('/auth/reset-password', 'Reset password', 'public', () => import('../pages/reset-password-page.tsx')),
  route('/dashboard', 'Dashboard', 'user', () => import('../pages/dashboard-page.tsx')),
  route('/account', 'Profile', 'user', () => import('../pages/account-profile-page.tsx')),
  route('/account/subscription', 'Subscription', 'user', () => import('../pages/account-subscription-page.tsx')),
  route('/account/notifications', 'Notifications', 'user', () => import('../pages/account-notifications-page.tsx')),
  route('/account/security', 'Security', 'user', () => import('../pages/account-security-page.tsx')),
  route('/account/activity', 'Activity', 'user', () => import('../pages/account-activity-page.tsx')),
  route('/account/predictions', 'Predictions', 'user', () => import('../pages/account-predictions-page.tsx')),
  route('/checkout/success', 'Payment', 'public', () => import('../pages/checkout-success-page.tsx')),
  route('/checkout/cancel', 'Payment cancelled', 'public', () => import('../pages/checkout-cancel-page.tsx')),
  route('/admin', 'Admin Dashboard', 'user', () => import('../pages/admin-page.tsx')),
  route('*', 'Page not found', 'public', () => import('../pages/not-found-page.tsx')),
];
