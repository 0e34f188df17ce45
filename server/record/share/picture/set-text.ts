/** Sets text as outlines: the picture library finds no fonts on a bare server, and reads none that are compressed. */
import { readFileSync } from 'node:fs';
import { short } from '#domain/picture/candle-paths.ts';
import type { PictureText, TextSetter, Weight } from '#domain/share/forecast-picture.ts';

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

function widthOf(text: string, sizePx: number, weight: Weight = 400): number {
  return (sizePx / UNITS) * glyphsOf(text, weight).reduce((sum, { advance }) => sum + advance, 0);
}

function set({ text, x, y, sizePx, weight = 400, anchor = 'start', tone }: PictureText): string {
  const width = widthOf(text, sizePx, weight);
  const left = anchor === 'start' ? x : anchor === 'end' ? x - width : x - width / 2;
  let at = 0;
  const outlines = glyphsOf(text, weight).map(({ advance, d }) => {
    const outline = d === '' ? '' : `<path transform="translate(${at} 0)" d="${d}"/>`;
    at += advance;
    return outline;
  });
  const place = `translate(${short(left)} ${short(y)}) scale(${sizePx / UNITS})`;
  return `<g class="${tone}" transform="${place}">${outlines.join('')}</g>`;
}

export const OUTLINES: TextSetter = { widthOf, set };
