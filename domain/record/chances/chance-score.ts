/** The score of a recorded chance, as whole numbers. The same closing price gives everyone the same score. */
import * as z from 'zod/mini';
import { CHANCE_UNITS, type ChanceBody } from '../ledger/chance-text.ts';
import { recordBodySchema } from '../ledger/ledger.ts';
import { RECORD_VOID_REASONS, type RecordVoidReason } from '../scoring/record-score.ts';

/** Scores are whole hundred-millionths. */
export const SCORE_UNITS = 1e8;

const loss = z.int().check(z.nonnegative());
const losses = z.strictObject({ model: loss, baseline: loss });

export const chanceScoreSchema = z.strictObject({
  /** The window's last close, as the venue sent it. */
  end: recordBodySchema.shape.close,
  /** Whether that is above the window's open. */
  isAbove: z.boolean(),
  /** (chance - outcome) squared, and minus the logarithm of the chance of what happened; SCORE_UNITS. */
  brier: losses,
  log: losses,
});
export type ChanceScore = z.infer<typeof chanceScoreSchema>;

/** Null while the outcome is unknown. */
export type JudgedChanceScore = ChanceScore | { void: RecordVoidReason } | null;
export const judgedChanceScoreSchema = z.nullable(
  z.union([chanceScoreSchema, z.strictObject({ void: z.enum(RECORD_VOID_REASONS) })]),
);

/** @param end  the window's last close, as decimal text */
export function scoreChance(body: Pick<ChanceBody, 'open' | 'chance' | 'baseline'>, end: string): ChanceScore {
  const isAbove = Number(end) > Number(body.open);
  return {
    end,
    isAbove,
    brier: { model: brierOf(body.chance, isAbove), baseline: brierOf(body.baseline, isAbove) },
    log: { model: logOf(body.chance, isAbove), baseline: logOf(body.baseline, isAbove) },
  };
}

function brierOf(chance: number, isAbove: boolean): number {
  return Math.round(SCORE_UNITS * ((chance - (isAbove ? CHANCE_UNITS : 0)) / CHANCE_UNITS) ** 2);
}

function logOf(chance: number, isAbove: boolean): number {
  return Math.round(-SCORE_UNITS * Math.log((isAbove ? chance : CHANCE_UNITS - chance) / CHANCE_UNITS));
}

/** Whether a published score is the one that follows from the text and the published close. */
export function isScoreOf(body: ChanceBody, score: ChanceScore): boolean {
  return JSON.stringify(scoreChance(body, score.end)) === JSON.stringify(chanceScoreSchema.parse(score));
}
