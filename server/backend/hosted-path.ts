/**
 * How a path to a hosted project is read: once, and in one spelling only. What the limits before it are chosen by is
 * what the project receives, however a request spells it.
 */
import { AppError } from '#domain/errors/app-error.ts';

/** The parts of a project that are sent on. */
export const FORWARDED_ROOTS = ['/auth/v1', '/rest/v1', '/storage/v1'] as const;

/** A name of a stored file may hold one; elsewhere it could only be a character encoded twice. */
const MAY_HOLD_PERCENT = '/storage/v1';

/**
 * @param path  as it stands in a request
 * @returns decoded, with no slash but those between its parts, none of them empty
 * @throws AppError `request/not-found` for a path outside the forwarded roots and for one that can be read in two ways
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

/** The same path as an address spells it. */
export function encodedPath(path: string): string {
  return path.split('/').map(encodeURIComponent).join('/');
}

/** @returns '' for what is not even UTF-8: no part of a path of the protocol */
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
