/**
 * Pictures of sample articles, generated as PNG: a coloured background with some bars and the text SAMPLE. Pages crop
 * pictures to a wide or a square part around the middle, so the text is there.
 */
import { crc32, deflateSync } from 'node:zlib';

const WIDTH = 640;
const HEIGHT = 360;
const LETTER_SCALE = 8;
const LABEL_X = 180;
const LABEL_Y = 120;
const BARS = 14;
const LETTERS = [
  '01111 10000 10000 01110 00001 00001 11110',
  '01110 10001 10001 11111 10001 10001 10001',
  '10001 11011 10101 10101 10001 10001 10001',
  '11110 10001 10001 11110 10000 10000 10000',
  '10000 10000 10000 10000 10000 10000 11111',
  '11111 10000 10000 11110 10000 10000 11111',
].map((letter) => letter.split(' '));

type Colour = readonly [number, number, number];
const GROUNDS: readonly Colour[] = [
  [24, 38, 58],
  [36, 30, 58],
  [20, 48, 46],
  [52, 38, 26],
  [44, 28, 42],
];
const BAR: Colour = [104, 128, 160];
const LABEL: Colour = [226, 232, 240];

const ROW_BYTES = WIDTH * 3 + 1;

interface Area {
  x: number;
  y: number;
  width: number;
  height: number;
}

export function samplePicture(number: number): Buffer<ArrayBuffer> {
  const pixels = Buffer.alloc(ROW_BYTES * HEIGHT);
  paint(pixels, { x: 0, y: 0, width: WIDTH, height: HEIGHT }, GROUNDS[number % GROUNDS.length] ?? LABEL);
  for (let bar = 0; bar < BARS; bar++) {
    const height = 30 + ((number * 37 + bar * bar * 29 + bar * 53) % 90);
    paint(pixels, { x: 40 + 40 * bar, y: HEIGHT - 39 - height, width: 24, height }, BAR);
  }
  for (const [i, letter] of LETTERS.entries()) {
    for (const [line, cells] of letter.entries()) {
      for (const [column, cell] of [...cells].entries()) {
        const [x, y] = [LABEL_X + (6 * i + column) * LETTER_SCALE, LABEL_Y + line * LETTER_SCALE];
        if (cell === '1') paint(pixels, { x, y, width: LETTER_SCALE, height: LETTER_SCALE }, LABEL);
      }
    }
  }
  return png(pixels);
}

/** Fills whole stretches of rows: pixel by pixel, a picture took as long as a request of the server. */
function paint(pixels: Buffer, { x, y, width, height }: Area, colour: Colour): void {
  const stretch = Buffer.alloc(3 * width, Buffer.from(colour));
  for (let row = y; row < y + height; row++) stretch.copy(pixels, row * ROW_BYTES + 1 + 3 * x);
}

function png(pixels: Buffer): Buffer<ArrayBuffer> {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(WIDTH, 0);
  header.writeUInt32BE(HEIGHT, 4);
  // Eight bits of red, green and blue.
  header.set([8, 2, 0, 0, 0], 8);
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  const chunks = [chunk('IHDR', header), chunk('IDAT', deflateSync(pixels)), chunk('IEND', Buffer.alloc(0))];
  return Buffer.concat([signature, ...chunks]);
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const frame = Buffer.alloc(body.length + 8);
  frame.writeUInt32BE(data.length, 0);
  body.copy(frame, 4);
  frame.writeUInt32BE(crc32(body), body.length + 4);
  return frame;
}
