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

export function samplePicture(number: number): Buffer<ArrayBuffer> {
  const row = WIDTH * 3 + 1;
  const pixels = Buffer.alloc(row * HEIGHT);
  const ground = GROUNDS[number % GROUNDS.length] ?? LABEL;
  for (let y = 0; y < HEIGHT; y++) {
    for (let x = 0; x < WIDTH; x++) pixels.set(colourAt(x, y, number, ground), y * row + 1 + x * 3);
  }
  return png(pixels);
}

function colourAt(x: number, y: number, number: number, ground: Colour): Colour {
  if (isLabel(x - LABEL_X, y - LABEL_Y)) return LABEL;
  const bar = Math.floor((x - 40) / 40);
  const isBar = x >= 40 && bar < 14 && (x - 40) % 40 < 24;
  const height = 30 + ((number * 37 + bar * bar * 29 + bar * 53) % 90);
  return isBar && y > HEIGHT - 40 - height && y <= HEIGHT - 40 ? BAR : ground;
}

function isLabel(x: number, y: number): boolean {
  if (x < 0 || y < 0) return false;
  const [column, line] = [Math.floor(x / LETTER_SCALE), Math.floor(y / LETTER_SCALE)];
  return LETTERS[Math.floor(column / 6)]?.[line]?.[column % 6] === '1';
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
