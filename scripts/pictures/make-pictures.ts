/** `npm run release -- icons`: icons and manifest in web/public, from the pages' marks. */
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { APP_ICON, HOME_ICON, iconPng, iconSvg, icoOf, TAB_ICON } from './icons.ts';
import { manifestText } from './site-manifest.ts';

const PUBLIC_DIR = resolve(import.meta.dirname, '../../web/public');

write('favicon.svg', iconSvg(TAB_ICON));
write(
  'favicon.ico',
  icoOf(await Promise.all([16, 32].map(async (sizePx) => ({ sizePx, png: await iconPng(TAB_ICON, sizePx) })))),
);
write('apple-touch-icon.png', await iconPng(HOME_ICON, 180));
for (const size of [192, 512]) {
  write(`icon-${size}.png`, await iconPng(APP_ICON, size));
  write(`icon-maskable-${size}.png`, await iconPng(HOME_ICON, size));
}
write('site.webmanifest', manifestText());

function write(name: string, content: string | Buffer): void {
  writeFileSync(join(PUBLIC_DIR, name), content);
  console.log(`${name}: ${content.length} bytes`);
}
