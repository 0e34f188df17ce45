/** Up, down and the forecast's amber are distinguishable for red-green colour-blind users in their palette. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { PALETTES } from '#domain/picture/palettes.ts';

type Triple = readonly [number, number, number];
type Matrix = readonly [Triple, Triple, Triple];

/** How linear red, green and blue appear: Machado, Oliveira and Fernandes 2009, full severity. */
const SEEN: Readonly<Record<string, Matrix>> = {
  'everyone else': [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  deuteranopes: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  protanopes: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
};

/** From linear red, green and blue to cones, and from their cube roots to Oklab. */
const TO_CONES: Matrix = [
  [0.4122214708, 0.5363325363, 0.0514459929],
  [0.2119034982, 0.6806995451, 0.1073969566],
  [0.0883024619, 0.2817188376, 0.6299787005],
];
const TO_OKLAB: Matrix = [
  [0.2104542553, 0.793617785, -0.0040720468],
  [1.9779984951, -2.428592205, 0.4505937099],
  [0.0259040371, 0.7827717662, -0.808675766],
];

/** The smallest visible difference is 0.02 in Oklab; the former orange of 'down' was only 0.04 from the amber. */
const APART = 0.1;

const times = (matrix: Matrix, [x, y, z]: Triple): Triple => {
  const [a, b, c] = matrix.map((row) => row[0] * x + row[1] * y + row[2] * z);
  return [a ?? 0, b ?? 0, c ?? 0];
};

const each = ([x, y, z]: Triple, change: (part: number) => number): Triple => [change(x), change(y), change(z)];

function oklabOf(hex: string, seen: Matrix): Triple {
  const bytes = Number.parseInt(hex.slice(1), 16);
  const linear = each([bytes >> 16, (bytes >> 8) & 255, bytes & 255], (part) => {
    const s = part / 255;
    return s <= 0.04045 ? s / 12.92 : ((s + 0.055) / 1.055) ** 2.4;
  });
  const light = each(times(seen, linear), (part) => Math.min(1, Math.max(0, part)));
  return times(TO_OKLAB, each(times(TO_CONES, light), Math.cbrt));
}

function distance(one: string, other: string, seen: Matrix): number {
  const [a, b] = [oklabOf(one, seen), oklabOf(other, seen)];
  return Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

const CASES = (['dark-cb', 'light-cb'] as const).flatMap((theme) =>
  Object.entries(SEEN).map(([eyes, seen]) => ({ theme, eyes, seen })),
);

test.each(CASES)('keeps up, down and forecast well apart in the theme $theme for $eyes', ({ theme, seen }) => {
  const { up, down, accent } = PALETTES[theme];

  expect(distance(down, accent, seen)).toBeGreaterThan(APART);
  expect(distance(up, accent, seen)).toBeGreaterThan(APART);
  expect(distance(up, down, seen)).toBeGreaterThan(2 * APART);
});

test('draws pictures in the colours of the style sheet', () => {
  const css = readFileSync(new URL('../../web/ui/styles/tokens.css', import.meta.url), 'utf8');
  const declared = (selector: string, name: string): string | undefined => {
    const start = css.indexOf(`${selector} {`);
    return new RegExp(`--${name}: (#\\w+);`).exec(css.slice(start, css.indexOf('\n}', start)))?.[1];
  };

  for (const name of ['up', 'down'] as const) {
    expect(PALETTES.dark[name]).toBe(declared(':root', name));
    expect(PALETTES.light[name]).toBe(declared(':root[data-theme="light"]', name));
    expect(PALETTES['dark-cb'][name]).toBe(declared(':root[data-palette="colour-blind"]', name));
    expect(PALETTES['light-cb'][name]).toBe(declared(':root[data-theme="light"][data-palette="colour-blind"]', name));
  }
});
