/** Which pictures become avatars: real ones, broken ones, and what only pretends to be one. */
import { describe, expect, test } from 'vitest';
import {
  checkAvatarBytes,
  checkAvatarFile,
  DAMAGED,
  NOT_AN_IMAGE,
  TOO_LARGE,
  undecodable,
} from '#domain/account/avatar.ts';
import { pictureHeader } from '#domain/account/picture-header.ts';
import { bombPng, type PictureKind, plainPicture, webpShapes } from '../support/browser/pictures.ts';

const MB = 1024 * 1024;
const pictureInfo = (bytes: Uint8Array, type = 'image/png') => {
  const checked = checkAvatarBytes(bytes, type);
  return 'problem' in checked ? checked.problem : null;
};
const text = (content: string) => new TextEncoder().encode(content);

describe('a chosen file', () => {
  test.each([
    ['image/png', 5 * MB, null],
    ['image/png', 5 * MB + 1, TOO_LARGE],
    ['application/pdf', 10, NOT_AN_IMAGE],
    ['text/html', 6 * MB, NOT_AN_IMAGE],
    ['', 10, null],
  ])('checks %s of %d bytes: %s', (type, size, expected) => {
    expect(checkAvatarFile({ type, size })).toBe(expected);
  });

  test('refuses a drawing by its type, and by its content whatever its name is', () => {
    expect(checkAvatarFile({ type: 'image/svg+xml', size: 10 })).toContain('SVG');
    expect(pictureInfo(text('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'))).toBe(
      NOT_AN_IMAGE,
    );
  });
});

describe('the content of a picture', () => {
  test.each<PictureKind>(['jpeg', 'png', 'webp', 'gif', 'avif'])('reads kind and sides of %s', async (kind) => {
    expect(pictureHeader(await plainPicture(kind, 321, 123))).toMatchObject({
      kind,
      width: 321,
      height: 123,
      isWhole: true,
    });
  });

  test('reads sides of WebP in each of its three shapes', async () => {
    const shapes = await webpShapes(300, 17);

    expect(shapes.map((bytes) => pictureHeader(bytes))).toEqual(
      Array(3).fill({ kind: 'webp', width: 300, height: 17, isWhole: true, isMoving: false }),
    );
  });

  test.each<PictureKind>(['jpeg', 'png', 'webp'])('treats a truncated %s as damaged', async (kind) => {
    const whole = await plainPicture(kind, 400);

    expect(pictureInfo(whole)).toBeNull();
    expect(pictureInfo(whole.subarray(0, whole.length - 40))).toBe(DAMAGED);
  });

  test('ignores what a telephone writes behind the picture', async () => {
    const whole = await plainPicture('jpeg', 40);

    expect(pictureInfo(Buffer.concat([whole, Buffer.from('a short film')]))).toBeNull();
  });

  test.each([
    ['a renamed text', text('hello, this is no picture')],
    ['nothing', new Uint8Array()],
    ['a page', text('<!doctype html>')],
    ['the first bytes of a picture alone', bombPng(10, 10).subarray(0, 12)],
  ])('rejects %s as no image', (_what, bytes) => {
    expect(pictureInfo(bytes)).toBe(NOT_AN_IMAGE);
  });

  test('refuses a picture of 20,000 pixels with its figures, and a bomb of a few kilobytes too', () => {
    expect(pictureInfo(bombPng(20_000, 3))).toContain('20000 × 3 pixels');
    expect(pictureInfo(bombPng(9000, 9000))).toContain('9000 × 9000 pixels');
    expect(pictureInfo(bombPng(5120, 5120))).toBeNull();
  });

  test('names kinds that are not accepted', () => {
    expect(pictureInfo(text('BM......'), 'image/bmp')).toContain('This file type isn’t supported');
  });

  test('recognises HEIC, and says so where the browser cannot show it', () => {
    const heic = new Uint8Array([0, 0, 0, 24, ...text('ftypheic\0\0\0\0mif1heic'), ...ispe(640, 480), ...ispe(64, 48)]);

    const checked = checkAvatarBytes(heic, 'image/heic');

    expect(checked).toMatchObject({ kind: 'heic', width: 640, height: 480 });
    expect('kind' in checked && undecodable(checked)).toContain('HEIC');
  });

  test('survives any bytes whatsoever', async () => {
    const seeds = await Promise.all(
      (['jpeg', 'png', 'webp', 'gif', 'avif'] as const).map((kind) => plainPicture(kind, 30)),
    );
    let random = 7;
    const next = () => {
      random = (random * 48_271) % 2_147_483_647;
      return random;
    };

    for (let round = 0; round < 2000; round += 1) {
      const bytes = Uint8Array.from(seeds[round % seeds.length] ?? []).subarray(0, 4 + (next() % 600));
      for (let flips = 0; flips < 6; flips += 1) bytes[next() % bytes.length] = next() % 256;
      expect(() => checkAvatarBytes(bytes, 'image/png')).not.toThrow();
    }
  });
});

function ispe(width: number, height: number): Uint8Array {
  const box = new Uint8Array(20);
  const view = new DataView(box.buffer);
  view.setUint32(0, 20);
  box.set(text('ispe'), 4);
  view.setUint32(12, width);
  view.setUint32(16, height);
  return box;
}
