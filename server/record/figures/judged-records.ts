/** Records with their outcomes, parsed from their texts: the one query behind blocks, cards and rows. */
import * as z from 'zod/mini';
import type { JudgedRecord } from '#domain/record/figures/track-blocks.ts';
import { readRecordText } from '#domain/record/ledger/ledger.ts';
import { RECORD_VOID_REASONS, recordScoreSchema } from '#domain/record/scoring/record-score.ts';
import type { Queries } from '../../platform/database/database.ts';

const rowSchema = z.object({
  body: z.string(),
  hash: z.string(),
  score: z.nullable(recordScoreSchema),
  reason: z.nullable(z.enum(RECORD_VOID_REASONS)),
});

/** With the hash of its text, hex. */
export interface StoredJudgedRecord extends JudgedRecord {
  hash: string;
}

export interface JudgedQuestion {
  /** SQL condition on r (private.track_records). */
  where: string;
  isNewestFirst?: boolean;
  /** SQL of a number. Default: all. */
  limit?: string;
}

/**
 * Selects the records first, then joins their scores. PostgreSQL does not analyse a partitioned table automatically;
 * with and without statistics a join under the limit was planned a hundred times too expensive
 * (docs/decisions/044-partitions-and-retention.md).
 * @throws Error for an invalid record text, which the database should never accept
 */
export async function readJudged(
  queries: Queries,
  { where, isNewestFirst = false, limit = 'all' }: JudgedQuestion,
  params: readonly unknown[],
): Promise<StoredJudgedRecord[]> {
  const order = `order by r.seq${isNewestFirst ? ' desc' : ''}`;
  const rows = await queries.query(
    `select r.body, encode(r.hash, 'hex') as hash, s.score, s.void_reason as reason
       from (select r.seq, r.body, r.hash from private.track_records r where ${where} ${order} limit ${limit}) r
       left join private.track_scores s on s.seq = r.seq ${order}`,
    params,
  );
  return rows.map((row) => {
    const { body: text, hash, score, reason } = rowSchema.parse(row);
    const body = readRecordText(text);
    if (body === null) throw new Error('The database contains an invalid record.');
    return { body, hash, score: reason === null ? score : { void: reason } };
  });
}
