/**
 * Only the server's own messages come with a code; others are the browser's ('TypeError: Failed to fetch') or a
 * proxy's.
 * @param otherwise  used in place of such a message
 */
export function serverMessage(
  { code, message }: { code?: string | undefined; message?: string | undefined },
  otherwise: string,
): string {
  return code && message && message.length <= LONGEST ? message : otherwise;
}

/** In characters; a longer text isn't a message. */
const LONGEST = 200;
