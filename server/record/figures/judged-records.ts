/** Records with what came of them, read from their texts: the one query behind blocks, cards and rows. */
import * as z from 'zod/mini';
import { readRecordText } from '#domain/record/ledger.ts';
import { RECORD_VOID_REASONS, recordScoreSchema } from '#domain/record/record-score.ts';
import type { JudgedRecord } from '#domain/record/track-blocks.ts';
import type { Queries } from '../../platform/database/database.ts';

const rowSchema = z.object({
  body: z.string(),
  score: z.nullable(recordScoreSchema),
  reason: z.nullable(z.enum(RECORD_VOID_REASONS)),
});

/**
 * @param where  condition, order and limit on r (private.track_records) and s (private.track_scores)
 * @throws Error for a record whose text is none: the database takes no such row
 */
export async function judgedRecords(
  queries: Queries,
  where: string,
  params: readonly unknown[],
): Promise<JudgedRecord[]> {
  const rows = await queries.query(
    `select r.body, s.score, s.void_reason as reason
       from private.track_records r left join private.track_scores s on s.seq = r.seq where ${where}`,
    params,
  );
  return rows.map((row) => {
    const { body: text, score, reason } = rowSchema.parse(row);
    const body = readRecordText(text);
    if (body === null) throw new Error('The database holds a record that is none.');
    return { body, score: reason === null ? score : { void: reason } };
  });
}
