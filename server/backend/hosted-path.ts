/**
 * Parses a path for a hosted project: once, and in one spelling only. So the path that the limits are chosen by is the
 * one that the project receives, however a request spells it.
 */
import { AppError } from '#domain/errors/app-error.ts';

/** The parts of a project that are forwarded. */
export const FORWARDED_ROOTS = ['/auth/v1', '/rest/v1', '/storage/v1'] as const;

/** A stored file's name may contain a percent sign; elsewhere it could only be a doubly encoded character. */
const MAY_HOLD_PERCENT = '/storage/v1';

/**
 * @param path  as in the request
 * @returns decoded, with slashes only between its parts, none of them empty
 * @throws AppError `request/not-found` for a path outside the forwarded roots, and for an ambiguous one
 */
export function projectPath(path: string): string {
  const root = FORWARDED_ROOTS.find((one) => path.startsWith(`${one}/`));
  if (root === undefined) throw new AppError('request/not-found');
  const parts = path
    .slice(root.length + 1)
    .split('/')
    .map(decoded);
  if (!parts.every((part) => isPlain(part, root === MAY_HOLD_PERCENT))) throw new AppError('request/not-found');
  return `${root}/${parts.join('/')}`;
}

/** The same path, encoded for an address. */
export function encodedPath(path: string): string {
  return path.split('/').map(encodeURIComponent).join('/');
}

/** @returns '' for invalid UTF-8, which no path of the protocol contains */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return '';
  }
}

function isPlain(part: string, mayHoldPercent: boolean): boolean {
  if (part === '' || part === '.' || part === '..') return false;
  return !/[/\\\0]/.test(part) && (mayHoldPercent || !part.includes('%'));
}
