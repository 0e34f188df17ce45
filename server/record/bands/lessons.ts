/**
 * Which of the records behind the last one learnt are learnt now, and in which order: that of the chain. A record that
 * nobody has scored yet holds up those after it, until one two hours younger is known: then what it waits for (a candle
 * that never came, most likely) may take days, and it is left out for good. So two processes that see the same scores
 * learn the same, and nothing is learnt twice.
 */
import { type BandState, learn } from '#domain/record/bands/adaptive-bands.ts';
import type { BandRecord } from './band-correction-store.ts';

/** In market time, between the slots of two records. */
export const LONGEST_WAIT_S = 2 * 3600;

/** @param records  of one learner, behind its last one, in order of seq */
export function learnFrom(state: BandState, records: readonly BandRecord[]): BandState {
  const newest = Math.max(...records.filter((one) => one.state !== 'waiting').map(({ slot }) => slot));
  let learnt = state;
  for (const { seq, slot, state: scored, inside } of records) {
    if (scored === 'waiting' && newest - slot < LONGEST_WAIT_S) break;
    learnt = learn(learnt, { seq, inside: scored === 'known' ? inside : null });
  }
  return learnt;
}
