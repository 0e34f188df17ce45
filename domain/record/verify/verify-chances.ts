/**
 * Checks the outcomes and scores of chances: unlike a forecast's, a chance's score follows from its text and one close.
 * Chances whose windows end together must name the same close.
 */
import { windowEndS } from '../chances/chance-moments.ts';
import { chanceScoreSchema, isScoreOf, judgedChanceScoreSchema } from '../chances/chance-score.ts';
import type { ChanceBody } from '../ledger/chance-text.ts';
import type { Findings } from './verify-findings.ts';

export class ChanceScoreCheck {
  readonly #findings: Findings;
  /** The first close named of each symbol, venue and end of a window. */
  readonly #closes = new Map<string, { end: string; seq: number }>();

  constructor(findings: Findings) {
    this.#findings = findings;
  }

  /** @param score  as published beside the text; null while the outcome is unknown */
  check(body: ChanceBody, score: unknown): void {
    if (score === null || score === undefined) return;
    const { seq } = body;
    this.#findings.ran('scores');
    const read = judgedChanceScoreSchema.safeParse(score);
    const known = chanceScoreSchema.safeParse(score);
    if (!read.success) this.#findings.fault('outcome', `The score of record ${seq} is invalid.`, { seq });
    if (!known.success) return;
    this.#findings.counts.outcomes += 1;
    const { end, isAbove } = known.data;
    if (isAbove !== Number(end) > Number(body.open))
      this.#findings.fault(
        'outcome',
        `Record ${seq} says that its window closed ${isAbove ? 'above' : 'not above'} its open, but it opened at ${body.open} and closed at ${end}.`,
        { seq },
      );
    else if (!isScoreOf(body, known.data))
      this.#findings.fault('outcome', `The score of record ${seq} does not follow from its chance and outcome.`, {
        seq,
      });
    this.#compareCloses(body, end);
  }

  /** A note, not a fault: a venue may correct a candle between two rounds of scoring. */
  #compareCloses({ seq, market, sym, venue, slot, window }: ChanceBody, end: string): void {
    const key = JSON.stringify([market, sym, venue, windowEndS(slot, window)]);
    const first = this.#closes.get(key);
    if (first === undefined) this.#closes.set(key, { end, seq });
    else if (Number(first.end) !== Number(end))
      this.#findings.note(
        'closes-differ',
        `Records ${first.seq} and ${seq} name different closes for the same minute: ${first.end} and ${end}. Compare them with the venue’s candle.`,
        { seq },
      );
  }
}
