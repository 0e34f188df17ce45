/**
 * Draws one picture at a time. Only this process may read SVG: the list of formats that the library refuses counts for
 * a whole process, and the server's reads pictures of strangers. It ends with its server.
 */
import sharp from 'sharp';
import { PALETTES } from '#domain/picture/palettes.ts';
import { type PictureOrder, pictureSvg } from '#domain/share/forecast-picture.ts';
import { OUTLINES } from './set-text.ts';

export interface PictureRequest {
  id: number;
  order: PictureOrder;
}

export type PictureAnswer = { id: number; png: Uint8Array } | { id: number; cause: string };

/** Flat colours: a palette is half as large as full colour, and looks the same. */
const PNG = { palette: true, colours: 128, effort: 4, compressionLevel: 9, dither: 0 } as const;

sharp.cache(false);
sharp.concurrency(1);

async function draw({ id, order: { theme, ...order } }: PictureRequest): Promise<PictureAnswer> {
  try {
    const svg = pictureSvg({ ...order, palette: PALETTES[theme] }, OUTLINES);
    const png = await sharp(Buffer.from(svg)).png(PNG).toBuffer();
    return { id, png };
  } catch (error) {
    return { id, cause: error instanceof Error ? error.message : String(error) };
  }
}

process.on('message', async (request) => {
  const answer = await draw(request as PictureRequest);
  if (process.connected) process.send?.(answer);
});
process.on('disconnect', () => process.exit(0));
// A terminal's Ctrl-C reaches both processes; the server ends this one when it no longer needs it.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined);
