/**
 * Which records are learned next, and in which order: the chain's. A record that is not scored yet blocks those after
 * it
 * until one two hours later is known. Its missing candle may then take days, and it is skipped for good. Two processes
 * with the same scores thus learn the same, and no record is learned twice.
 */
import { type BandState, learn } from '#domain/record/bands/adaptive-bands.ts';
import type { BandRecord } from './band-correction-store.ts';

/** Market time between the slots of two records. */
export const LONGEST_WAIT_S = 2 * 3600;

/** @param records  of one learner, after its last one, by seq */
export function learnFrom(state: BandState, records: readonly BandRecord[]): BandState {
  const newest = Math.max(...records.filter((one) => one.state !== 'waiting').map(({ slot }) => slot));
  let learnt = state;
  for (const { seq, slot, state: scored, inside } of records) {
    if (scored === 'waiting' && newest - slot < LONGEST_WAIT_S) break;
    learnt = learn(learnt, { seq, inside: scored === 'known' ? inside : null });
  }
  return learnt;
}
