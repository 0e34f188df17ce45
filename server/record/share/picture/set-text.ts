/** Sets text as outlines: the picture library finds no fonts on a bare server, and reads none that are compressed. */
import { readFileSync } from 'node:fs';
import { short } from '#domain/picture/candle-paths.ts';

export type Weight = 400 | 600;

export interface SetText {
  text: string;
  x: number;
  /** Of the baseline. */
  y: number;
  sizePx: number;
  weight?: Weight;
  anchor?: 'start' | 'middle' | 'end';
  /** Class of the outlines, which gives them their colour. */
  className?: string;
}

interface Glyph {
  advance: number;
  d: string;
}

const UNITS = 1000;
/** Replaces characters that were not traced. */
const UNKNOWN = '?';

let traced: ReadonlyMap<string, Glyph> | null = null;

/** Read with the first picture. scripts/pictures/trace_glyphs.py wrote the file. */
function glyphs(): ReadonlyMap<string, Glyph> {
  traced ??= new Map(
    readFileSync(new URL('./glyphs.tsv', import.meta.url), 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => {
        const [weight = '', codePoint = '', advance = '', d = ''] = line.split('\t');
        return [weight + String.fromCodePoint(Number(codePoint)), { advance: Number(advance), d }];
      }),
  );
  return traced;
}

function glyphsOf(text: string, weight: Weight): Glyph[] {
  return Array.from(text, (character) => {
    const glyph = glyphs().get(weight + character) ?? glyphs().get(weight + UNKNOWN);
    if (glyph === undefined) throw new Error('The traced glyphs are incomplete.');
    return glyph;
  });
}

export function textWidth(text: string, sizePx: number, weight: Weight = 400): number {
  return (sizePx / UNITS) * glyphsOf(text, weight).reduce((sum, { advance }) => sum + advance, 0);
}

/** @returns SVG */
export function setText({ text, x, y, sizePx, weight = 400, anchor = 'start', className = '' }: SetText): string {
  const width = textWidth(text, sizePx, weight);
  const left = anchor === 'start' ? x : anchor === 'end' ? x - width : x - width / 2;
  let at = 0;
  const outlines = glyphsOf(text, weight).map(({ advance, d }) => {
    const outline = d === '' ? '' : `<path transform="translate(${at} 0)" d="${d}"/>`;
    at += advance;
    return outline;
  });
  const place = `translate(${short(left)} ${short(y)}) scale(${sizePx / UNITS})`;
  return `<g class="${className}" transform="${place}">${outlines.join('')}</g>`;
}

/** Breaks text at spaces. A word that is wider than a line gets a separate line. */
export function textLines(text: string, widthPx: number, sizePx: number, weight: Weight = 400): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const longer = lines.length === 0 ? word : `${lines.at(-1)} ${word}`;
    if (lines.length > 0 && textWidth(longer, sizePx, weight) <= widthPx) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}
