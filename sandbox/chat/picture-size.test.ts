import { expect, test } from 'vitest';
import { pictureSize } from './picture-size.ts';
import { chatPicture } from './testing/chat-pictures.ts';

/** A part of a JPEG: its marker, and its length with the two bytes of the length. */
function segment(marker: number, bytes: readonly number[]): Buffer {
  const head = Buffer.from([0xff, marker, 0, 0]);
  head.writeUInt16BE(bytes.length + 2, 2);
  return Buffer.concat([head, Buffer.from(bytes)]);
}

const START = Buffer.from([0xff, 0xd8]);
const APPLICATION = segment(0xe0, [0x4a, 0x46, 0x49, 0x46, 0]);
/** 8 bits a colour, height 630, width 1200, three colours. */
const frame = (marker: number) => segment(marker, [8, 0x02, 0x76, 0x04, 0xb0, 3]);

test('reads width and height of a PNG', () => {
  expect(pictureSize(chatPicture(1200, 630))).toEqual({ type: 'image/png', width: 1200, height: 630 });
});

test.each([
  ['baseline', 0xc0],
  ['progressive', 0xc2],
  ['lossless', 0xcf],
])('reads width and height of a %s JPEG, behind its other parts', (_name, marker) => {
  const tables = [segment(0xc4, [1, 2, 3, 4, 5, 6]), segment(0xcc, [1, 2, 3, 4, 5, 6])];

  const size = pictureSize(Buffer.concat([START, APPLICATION, ...tables, frame(marker)]));

  expect(size).toEqual({ type: 'image/jpeg', width: 1200, height: 630 });
});

test.each([
  ['nothing', Buffer.alloc(0)],
  ['another format', Buffer.from('GIF89a, and more than a header')],
  ['a PNG that ends in its header', chatPicture(1200, 630).subarray(0, 23)],
  ['the start of a JPEG', START],
  ['a JPEG that ends in its frame', Buffer.concat([START, APPLICATION, frame(0xc0).subarray(0, 8)])],
  ['a JPEG without a frame', Buffer.concat([START, APPLICATION, APPLICATION, APPLICATION])],
  ['a JPEG with bytes that are no part', Buffer.concat([START, APPLICATION, Buffer.alloc(30)])],
])('finds no size in %s', (_what, bytes) => {
  expect(pictureSize(bytes)).toBeNull();
});
