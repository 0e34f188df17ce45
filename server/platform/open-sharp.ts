/** The image library, limited to formats that browsers show; others are blocked (SVG, PDF, TIFF ...). */

const LOADERS = ['Jpeg', 'Png', 'Webp', 'Nsgif', 'Heif'].map((kind) => `VipsForeignLoad${kind}`);

let loaded: Promise<typeof import('sharp')['default']> | null = null;

/** Loaded with the first image, so that a server without images does not carry it. */
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
