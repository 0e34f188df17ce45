/**
 * Text as SVG paths, so that a picture needs no font and no browser, and looks the same on every machine. The letters'
 * outlines come from outline-font.py.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod/mini';

const weightSchema = z.object({
  /** By character: its advance and its outline, in units of the font. */
  letters: z.record(z.string(), z.string()),
  /** By the first character of a pair: the second ones with the change of their distance. */
  kerning: z.record(z.string(), z.string()),
});
const outlinesSchema = z.object({
  package: z.string(),
  unitsPerEm: z.number(),
  weights: z.object({ 400: weightSchema, 600: weightSchema }),
});

export const OUTLINES = outlinesSchema.parse(
  JSON.parse(readFileSync(join(import.meta.dirname, 'inter-outlines.json'), 'utf8')),
);

export interface TextStyle {
  sizePx: number;
  weight: 400 | 600;
  colour: string;
  letterSpacingEm?: number;
}

interface Letter {
  advance: number;
  outline: string;
}

/** @param y  of the baseline */
export function textSvg(text: string, style: TextStyle, x: number, y: number): string {
  const scale = style.sizePx / OUTLINES.unitsPerEm;
  let at = 0;
  const paths = [...text].map((character, i) => {
    const { outline } = letterOf(character, style);
    const path = outline === '' ? '' : `<path transform="translate(${Math.round(at)} 0)" d="${outline}"/>`;
    at += advanceOf(text, i, style);
    return path;
  });
  return `<g fill="${style.colour}" transform="translate(${x} ${y}) scale(${scale})">${paths.join('')}</g>`;
}

export function textWidthPx(text: string, style: TextStyle): number {
  const units = [...text].reduce((sum, _character, i) => sum + advanceOf(text, i, style), 0);
  return (units * style.sizePx) / OUTLINES.unitsPerEm;
}

/** As few lines as fit the width, of similar length. */
export function balancedLines(text: string, style: TextStyle, widthPx: number): string[] {
  const { length } = wrapText(text, style, widthPx);
  let narrowPx = widthPx;
  while (narrowPx > STEP_PX && wrapText(text, style, narrowPx - STEP_PX).length === length) narrowPx -= STEP_PX;
  return wrapText(text, style, narrowPx);
}

const STEP_PX = 10;

/** Broken at spaces; a word that is too long has a separate line. */
function wrapText(text: string, style: TextStyle, widthPx: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.pop();
    if (last === undefined) lines.push(word);
    else if (textWidthPx(`${last} ${word}`, style) > widthPx) lines.push(last, word);
    else lines.push(`${last} ${word}`);
  }
  return lines;
}

/** From the start of a character to the start of the next, in units of the font. */
function advanceOf(text: string, index: number, style: TextStyle): number {
  const characters = [...text];
  const [character = '', next = ''] = characters.slice(index, index + 2);
  const spacing = (style.letterSpacingEm ?? 0) * OUTLINES.unitsPerEm;
  return letterOf(character, style).advance + kerningOf(character, next, style) + spacing;
}

function letterOf(character: string, { weight }: TextStyle): Letter {
  const entry = OUTLINES.weights[weight].letters[character];
  if (entry === undefined) throw new Error(`outline-font.py has no outline for '${character}'; add it there.`);
  const [advance = '', outline = ''] = entry.split(/ (.*)/s);
  return { advance: Number(advance), outline };
}

function kerningOf(character: string, next: string, { weight }: TextStyle): number {
  const pairs = OUTLINES.weights[weight].kerning[character]?.split(' ') ?? [];
  const pair = next === '' ? undefined : pairs.find((entry) => entry.startsWith(next));
  return Number(pair?.slice(next.length) ?? 0);
}
