/** Rules about chances, by market. */
import * as z from 'zod/mini';
import { type RuleChance, ruleChanceSchema } from '#domain/alerts/alert-rule.ts';
import type { Queries } from '../platform/database/database.ts';

const rowSchema = z.object({ id: z.string(), userId: z.string(), sym: z.string(), chance: z.unknown() });

export interface ChanceRule {
  id: string;
  userId: string;
  sym: string;
  chance: RuleChance;
}

/** Ordered by symbol and id, after a given rule. Rules of another version's form are left out. */
export async function chanceRules(
  queries: Queries,
  { after, limit }: { after: Pick<ChanceRule, 'sym' | 'id'> | null; limit: number },
): Promise<{ rules: ChanceRule[]; next: Pick<ChanceRule, 'sym' | 'id'> | null }> {
  const rows = await queries.query(
    `select r.id::text as id, r.user_id::text as "userId", r.sym, r.chance from public.alert_rules r
      where r.kind = 'chance-reached' and ($1::text is null or (r.sym, r.id) > ($1::text, $2::text::uuid))
      order by r.sym, r.id limit $3::int`,
    [after?.sym ?? null, after?.id ?? null, limit],
  );
  const found = z.array(rowSchema).parse(rows);
  const last = found.at(-1);
  return {
    rules: found.flatMap(({ chance, ...rule }) => {
      const read = ruleChanceSchema.safeParse(chance);
      return read.success ? [{ ...rule, chance: read.data }] : [];
    }),
    next: last === undefined || found.length < limit ? null : { sym: last.sym, id: last.id },
  };
}
