/** An error of a plan or payment, with a message suitable for users. */
export class BillingError extends Error {
  override readonly name = 'BillingError';
  /** The server's own message, if it sent one besides `message`. */
  readonly detail: string | null;

  constructor(message: string, detail: string | null = null, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.detail = detail === message ? null : detail;
  }
}
