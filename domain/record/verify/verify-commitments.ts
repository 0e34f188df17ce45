/** Compares records with a file saved earlier. A text with another hash was written afterwards. */
import { sealedRecord } from '../ledger/record-files.ts';
import type { Commitment } from './saved-copy.ts';
import { dayOfOr } from './verify-chain.ts';
import type { Findings } from './verify-findings.ts';

/** Compares records one by one with those of the user's saved file. */
export class CommitmentCheck {
  readonly #copied: ReadonlyMap<number, Commitment>;
  readonly #compared = new Set<number>();
  #otherHashes: number[] = [];
  #otherKeys: number[] = [];

  constructor(copied: ReadonlyMap<number, Commitment>) {
    this.#copied = copied;
  }

  compare(record: Commitment): void {
    const before = this.#copied.get(record.seq);
    if (before === undefined) return;
    this.#compared.add(record.seq);
    if (before.hash !== record.hash) this.#otherHashes.push(record.seq);
    else if (textOf(before) !== textOf(record)) this.#otherKeys.push(record.seq);
  }

  /** @param days  days of which every record should be here. @returns whether there was anything to compare */
  report(days: ReadonlySet<string>, findings: Findings): boolean {
    const missing = [...this.#copied.values()].filter(
      ({ seq, issued }) => !this.#compared.has(seq) && days.has(dayOfOr(issued)),
    );
    if (this.#compared.size + missing.length === 0) return false;
    findings.ran('copy');
    findings.counts.committed += this.#compared.size;
    reportMissing(missing, findings);
    reportFirst(
      this.#otherHashes,
      'does not match its commitment: its hash differs from the one in your copy',
      findings,
    );
    reportFirst(this.#otherKeys, 'has a different key or time than in your copy', findings);
    return true;
  }
}

/** A file may end later than its copy, never earlier. */
function reportMissing(missing: readonly Commitment[], findings: Findings): void {
  for (const [day, [first, ...more]] of Map.groupBy(missing, ({ issued }) => dayOfOr(issued))) {
    if (first === undefined) continue;
    const others = more.length === 0 ? '' : `, and so ${more.length === 1 ? 'is' : 'are'} ${more.length} more`;
    findings.fault('missing-record', `Record ${first.seq} of your copy is missing from the file for ${day}${others}.`, {
      seq: first.seq,
      day,
    });
  }
}

/** Names the first and counts the others, because a rewritten history has thousands. */
function reportFirst([seq, ...more]: readonly number[], problem: string, findings: Findings): void {
  if (seq === undefined) return;
  const others = more.length === 0 ? '' : ` The same applies to ${more.length} more.`;
  findings.fault('not-committed', `Record ${seq} ${problem}.${others}`, { seq });
}

function textOf(commitment: Commitment): string {
  return JSON.stringify(sealedRecord(commitment, commitment.hash));
}
