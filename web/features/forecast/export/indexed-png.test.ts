import fc from 'fast-check';
import { expect, test } from 'vitest';
import { indexedPng } from './indexed-png.ts';

type Colour = readonly [number, number, number];

/** @param colours  of the pixels, by rows */
async function drawn(width: number, colours: readonly Colour[]) {
  const data = Uint8ClampedArray.from(colours.flatMap((colour) => [...colour, 255]));
  const png = await indexedPng({ data, width, height: colours.length / width });
  return { type: png.type, read: await readPng(new Uint8Array(await png.arrayBuffer())) };
}

/** The last chunk of every PNG, with its sum. */
const END = [0, 0, 0, 0, 0x49, 0x45, 0x4e, 0x44, 0xae, 0x42, 0x60, 0x82];

/** Pixels of a PNG with a palette and without filters. */
async function readPng(png: Uint8Array<ArrayBuffer>): Promise<number[]> {
  const view = new DataView(png.buffer);
  const chunks = new Map<string, Uint8Array<ArrayBuffer>>();
  for (let at = 8; at < png.length; ) {
    const end = at + 8 + view.getUint32(at);
    chunks.set(new TextDecoder().decode(png.subarray(at + 4, at + 8)), png.slice(at + 8, end));
    at = end + 4;
  }
  expect([...chunks.keys()]).toEqual(['IHDR', 'PLTE', 'IDAT', 'IEND']);
  expect([...png.subarray(-12)]).toEqual(END);
  const chunkOf = (name: string) => chunks.get(name) ?? new Uint8Array();
  const header = new DataView(chunkOf('IHDR').buffer);
  const unpacked = new Blob([chunkOf('IDAT')]).stream().pipeThrough(new DecompressionStream('deflate'));
  const rows = new Uint8Array(await new Response(unpacked).arrayBuffer());
  const width = header.getUint32(0);
  expect(rows).toHaveLength((width + 1) * header.getUint32(4));
  const palette = chunkOf('PLTE');
  return [...rows].flatMap((index, i) =>
    i % (width + 1) === 0 ? [] : [...palette.subarray(3 * index, 3 * index + 3)],
  );
}

test('keeps every pixel of a picture of few colours', async () => {
  const channel = fc.nat(255);
  const anyPicture = fc
    .tuple(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 9 }))
    .chain(([width, height]) =>
      fc.tuple(
        fc.constant(width),
        fc.array(fc.tuple(channel, channel, channel), { minLength: width * height, maxLength: width * height }),
      ),
    );
  await fc.assert(
    fc.asyncProperty(anyPicture, async ([width, colours]) => {
      expect((await drawn(width, colours)).read).toEqual(colours.flat());
    }),
    { numRuns: 30 },
  );
});

test('draws the rarest of more than 256 colours as the nearest of the others', async () => {
  const often = Array.from({ length: 256 }, (_, i): Colour => [i, 0, 0]);
  const { type, read } = await drawn(1, [...often, ...often, [200, 3, 0]]);

  expect(read.slice(-3)).toEqual([200, 0, 0]);
  expect(read.slice(0, 768)).toEqual(often.flat());
  expect(type).toBe('image/png');
});
