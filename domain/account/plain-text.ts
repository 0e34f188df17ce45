/** Control characters, line ends included: databases refuse some of them, and no name contains any. */
const CONTROL = /\p{Cc}/u;

/** False for text with control characters or half of a surrogate pair, which no database stores. */
export function isPlainText(text: string): boolean {
  return text.isWellFormed() && !CONTROL.test(text);
}

export function utf8Length(text: string): number {
  let bytes = 0;
  for (const character of text) {
    const point = character.codePointAt(0) ?? 0;
    if (point < 0x80) bytes += 1;
    else if (point < 0x800) bytes += 2;
    else bytes += point < 0x10000 ? 3 : 4;
  }
  return bytes;
}
