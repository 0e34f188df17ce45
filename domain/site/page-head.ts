/** Head of a page, by its path: for browsers, search engines and social cards. */
import { findRoute, SITE_ROUTES } from './routes.ts';

export const SITE_NAME = 'Kat';

export interface PageHead {
  title: string;
  description: string;
  /** The canonical path; null keeps the page out of search results. */
  canonicalPath: string | null;
}

const GENERAL_DESCRIPTION = SITE_ROUTES[0].description;

export function headOf(pathname: string): PageHead {
  const route = findRoute(pathname);
  const title = route?.title ?? 'Page not found';
  return {
    title: route?.path === '/' ? `${SITE_NAME} – ${title}` : `${title} – ${SITE_NAME}`,
    description: route?.description ?? GENERAL_DESCRIPTION,
    canonicalPath: route === null || route.description === null ? null : route.path,
  };
}

/** Placeholder for the origin in built documents, which the server replaces. */
export const ORIGIN_PLACEHOLDER = 'https://origin.invalid';
