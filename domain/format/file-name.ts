/** 'kat-BTC-2026-11-22T14-05-kat1.csv'. Uses only characters that every file system accepts. */
export function fileName(parts: readonly string[], ending: string): string {
  const plain = parts.map((text) => text.replaceAll(/[^A-Za-z0-9_]/g, '-').slice(0, 40));
  return `kat-${plain.join('-')}.${ending}`;
}
