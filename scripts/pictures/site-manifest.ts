/**
 * The installed site's window has back and reload buttons, because the site has none. Nothing is cached for offline
 * use: prices would be outdated (docs/decisions/042-images-and-supply-chain.md).
 */
import { findRoute } from '#domain/site/routes.ts';

const ICONS = [
  ['any', 'icon'],
  ['maskable', 'icon-maskable'],
] as const;
const SHORTCUTS = ['/kat', '/dashboard', '/track-record'];

export function manifestText(): string {
  const manifest = {
    id: '/',
    name: 'Kat',
    short_name: 'Kat',
    description: 'One-minute forecasts of price ranges, drawn candle by candle. For research and education only.',
    lang: 'en',
    dir: 'ltr',
    start_url: '/',
    scope: '/',
    // Phones of one maker accept no notifications from a site with less than this.
    display: 'standalone',
    display_override: ['minimal-ui', 'standalone'],
    background_color: '#0b0d10',
    theme_color: '#0b0d10',
    categories: ['finance', 'education'],
    // One that were both would be cut on some systems, and have a wide margin on others.
    icons: ICONS.flatMap(([purpose, name]) =>
      [192, 512].map((size) => ({
        src: `/${name}-${size}.png`,
        sizes: `${size}x${size}`,
        type: 'image/png',
        purpose,
      })),
    ),
    shortcuts: SHORTCUTS.map((url) => ({ name: findRoute(url)?.title ?? url, url })),
  };
  return `${onOneLine(JSON.stringify(manifest, null, 2))}\n`;
}

/** Lists of strings on one line, as the formatter writes them. */
function onOneLine(text: string): string {
  return text.replaceAll(
    /\[\s+("[^[\]{}]*")\s+\]/g,
    (_all, items: string) => `[${items.replaceAll(/\s*\n\s*/g, ' ')}]`,
  );
}
