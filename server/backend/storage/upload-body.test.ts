import { expect, test } from 'vitest';
import { readUpload } from './upload-body.ts';

function post(body: ReadableStream | string, headers: Record<string, string> = {}): Request {
  return new Request('http://kat/', { method: 'POST', body, headers, duplex: 'half' } as RequestInit);
}

test('times out with 408 on a body that never ends', async () => {
  const body = new ReadableStream({ start: (controller) => controller.enqueue(new Uint8Array(10)) });

  await expect(readUpload(post(body), 20)).rejects.toMatchObject({ status: 408, code: 'RequestTimeout' });
});

test.each([
  ['max-age=60', 'max-age=60'],
  ['public, max-age=60', 'max-age=60'],
  ['60', 'max-age=60'],
  ['9999999999', 'max-age=31536000'],
  ['no-store', 'no-cache'],
  ['', 'no-cache'],
])('stores cache control %j as %j', async (header, stored) => {
  const upload = await readUpload(post('x', { 'cache-control': header }));

  expect(upload.cacheControl).toBe(stored);
});
