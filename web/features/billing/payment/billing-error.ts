/** What went wrong with a plan or a payment, fit for people. */
export class BillingError extends Error {
  override readonly name = 'BillingError';
  /** The server's own sentence, where it gave one beside `message`. */
  readonly detail: string | null;

  constructor(message: string, detail: string | null = null, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.detail = detail === message ? null : detail;
  }
}
