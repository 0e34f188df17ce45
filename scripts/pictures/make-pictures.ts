/** `npm run pictures`: icons, manifest and social card under web/public, drawn from the same marks and fields as the pages. */
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { HOME_ICON, iconPng, iconSvg, icoOf, TAB_ICON } from './icons.ts';
import { socialCard } from './social-card.ts';

const PUBLIC_DIR = resolve(import.meta.dirname, '../../web/public');

const MANIFEST = {
  name: 'Kat',
  short_name: 'Kat',
  description: 'One-minute forecasts of price ranges, drawn candle by candle. For research and education only.',
  start_url: '/',
  display: 'browser',
  background_color: '#0b0d10',
  theme_color: '#0b0d10',
  icons: [192, 512].map((size) => ({
    src: `/icon-${size}.png`,
    sizes: `${size}x${size}`,
    type: 'image/png',
    purpose: 'any maskable',
  })),
};

write('favicon.svg', iconSvg(TAB_ICON));
write(
  'favicon.ico',
  icoOf(await Promise.all([16, 32].map(async (sizePx) => ({ sizePx, png: await iconPng(TAB_ICON, sizePx) })))),
);
write('apple-touch-icon.png', await iconPng(HOME_ICON, 180));
for (const size of [192, 512]) write(`icon-${size}.png`, await iconPng(HOME_ICON, size));
write('site.webmanifest', `${JSON.stringify(MANIFEST, null, 2)}\n`);
write('social-card.png', await socialCard());

function write(name: string, content: string | Buffer): void {
  writeFileSync(join(PUBLIC_DIR, name), content);
  console.log(`${name}: ${content.length} bytes`);
}
