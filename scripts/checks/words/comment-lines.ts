import type { TextLine } from './private-words.ts';

const TRAILING = /\s\/\/ (?<text>.+)$/;

/** A comment begins a line or follows ` // `. A string with ` // ` would count as well; the sources have none. */
export function commentLines(source: string): TextLine[] {
  const found: TextLine[] = [];
  let isInBlock = false;
  for (const [index, raw] of source.split('\n').entries()) {
    const code = raw.trim();
    const opens: boolean = !isInBlock && code.startsWith('/*');
    const isComment = isInBlock || opens || code.startsWith('//');
    const text = isComment ? withoutMarks(code) : (TRAILING.exec(raw)?.groups?.text ?? '');
    if (text !== '') found.push({ line: index + 1, text });
    isInBlock = (isInBlock || opens) && !code.includes('*/');
  }
  return found;
}

/** @param mark  begins a comment in this language: `--` in SQL, `#` in Python. A string with it would count as well. */
export function scriptComments(source: string, mark: string): TextLine[] {
  return source.split('\n').flatMap((raw, index) => {
    const at = raw.indexOf(`${mark} `);
    return at < 0 ? [] : [{ line: index + 1, text: raw.slice(at + mark.length).trim() }];
  });
}

function withoutMarks(code: string): string {
  return code
    .replace(/^(?:\/\*\*?|\*(?!\/)|\/\/)/, '')
    .replace(/\*\/.*$/, '')
    .trim();
}
