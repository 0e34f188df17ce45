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
