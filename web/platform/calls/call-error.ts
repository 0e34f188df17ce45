/** A call to the server that was refused, went unanswered, or broke off. `message` is fit for people. */
export class CallError extends Error {
  override readonly name = 'CallError';
  /** The server's own, or one of ours: `network`, `unknown`, `stream/lost`, `stream/refused`, `stream/bad-json`. */
  readonly code: string;
  /** HTTP status of the refusal; 0 when there was no answer or it broke off. */
  readonly status: number;

  constructor(code: string, message: string, status: number, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.status = status;
  }
}

/**
 * The server's own words come with a code. Without one nothing arrived, or a page of something in between: what the
 * library tells then is the browser's word for that ('TypeError: Failed to fetch'), or a proxy's.
 *
 * @param otherwise  said in their place
 */
export function serverWords({ code, message }: { code?: string; message?: string }, otherwise: string): string {
  // Missing where not the tables answered but what stands before them.
  return code && message && message.length <= LONGEST ? message : otherwise;
}

/** Characters: more is no sentence. */
const LONGEST = 200;
