/** A call to the server that was refused, unanswered, or interrupted. `message` can be shown to users. */
export class CallError extends Error {
  override readonly name = 'CallError';
  /** The server's code, or one of ours: `network`, `unknown`, `stream/lost`, `stream/refused`, `stream/bad-json`. */
  readonly code: string;
  /** HTTP status of the refusal; 0 without a complete answer. */
  readonly status: number;

  constructor(code: string, message: string, status: number, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.status = status;
  }
}

/**
 * Only the server's own messages come with a code. Without one, nothing arrived or a proxy answered; the library's
 * message is then the browser's ('TypeError: Failed to fetch') or the proxy's.
 *
 * @param otherwise  used in place of such a message
 */
export function serverWords({ code, message }: { code?: string; message?: string }, otherwise: string): string {
  // The code is missing if a gateway answered instead of the tables.
  return code && message && message.length <= LONGEST ? message : otherwise;
}

/** In characters; a longer text isn't a message. */
const LONGEST = 200;
