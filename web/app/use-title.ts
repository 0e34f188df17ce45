/** The document's title by the address. */
import { useEffect } from 'react';
import { matchPath, useLocation } from 'react-router';
import { ROUTES } from './routes.ts';

const SITE = 'Kat';

export function useTitle(): void {
  const { pathname } = useLocation();
  useEffect(() => {
    document.title = titleOf(pathname);
  }, [pathname]);
}

export function titleOf(pathname: string): string {
  const route = ROUTES.find((candidate) => matchPath(candidate.path, pathname) !== null);
  if (!route) return SITE;
  return route.path === '/' ? `${SITE} – ${route.title}` : `${route.title} – ${SITE}`;
}
