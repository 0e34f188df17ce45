/** A bad file or argument, with a message for the user. Any other error is a bug. */
export class BadInput extends Error {
  override readonly name = 'BadInput';
}
