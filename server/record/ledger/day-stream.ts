/** A day's file, line by line, read from the database in pages as fast as it is fetched. */
import type { DayHead } from '#domain/record/record-files.ts';
import { textStream } from '../../platform/http/text-stream.ts';
import type { DayState, PublishedStore } from './published-store.ts';

/** Some 400 KB. */
const PAGE = 250;

/**
 * @param onFailure  told what broke it off: the reader gets a file that ends early, which its statement does not allow
 */
export function dayStream(
  head: DayHead,
  day: Pick<DayState, 'first' | 'last'>,
  store: Pick<PublishedStore, 'records'>,
  onFailure: (error: unknown) => void,
): ReadableStream<Uint8Array> {
  return textStream(pagesOf(head, day, store), onFailure);
}

async function* pagesOf(
  head: DayHead,
  { first, last }: Pick<DayState, 'first' | 'last'>,
  store: Pick<PublishedStore, 'records'>,
): AsyncGenerator<string> {
  yield `${JSON.stringify(head)}\n`;
  for (let next = first; next <= last; ) {
    const rows = await store.records(next, last, PAGE);
    const end = rows.at(-1)?.seq;
    if (end === undefined) return;
    next = end + 1;
    yield rows.map(({ record, score }) => `${JSON.stringify({ record, score })}\n`).join('');
  }
}
