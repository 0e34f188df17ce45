/** The colours of web/ui/styles/tokens.css are readable: WCAG 2 contrast, both themes, both palettes. */
import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const css = readFileSync(new URL('../../web/ui/styles/tokens.css', import.meta.url), 'utf8');
const BOOK_CSS = readFileSync(new URL('../../web/features/order-book/live-book.module.css', import.meta.url), 'utf8');

type Colours = Record<string, string>;
type Rgb = readonly [number, number, number];

function tokensOf(selector: string, sheet = css): Colours {
  const start = sheet.indexOf(`${selector} {`);
  const block = sheet.slice(start, sheet.indexOf('\n}', start));
  return Object.fromEntries([...block.matchAll(/--([\w-]+):\s*([^;]+);/g)].map((m) => [m[1] ?? '', m[2] ?? '']));
}

const DARK = tokensOf(':root');
const LIGHT = { ...DARK, ...tokensOf(':root[data-theme="light"]') };
const THEMES = {
  dark: DARK,
  light: LIGHT,
  'dark, colour-blind': { ...DARK, ...tokensOf(':root[data-palette="colour-blind"]') },
  'light, colour-blind': { ...LIGHT, ...tokensOf(':root[data-theme="light"][data-palette="colour-blind"]') },
};

const channel = (hex: string | undefined): number => Number.parseInt(hex ?? '', 16);

/** `#rrggbb`, or `rgb(r g b / a%)` laid over a ground. */
function rgbOf(value: string, ground: Rgb): Rgb {
  const hex = /^#(..)(..)(..)$/.exec(value);
  if (hex) return [channel(hex[1]), channel(hex[2]), channel(hex[3])];
  const [r = 0, g = 0, b = 0, percent = 100] = [...value.matchAll(/[\d.]+/g)].map((m) => Number(m[0]));
  const mix = (over: number, under: number) => (over * percent + under * (100 - percent)) / 100;
  return [mix(r, ground[0]), mix(g, ground[1]), mix(b, ground[2])];
}

function luminance(colour: Rgb): number {
  const [r, g, b] = colour.map((part) => {
    const s = part / 255;
    return s <= 0.04045 ? s / 12.92 : ((s + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * (r ?? 0) + 0.7152 * (g ?? 0) + 0.0722 * (b ?? 0);
}

function contrast(a: Rgb, b: Rgb): number {
  const [high, low] = [luminance(a), luminance(b)].toSorted((x, y) => y - x);
  return ((high ?? 0) + 0.05) / ((low ?? 0) + 0.05);
}

const BLACK: Rgb = [0, 0, 0];

for (const [theme, colours] of Object.entries(THEMES)) {
  const solid = (name: string) => rgbOf(colours[name] ?? '', BLACK);

  test.each(['text', 'muted', 'accent', 'up', 'down', 'info', 'warning', 'locked'])(
    `${theme}: shows %s at 4.5:1 on ground, surface, raised and field`,
    (name) => {
      const worst = Math.min(...['ground', 'surface', 'raised', 'sunken'].map((g) => contrast(solid(name), solid(g))));

      expect(worst).toBeGreaterThanOrEqual(4.5);
    },
  );

  test.each(['accent', 'up', 'down', 'info', 'warning', 'locked'])(
    `${theme}: shows a badge of %s at 4.5:1 on its wash`,
    (name) => {
      const declared = (colours[`${name}-wash`] ?? '').replace('var(--accent-rgb)', colours['accent-rgb'] ?? '');
      const wash = rgbOf(declared, solid('surface'));

      expect(contrast(solid(name), wash)).toBeGreaterThanOrEqual(4.5);
    },
  );

  test.each([
    ['ask', 'down'],
    ['bid', 'up'],
  ])(`${theme}: shows figures of an %s at 4.5:1 over its bar`, (side, colour) => {
    const wash =
      new RegExp(
        `\\.${side} \\.bars \\{\\s*background: linear-gradient\\(var\\(--([\\w-]+)\\) 0 0\\) var\\(--surface\\);\\s*\\}`,
      ).exec(BOOK_CSS)?.[1] ?? '';
    const bar = rgbOf(colours[wash] ?? '', solid('surface'));

    expect(colours).toHaveProperty(wash);
    for (const name of [colour, 'text']) expect(contrast(solid(name), bar)).toBeGreaterThanOrEqual(4.5);
    expect(BOOK_CSS).not.toContain('opacity');
  });

  test(`${theme}: shows the primary button's label at 4.5:1, a control's border at 3:1`, () => {
    expect(contrast(solid('on-accent'), solid('accent-fill'))).toBeGreaterThanOrEqual(4.5);
    expect(contrast(solid('on-accent'), solid('accent-hover'))).toBeGreaterThanOrEqual(4.5);
    expect(contrast(solid('control-line'), solid('sunken'))).toBeGreaterThanOrEqual(3);
    expect(contrast(solid('muted'), rgbOf(colours.hover ?? '', solid('surface')))).toBeGreaterThanOrEqual(4.5);
  });

  test(`${theme}: shows lines and marks of the forecast at 3:1 on ground, surface, raised and field`, () => {
    const grounds = ['ground', 'surface', 'raised', 'sunken'];

    const worst = Math.min(...grounds.map((ground) => contrast(solid('accent-line'), solid(ground))));

    expect(worst).toBeGreaterThanOrEqual(3);
  });
}

test.each(Object.entries(THEMES))('%s: shows candles at 3:1 on the forecast’s bands', (_theme, colours) => {
  const solid = (name: string) => rgbOf(colours[name] ?? '', BLACK);
  const tinted = (percent: number, under: Rgb) => rgbOf(`rgb(${colours['accent-rgb']} / ${percent}%)`, under);

  const inner = tinted(22, tinted(10, tinted(5, solid('surface'))));

  for (const name of ['up', 'down', 'accent']) expect(contrast(solid(name), inner), name).toBeGreaterThanOrEqual(3);
  expect(contrast(solid('text'), inner)).toBeGreaterThanOrEqual(4.5);
});

test('fills primary actions with the same amber in both themes', () => {
  expect(LIGHT['accent-fill']).toBe(DARK.accent);
  expect(LIGHT['on-accent']).toBe(DARK['on-accent']);
});

/** Muted text is readable on every ground and on a hovered one, as tested above. */
test('mutes outdated values by one rule for all widgets', () => {
  const base = readFileSync(new URL('../../web/ui/styles/base.css', import.meta.url), 'utf8');
  const old = tokensOf('.old-figures', base);

  for (const name of ['text', 'accent', 'accent-line', 'up', 'down', 'info', 'warning', 'locked']) {
    expect(old[name], name).toBe('var(--muted)');
    if (`${name}-wash` in DARK && name !== 'accent') expect(old[`${name}-wash`], name).toBe('var(--hover)');
  }
  const features = new URL('../../web/features/', import.meta.url);
  const sheets = readdirSync(features, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.css'));
  const dimming = sheets.filter((name) =>
    /\[data-stale[^{]*\{[^}]*opacity/.test(readFileSync(new URL(name, features), 'utf8')),
  );
  // The line behind a paper trade has no text.
  expect(dimming).toEqual(['paper-trading/paper-trading.module.css']);
});
