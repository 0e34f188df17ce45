import { readStatementText } from '#domain/record/ledger/day-statement.ts';
import { daysFileSchema } from '#domain/record/ledger/record-files.ts';
import { fetchJson } from '../../../platform/calls/fetch-json.ts';
import { retryingFetch } from '../../../platform/calls/shed-retry.ts';

/** The newest signed day; null if there is none. @throws CallError */
export function fetchNewestDay(signal: AbortSignal): Promise<string | null> {
  return fetchJson('/record/days.json', {
    signal,
    failure: { code: 'record', message: 'We couldn’t load the signed days.' },
    read(body) {
      const [newest] = daysFileSchema.parse(body).days;
      return newest === undefined ? null : (readStatementText(newest.statement)?.day ?? null);
    },
  });
}

export interface RawFile {
  name: string;
  text: string;
}

export function dayFile(day: string): string {
  return `/record/days/${day}.ndjson`;
}

export function recordFile(seq: number): string {
  return `/record/records/${seq}.json`;
}

/**
 * @param onBytes  receives the number of bytes so far  @returns null if there is no such file
 * @throws Error if the server does not answer or refuses
 */
export async function fetchRawFile(
  path: string,
  signal: AbortSignal,
  onBytes: (bytes: number) => void,
): Promise<RawFile | null> {
  const response = await retryingFetch(path, { signal });
  if (response.status === 404) return null;
  if (!response.ok) throw new Error(`We couldn’t load ${path} (${response.status}).`);
  const decoder = new TextDecoder();
  let [text, bytes] = ['', 0];
  for await (const chunk of chunksOf(response)) {
    bytes += chunk.length;
    text += decoder.decode(chunk, { stream: true });
    onBytes(bytes);
  }
  return { name: path.slice(path.lastIndexOf('/') + 1), text: text + decoder.decode() };
}

/** Not every browser can iterate a stream. */
async function* chunksOf({ body }: Response): AsyncGenerator<Uint8Array> {
  const reader = body?.getReader();
  if (reader === undefined) return;
  for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
}
