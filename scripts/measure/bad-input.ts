/** What is wrong with a file or an argument, in a sentence for whoever gave it. Anything else that is thrown is a bug. */
export class BadInput extends Error {
  override readonly name = 'BadInput';
}
