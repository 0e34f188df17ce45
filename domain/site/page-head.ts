/** What a page's head says to browsers, search engines and social cards, by its address. */
import { findRoute, SITE_ROUTES } from './routes.ts';

export const SITE_NAME = 'Kat';

export interface PageHead {
  title: string;
  description: string;
  /** The one path under which the page is known; null: nobody should find it. */
  canonicalPath: string | null;
}

const GENERAL_DESCRIPTION = SITE_ROUTES[0].description;

/** @param pathname  of any address, known or not */
export function headOf(pathname: string): PageHead {
  const route = findRoute(pathname);
  const title = route?.title ?? 'Page not found';
  return {
    title: route?.path === '/' ? `${SITE_NAME} – ${title}` : `${title} – ${SITE_NAME}`,
    description: route?.description ?? GENERAL_DESCRIPTION,
    canonicalPath: route === null || route.description === null ? null : route.path,
  };
}

/** Where the origin stands in built documents until the server, which knows it, fills it in. */
export const ORIGIN_PLACEHOLDER = 'https://origin.invalid';
