/** Every theme's colors, read from the page's own style sheets, so there is no second list to maintain. */
import { contrast, type Rgb, rgbOf } from './contrast.ts';

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
  'control-line': 3,
};
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
  /** The lowest contrast over all grounds. */
  worst: number;
  needed: number;
}

export function measured({ colours }: ThemeColours): Measured[] {
  const solid = (name: string): Rgb => rgbOf(colours[name] ?? '', BLACK) ?? BLACK;
  return Object.entries(NEEDED).map(([name, needed]) => ({
    name,
    value: colours[name] ?? '',
    ground: colours.surface ?? '',
    worst: Math.min(...GROUNDS.map((ground) => contrast(solid(name), solid(ground)))),
    needed,
  }));
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
