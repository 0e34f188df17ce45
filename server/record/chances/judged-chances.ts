/** Chances with their outcomes, parsed from their texts: the one query behind blocks and rows. */
import * as z from 'zod/mini';
import { chanceScoreSchema } from '#domain/record/chances/chance-score.ts';
import type { JudgedChance } from '#domain/record/chances/chance-sums.ts';
import { readChanceText } from '#domain/record/ledger/chance-text.ts';
import { RECORD_VOID_REASONS } from '#domain/record/scoring/record-score.ts';
import type { Queries } from '../../platform/database/database.ts';

const rowSchema = z.object({
  body: z.string(),
  score: z.nullable(chanceScoreSchema),
  reason: z.nullable(z.enum(RECORD_VOID_REASONS)),
});

/**
 * @param where  SQL condition on r (private.track_records), which selects chances alone
 * @throws Error for an invalid text, which the database should never accept
 */
export async function readJudgedChances(
  queries: Queries,
  where: string,
  params: readonly unknown[],
  limit = 'all',
): Promise<JudgedChance[]> {
  const rows = await queries.query(
    `select r.body, s.score, s.void_reason as reason
       from (select r.seq, r.body from private.track_records r where ${where} order by r.seq limit ${limit}) r
       left join private.track_scores s on s.seq = r.seq order by r.seq`,
    params,
  );
  return rows.map((row) => {
    const { body: text, score, reason } = rowSchema.parse(row);
    const body = readChanceText(text);
    if (body === null) throw new Error('The database contains an invalid chance.');
    return { body, score: reason === null ? score : { void: reason } };
  });
}
