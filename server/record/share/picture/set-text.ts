/** Sets text as outlines: the picture library finds no fonts on a bare server, and reads none that are compressed. */
import { readFileSync } from 'node:fs';
import { SUBSCRIPT_ZERO } from '#domain/format/price.ts';
import { short } from '#domain/picture/candle-paths.ts';
import type { PictureText, TextSetter, Weight } from '#domain/share/forecast-picture.ts';

interface Glyph {
  advance: number;
  d: string;
  /** Drawn this much smaller, a little below the line. */
  scale?: number;
}

const UNITS = 1000;
/** Replaces characters that were not traced. */
const UNKNOWN = '?';
/** Subscript digits are drawn from the digits. */
const SUBSCRIPT_SCALE = 0.6;
const SUBSCRIPT_DROP = 150;

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
    const digit = character.charCodeAt(0) - SUBSCRIPT_ZERO;
    const isSubscript = digit >= 0 && digit <= 9;
    const traced = isSubscript ? String(digit) : character;
    const glyph = glyphs().get(weight + traced) ?? glyphs().get(weight + UNKNOWN);
    if (glyph === undefined) throw new Error('The traced glyphs are incomplete.');
    return isSubscript ? { ...glyph, advance: glyph.advance * SUBSCRIPT_SCALE, scale: SUBSCRIPT_SCALE } : glyph;
  });
}

function widthOf(text: string, sizePx: number, weight: Weight = 400): number {
  return (sizePx / UNITS) * glyphsOf(text, weight).reduce((sum, { advance }) => sum + advance, 0);
}

function set({ text, x, y, sizePx, weight = 400, anchor = 'start', tone }: PictureText): string {
  const width = widthOf(text, sizePx, weight);
  const left = anchor === 'start' ? x : anchor === 'end' ? x - width : x - width / 2;
  let at = 0;
  const outlines = glyphsOf(text, weight).map(({ advance, d, scale }) => {
    const glyphPlace =
      scale === undefined ? `translate(${at} 0)` : `translate(${at} ${SUBSCRIPT_DROP}) scale(${scale})`;
    const outline = d === '' ? '' : `<path transform="${glyphPlace}" d="${d}"/>`;
    at += advance;
    return outline;
  });
  const place = `translate(${short(left)} ${short(y)}) scale(${sizePx / UNITS})`;
  return `<g class="${tone}" transform="${place}">${outlines.join('')}</g>`;
}

export const OUTLINES: TextSetter = { widthOf, set };
