/** The browser sets the site's own font, because the picture library cannot read compressed fonts. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { OverlayOptions } from 'sharp';
import { launchChromium } from '../../tests/support/browser/chromium.ts';

const FONT_FILE = resolve(
  import.meta.dirname,
  '../../node_modules/@fontsource-variable/inter/files/inter-latin-wght-normal.woff2',
);

export interface TextToSet {
  text: string;
  sizePx: number;
  weight: 400 | 500 | 600;
  colour: string;
  x: number;
  /** Top of the first line's box, which is 1.3 times the font size. */
  y: number;
  widthPx?: number;
  letterSpacingEm?: number;
}

/** One overlay per text, in the same order. */
export async function setTexts(texts: readonly TextToSet[]): Promise<OverlayOptions[]> {
  const browser = await launchChromium();
  try {
    const page = await browser.newPage();
    await page.setContent(documentOf(texts));
    await page.evaluate(() => document.fonts.ready.then(() => undefined));
    const overlays: OverlayOptions[] = [];
    for (const [i, { x, y }] of texts.entries()) {
      const input = await page.locator(`#t${i}`).screenshot({ omitBackground: true });
      overlays.push({ input, left: x, top: y });
    }
    return overlays;
  } finally {
    await browser.close();
  }
}

function documentOf(texts: readonly TextToSet[]): string {
  const font = readFileSync(FONT_FILE).toString('base64');
  const blocks = texts.map(({ text, sizePx, weight, colour, widthPx, letterSpacingEm = 0 }, i) => {
    const width = widthPx === undefined ? 'white-space:nowrap' : `width:${widthPx}px`;
    const type = `font:${weight} ${sizePx}px/1.3 Packaged;color:${colour};letter-spacing:${letterSpacingEm}em`;
    return `<div><p id="t${i}" style="${type};${width}">${escaped(text)}</p></div>`;
  });
  return `<style>@font-face{font-family:Packaged;font-weight:100 900;src:url(data:font/woff2;base64,${font})}
    p{margin:0;display:inline-block}</style>${blocks.join('')}`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
