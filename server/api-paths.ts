/** Which paths answer programs, and are never a page of the site. */
import { FOREIGN, ROUTES } from '#domain/contract/routes.ts';

const API_ROOTS = new Set([...FOREIGN, ...Object.keys(ROUTES)].map((path) => path.split('/')[1] ?? ''));

/** /auth/v1 is the auth service; /auth/signin and its siblings are pages. */
export function isApiPath(path: string): boolean {
  const [, first = '', second = ''] = path.split('/');
  return first === 'auth' ? second === 'v1' : API_ROOTS.has(first);
}
