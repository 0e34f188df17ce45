import fc from 'fast-check';
import { expect, test } from 'vitest';
import { frameReader } from '../load/overload/client/frame-reader.ts';

/** A frame as a server sends it. */
function frame(first: number, payload: Buffer): Buffer {
  const { length } = payload;
  const head = Buffer.alloc(length < 126 ? 2 : length < 65_536 ? 4 : 10);
  head[0] = first;
  head[1] = length < 126 ? length : length < 65_536 ? 126 : 127;
  if (head.length === 4) head.writeUInt16BE(length, 2);
  if (head.length === 10) head.writeBigUInt64BE(BigInt(length), 2);
  return Buffer.concat([head, payload]);
}

test('reads each frame once, whole and in order, however the bytes are cut', () => {
  const length = fc.oneof(fc.nat(300), fc.constantFrom(125, 126, 65_535, 65_536, 70_000));
  const frames = fc.array(fc.record({ first: fc.constantFrom(0x81, 0x89, 0x88), length }), { maxLength: 8 });
  fc.assert(
    fc.property(frames, fc.array(fc.integer({ min: 1, max: 40_000 }), { maxLength: 40 }), (input, cuts) => {
      const wanted = input.map(({ first, length }, nth) => ({ first, payload: Buffer.alloc(length, nth + 1) }));
      const bytes = Buffer.concat(wanted.map(({ first, payload }) => frame(first, payload)));
      const received: { first: number; payload: Buffer }[] = [];
      const reader = frameReader((first, payload) => received.push({ first, payload: Buffer.from(payload) }));
      let at = 0;
      for (const cut of [...cuts, bytes.length]) {
        if (at >= bytes.length) break;
        reader.push(bytes.subarray(at, at + cut));
        at += cut;
      }
      expect(received).toEqual(wanted);
    }),
  );
});

test('reads a frame that arrives one byte at a time', () => {
  const received: string[] = [];
  const reader = frameReader((_first, payload) => received.push(payload.toString()));
  for (const byte of frame(0x81, Buffer.from('x'.repeat(200)))) reader.push(Buffer.from([byte]));
  expect(received).toEqual(['x'.repeat(200)]);
});
