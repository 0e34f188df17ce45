const MAX_RETRY_AFTER_MS = 3 * 86_400_000;

/** The body as UTF-8. @throws like `readBoundedBytes` */
export async function readBounded(response: Response, maxBytes: number): Promise<string> {
  return (await readBoundedBytes(response, maxBytes)).toString('utf8');
}

/** @throws Error when the body is longer than `maxBytes`; the rest is not read, and the connection is closed */
export async function readBoundedBytes(response: Response, maxBytes: number): Promise<Buffer<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  // An error that leaves the loop cancels the body, which closes the connection.
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > maxBytes) throw new Error('the answer is too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Parses a Retry-After header: usually seconds, sometimes a date. Null if it is missing or invalid. */
export function readRetryAfterMs(header: string | null): number | null {
  if (header === null || header.trim() === '') return null;
  const ms = /^\d{1,9}$/.test(header) ? Number(header) * 1000 : Date.parse(header) - Date.now();
  return Number.isFinite(ms) ? Math.min(MAX_RETRY_AFTER_MS, Math.max(1000, ms)) : null;
}
