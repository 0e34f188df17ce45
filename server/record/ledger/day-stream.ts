/** The file of a whole day: its head, then a line for each record. */
import { type DayHead, sealedRecord } from '#domain/record/ledger/record-files.ts';
import { isRevealed } from '#domain/record/ledger/reveal.ts';
import { textStream } from '../../platform/http/streams/text-stream.ts';
import type { Reveal } from '../reveal.ts';
import type { DayState, PublishedStore, StoredRecord } from './published-store.ts';

/** Some 400 KB. */
const PAGE = 250;

export interface DayStreamDeps {
  store: Pick<PublishedStore, 'records'>;
  reveal: Reveal;
}

/** @param onFailure  gets the error that stopped the stream: the file ends early, which its statement reveals */
export function dayStream(
  head: DayHead,
  day: Pick<DayState, 'first' | 'last'>,
  deps: DayStreamDeps,
  onFailure: (error: unknown) => void,
): ReadableStream<Uint8Array> {
  return textStream(pagesOf(head, day, deps), onFailure);
}

async function* pagesOf(
  head: DayHead,
  { first, last }: Pick<DayState, 'first' | 'last'>,
  { store, reveal }: DayStreamDeps,
): AsyncGenerator<string> {
  yield `${JSON.stringify(head)}\n`;
  for (let next = first; next <= last; ) {
    const rows = await store.records(next, last, PAGE);
    const end = rows.at(-1)?.seq;
    if (end === undefined) return;
    next = end + 1;
    yield rows.map((row) => `${JSON.stringify(lineOf(row, reveal))}\n`).join('');
  }
}

function lineOf(row: StoredRecord, reveal: Reveal): Record<string, unknown> {
  const { record, score } = row;
  return isRevealed(row, reveal(row.market)) ? { record, score } : { sealed: sealedRecord(row, row.hash), score: null };
}
