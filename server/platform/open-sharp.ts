/** The picture library, set up once: it reads the formats that browsers show and no other (SVG, PDF, TIFF ... are shut). */

/** The one-by-one loaders that libvips may use. */
const LOADERS = ['Jpeg', 'Png', 'Webp', 'Nsgif', 'Heif'].map((kind) => `VipsForeignLoad${kind}`);

let loaded: Promise<typeof import('sharp')['default']> | null = null;

/** Loaded with the first picture: a server that has none does not carry it. */
export function openSharp() {
  loaded ??= import('sharp').then(({ default: sharp }) => {
    sharp.cache(false);
    sharp.concurrency(1);
    sharp.block({ operation: ['VipsForeignLoad'] });
    sharp.unblock({ operation: LOADERS });
    return sharp;
  });
  return loaded;
}
