/** A contact sheet: each page's screens side by side, two pages a row, with the page's path above. */
import sharp, { type OverlayOptions } from 'sharp';
import { PALETTES } from '../../domain/picture/palettes.ts';
import { SITE_ROUTES } from '../../domain/site/routes.ts';
import { type TextStyle, textSvg } from '../../scripts/pictures/previews/outlined-text.ts';

export type SheetTheme = 'dark' | 'light';

/** Window sizes, CSS pixels, narrowest first. */
export const SCREENS = [
  { width: 390, height: 844 },
  { width: 768, height: 1024 },
  { width: 1440, height: 900 },
  { width: 2560, height: 1440 },
] as const;

export interface Shot {
  label: string;
  /** One picture for each of `SCREENS`. */
  screens: readonly Buffer[];
}

/** It only redirects, so there is nothing to see. */
const REDIRECTS = '/auth/callback';
const ADMIN = '/admin';
/** Who sees which pages. The demo has these accounts. */
export const VIEWERS: readonly { email: string | null; paths: readonly string[] }[] = [
  { email: null, paths: [...pagesOf('open'), '/no-such-page'] },
  { email: 'lion@example.com', paths: ['/kat', ...pagesOf('members')] },
  { email: 'admin@example.com', paths: [ADMIN, `${ADMIN}?tab=operations`] },
];

function pagesOf(part: 'open' | 'members'): string[] {
  const routes = SITE_ROUTES.filter(({ access }) => (access === 'signed-in') === (part === 'members'));
  return routes.map(({ path }) => path).filter((path) => path !== ADMIN && path !== REDIRECTS);
}

const THUMB_PX = 320;
const GAP_PX = 12;
const LABEL_PX = 30;
const PAGES_A_ROW = 2;
/** Both sheets together stay below 2 MB. */
const MAX_BYTES = 1_000_000;
const QUALITIES = [80, 70, 60, 50, 40, 30, 20] as const;

/** @returns a WebP picture in the best quality that fits */
export async function sheetOf(shots: readonly Shot[], theme: SheetTheme): Promise<Buffer> {
  const palette = PALETTES[theme];
  const style: TextStyle = { sizePx: 16, weight: 600, colour: palette.text };
  const widths = SCREENS.map(({ width, height }) => Math.round((THUMB_PX * width) / height));
  const blockPx = widths.reduce((sum, width) => sum + width + GAP_PX, GAP_PX);
  const rowPx = LABEL_PX + THUMB_PX + GAP_PX;
  const rows = Math.ceil(shots.length / PAGES_A_ROW);
  const size = { width: blockPx * PAGES_A_ROW, height: rows * rowPx + GAP_PX };
  const placeOf = (i: number) => ({
    left: (i % PAGES_A_ROW) * blockPx + GAP_PX,
    top: Math.floor(i / PAGES_A_ROW) * rowPx + GAP_PX,
  });

  const labels = shots.map(({ label }, i) => textSvg(label, style, placeOf(i).left, placeOf(i).top + 18)).join('');
  const overlays = shots.map(async ({ screens }, i) => {
    const { left, top } = placeOf(i);
    const thumbs = screens.map(async (screen, at): Promise<OverlayOptions> => {
      const input = await sharp(screen).resize(widths[at], THUMB_PX).toBuffer();
      const before = widths.slice(0, at).reduce((sum, width) => sum + width + GAP_PX, 0);
      return { input, left: left + before, top: top + LABEL_PX };
    });
    return Promise.all(thumbs);
  });
  const ground = `<svg xmlns="http://www.w3.org/2000/svg" width="${size.width}" height="${size.height}"><rect width="100%" height="100%" fill="${palette.line}"/>${labels}</svg>`;
  const sheet = await sharp(Buffer.from(ground))
    .composite((await Promise.all(overlays)).flat())
    .png()
    .toBuffer();
  for (const quality of QUALITIES) {
    const written = await sharp(sheet).webp({ quality, effort: 6 }).toBuffer();
    if (written.length < MAX_BYTES) return written;
  }
  throw new Error('The sheet does not fit into 1 MB.');
}
