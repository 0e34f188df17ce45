/** Reading what a foreign server answers: never more than expected, and for how long it asks to be left alone. */

const MAX_RETRY_AFTER_MS = 3 * 86_400_000;

/** @throws Error when the body is longer than `maxBytes`; the rest is not read then, and the connection is given up */
export async function readBounded(response: Response, maxBytes: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  // Leaving the loop by an error cancels the body, and with it the connection.
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > maxBytes) throw new Error('the answer is too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** Of a header Retry-After: seconds, as most send it; a date is read too. Null when there is none, or it makes no sense. */
export function readRetryAfterMs(header: string | null): number | null {
  if (header === null || header.trim() === '') return null;
  const ms = /^\d{1,9}$/.test(header) ? Number(header) * 1000 : Date.parse(header) - Date.now();
  return Number.isFinite(ms) ? Math.min(MAX_RETRY_AFTER_MS, Math.max(1000, ms)) : null;
}
