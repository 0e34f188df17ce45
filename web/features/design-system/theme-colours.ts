/** Every theme's colors, read from the page's own style sheets, so there is no second list to maintain. */

type Colours = Readonly<Record<string, string>>;

export interface ThemeColours {
  name: string;
  colours: Colours;
}

const GROUNDS = ['ground', 'surface', 'raised', 'sunken'];
/** Required contrast on every ground: 4.5 for text, 3 for borders of controls and graphics. */
const NEEDED: Readonly<Record<string, number>> = {
  text: 4.5,
  muted: 4.5,
  accent: 4.5,
  up: 4.5,
  down: 4.5,
  info: 4.5,
  warning: 4.5,
  locked: 4.5,
  'accent-line': 3,
  'control-line': 3,
};
/** Text on filled areas, and what they are filled with. */
const ON_FILLS: Readonly<Record<string, string>> = { 'on-accent': 'accent-fill' };
const BLACK: Rgb = [0, 0, 0];

export function themeColours(sheets: StyleSheetList): ThemeColours[] {
  const dark = declared(sheets, ':root');
  const light = { ...dark, ...declared(sheets, ':root[data-theme="light"]') };
  const colourBlind = ':root[data-palette="colour-blind"]';
  const lightColourBlind = ':root[data-theme="light"][data-palette="colour-blind"]';
  return [
    { name: 'Dark', colours: dark },
    { name: 'Light', colours: light },
    { name: 'Dark, colour-blind', colours: { ...dark, ...declared(sheets, colourBlind) } },
    { name: 'Light, colour-blind', colours: { ...light, ...declared(sheets, lightColourBlind) } },
  ];
}

export interface Measured {
  name: string;
  value: string;
  ground: string;
  worst: number;
  needed: number;
}

export function measured({ colours }: ThemeColours): Measured[] {
  const solid = (name: string): Rgb => rgbOf(colours[name] ?? '', BLACK) ?? BLACK;
  const swatch = (name: string, grounds: readonly string[], needed: number): Measured => ({
    name,
    value: colours[name] ?? '',
    ground: colours[grounds.includes('surface') ? 'surface' : (grounds[0] ?? '')] ?? '',
    worst: Math.min(...grounds.map((ground) => contrast(solid(name), solid(ground)))),
    needed,
  });
  return [
    ...Object.entries(NEEDED).map(([name, needed]) => swatch(name, GROUNDS, needed)),
    ...Object.entries(ON_FILLS).map(([name, fill]) => swatch(name, [fill], 4.5)),
  ];
}

function declared(sheets: StyleSheetList, selector: string): Colours {
  const found: Record<string, string> = {};
  for (const sheet of sheets) {
    for (const rule of sheet.cssRules) {
      if (!(rule instanceof CSSStyleRule) || normal(rule.selectorText) !== normal(selector)) continue;
      for (const property of rule.style) {
        if (property.startsWith('--')) found[property.slice(2)] = hexOf(rule.style.getPropertyValue(property).trim());
      }
    }
  }
  return found;
}

function normal(selector: string): string {
  return selector.replaceAll(/["'\s]/g, '');
}

/** The build shortens `#ffffff` to `#fff`. */
function hexOf(value: string): string {
  const short = /^#([0-9a-f])([0-9a-f])([0-9a-f])$/i.exec(value);
  return short ? `#${short[1]}${short[1]}${short[2]}${short[2]}${short[3]}${short[3]}` : value;
}

/** Contrast of two colors by WCAG 2. */
export type Rgb = readonly [number, number, number];

/** @param value  `#rrggbb`, or `rgb(r g b / a%)` over `ground`; null for anything else */
export function rgbOf(value: string, ground: Rgb): Rgb | null {
  const hex = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i.exec(value.trim());
  if (hex) return [part(hex[1]), part(hex[2]), part(hex[3])];
  const rgb = /^rgb\((\d+) (\d+) (\d+) \/ ([\d.]+)%\)$/.exec(value.trim());
  if (!rgb) return null;
  const share = Number(rgb[4]) / 100;
  const mix = (over: string | undefined, under: number) => Number(over) * share + under * (1 - share);
  return [mix(rgb[1], ground[0]), mix(rgb[2], ground[1]), mix(rgb[3], ground[2])];
}

/** 1 (the same) to 21 (black on white). */
export function contrast(a: Rgb, b: Rgb): number {
  const [one, other] = [luminance(a), luminance(b)];
  return (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
}

function luminance([r, g, b]: Rgb): number {
  return 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);
}

function linear(value: number): number {
  const s = value / 255;
  return s <= 0.04045 ? s / 12.92 : ((s + 0.055) / 1.055) ** 2.4;
}

function part(hex: string | undefined): number {
  return Number.parseInt(hex ?? '', 16);
}
