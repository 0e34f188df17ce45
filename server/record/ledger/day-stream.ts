/** A day's file, line by line, read from the database in pages as fast as it is fetched. */
import type { DayHead } from '#domain/record/record-files.ts';
import type { DayState, PublishedStore } from './published-store.ts';

/** Some 400 KB. */
const PAGE = 250;

/**
 * @param onFailure  told what broke it off: the reader gets a file that ends early, which its statement does not allow
 */
export function dayStream(
  head: DayHead,
  { first, last }: Pick<DayState, 'first' | 'last'>,
  store: Pick<PublishedStore, 'records'>,
  onFailure: (error: unknown) => void,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let next = first;
  let isLeft = false;
  return new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(encoder.encode(`${JSON.stringify(head)}\n`)),
    async pull(controller) {
      try {
        const rows = next > last ? [] : await store.records(next, last, PAGE);
        // Whoever fetched it may have gone meanwhile.
        if (isLeft) return;
        const end = rows.at(-1)?.seq;
        if (end === undefined) {
          controller.close();
          return;
        }
        next = end + 1;
        controller.enqueue(
          encoder.encode(rows.map(({ record, score }) => `${JSON.stringify({ record, score })}\n`).join('')),
        );
      } catch (error) {
        if (isLeft) return;
        onFailure(error);
        controller.error(error);
      }
    },
    cancel() {
      isLeft = true;
    },
  });
}
