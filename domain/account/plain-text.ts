/** Control characters, line ends included: databases refuse some of them, and no name contains any. */
const CONTROL = /\p{Cc}/u;

/** False for text with control characters or half of a surrogate pair, which no database stores. */
export function isPlainText(text: string): boolean {
  return text.isWellFormed() && !CONTROL.test(text);
}
