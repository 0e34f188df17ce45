import { expect, test } from 'vitest';
import { checkAvatarBytes, NOT_AN_IMAGE } from './avatar.ts';

const problemOf = (bytes: readonly number[], type: string) => checkAvatarBytes(Uint8Array.from(bytes), type);

test.each([
  ['BMP', [0x42, 0x4d, 0, 0]],
  ['an icon', [0, 0, 1, 0]],
  ['a cursor', [0, 0, 2, 0]],
  ['TIFF, little-endian', [0x49, 0x49, 42, 0]],
  ['TIFF, big-endian', [0x4d, 0x4d, 0, 42]],
])('names a picture of a kind that is not accepted, unless it claims to be none: %s', (_kind, bytes) => {
  expect(problemOf(bytes, 'image/x')).toEqual({ problem: expect.stringMatching(/^This file type isn’t supported\./) });
  expect(problemOf(bytes, 'application/pdf')).toEqual({ problem: NOT_AN_IMAGE });
});

test.each([
  [[]],
  [[0x42]],
  [[0x49, 0x4d, 42, 0]],
  [[0, 0, 3, 0]],
  [[0, 0, 1, 1]],
  [[0x4d, 0x4d, 42, 0]],
  [[0x4d, 0, 0, 42]],
])('takes %j for no picture, whatever its type', (bytes) => {
  expect(problemOf(bytes, 'image/x')).toEqual({ problem: NOT_AN_IMAGE });
});
