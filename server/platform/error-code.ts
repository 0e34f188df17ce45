/** True for an error of Node with this code, such as ENOENT. */
export function hasErrorCode(error: unknown, ...codes: readonly string[]): boolean {
  return error instanceof Error && 'code' in error && codes.some((code) => code === error.code);
}

/** For `catch`: null for a missing file. @throws any other error */
export function nullIfMissing(error: unknown): null {
  if (hasErrorCode(error, 'ENOENT')) return null;
  throw error;
}
