/** Reading a chosen photo and cropping it, with a browser that decodes or refuses it. */
import { beforeEach, expect, test, vi } from 'vitest';
import { DAMAGED } from '#domain/account/avatar.ts';
import { cropped, readPicture } from './avatar-file.ts';

/** A picture of one pixel. */
const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';
const aFile = () => new File([Uint8Array.from(atob(PIXEL), (byte) => byte.charCodeAt(0))], 'me', { type: 'image/png' });

/** What the browser makes of the picture; null: it cannot show it. */
let size: { width: number; height: number } | null = { width: 1, height: 1 };
const browserFinds = (found: typeof size): void => {
  size = found;
};

class Picture {
  naturalWidth = size?.width ?? 0;
  naturalHeight = size?.height ?? 0;
  onload: () => void = () => undefined;
  onerror: () => void = () => undefined;
  set src(_url: string) {
    queueMicrotask(() => (size === null ? this.onerror() : this.onload()));
  }
}

const revoke = vi.fn();
const decode = vi.fn<() => Promise<{ close(): void }>>();
beforeEach(() => {
  size = { width: 1, height: 1 };
  vi.stubGlobal('Image', Picture);
  vi.stubGlobal('createImageBitmap', decode.mockReset().mockResolvedValue({ close() {} }));
  vi.spyOn(URL, 'createObjectURL').mockReturnValue('blob:x');
  vi.spyOn(URL, 'revokeObjectURL').mockImplementation(revoke.mockReset());
});

test('reads a picture that the browser decodes', async () => {
  expect(await readPicture(aFile())).toEqual({ url: 'blob:x', isMoving: false });
  expect(revoke).not.toHaveBeenCalled();
});

test.each([
  ['cannot show', () => browserFinds(null)],
  ['decodes only in part', () => void decode.mockRejectedValue(new DOMException('broken', 'InvalidStateError'))],
  ['finds larger than its header says', () => browserFinds({ width: 10_000, height: 10_000 })],
])('refuses a picture that the browser %s, and lets go of it', async (_what, prepare) => {
  prepare();

  expect(await readPicture(aFile())).toEqual({ message: DAMAGED });
  expect(revoke).toHaveBeenCalledExactlyOnceWith('blob:x');
});

test('reports a file that was deleted after it was chosen', async () => {
  const file = aFile();
  file.arrayBuffer = () => Promise.reject(new DOMException('deleted', 'NotFoundError'));

  expect(await readPicture(file)).toEqual({ message: 'We couldn’t read this file. Please choose it again.' });
});

const drawn: string[] = [];
/** @param types  what the browser can write; another type gives a PNG, as the standard says */
function aCanvas(types: readonly string[]): void {
  drawn.length = 0;
  const context = {
    drawImage: (_picture: unknown, ...numbers: number[]) => void drawn.push(`picture ${numbers.join(' ')}`),
    fillRect: (...numbers: number[]) => void drawn.push(`${context.fillStyle} ${numbers.join(' ')}`),
    fillStyle: '',
  };
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(context as unknown as RenderingContext);
  vi.spyOn(HTMLCanvasElement.prototype, 'toBlob').mockImplementation((done, type = '') =>
    done(new Blob(['x'], { type: types.includes(type) ? type : 'image/png' })),
  );
}

test('crops to WebP with at most 1024 pixels a side', async () => {
  aCanvas(['image/webp']);

  expect((await cropped('blob:x', { x: 10, y: 20, width: 3000 }))?.type).toBe('image/webp');
  expect(drawn).toEqual(['picture 10 20 3000 3000 0 0 1024 1024']);
});

test('crops to JPEG on a white ground where the browser writes no WebP', async () => {
  aCanvas(['image/jpeg']);

  expect((await cropped('blob:x', { x: 0, y: 0, width: 0.4 }))?.type).toBe('image/jpeg');
  const picture = 'picture 0 0 0.4 0.4 0 0 1 1';
  expect(drawn).toEqual([picture, '#ffffff 0 0 1 1', picture]);
});

test('crops nothing of a picture that no longer loads', async () => {
  aCanvas(['image/webp']);
  size = null;

  expect(await cropped('blob:x', { x: 0, y: 0, width: 100 })).toBeNull();
});
