/** The findings of a verification, as text, and which checks were made. */

const CHECKS = [
  { what: 'texts', text: 'Every record is complete and readable, and appears once.' },
  { what: 'chain', text: 'Each record contains the hash of the one before it, without gaps.' },
  { what: 'times', text: 'No record is backdated or filed under the wrong minute, hour or day.' },
  { what: 'roots', text: 'The records produce the Merkle roots in the day’s statement.' },
  { what: 'signatures', text: 'The statements are signed by a known key that was valid at the time.' },
  { what: 'copy', text: 'Statements and records match your copy or continue it.' },
  { what: 'scores', text: 'The outcome and score of each chance follow from its window’s open and close.' },
] as const;
export type Check = (typeof CHECKS)[number]['what'];
/** Files without chances have nothing of this kind to check. */
const OPTIONAL_CHECK = 'scores' satisfies Check;

/** Kinds of faults, by the check that they fail. */
const FAULTS = {
  'unreadable-file': 'texts',
  'unreadable-line': 'texts',
  'unreadable-record': 'texts',
  doubled: 'texts',
  hash: 'texts',
  document: 'texts',
  chain: 'chain',
  gap: 'chain',
  order: 'chain',
  'day-link': 'chain',
  'issued-earlier': 'times',
  'slot-minute': 'times',
  'foreign-day': 'times',
  'hour-rows': 'roots',
  'hour-root': 'roots',
  'day-rows': 'roots',
  'day-root': 'roots',
  'last-hash': 'roots',
  statement: 'roots',
  'statement-day': 'roots',
  proof: 'roots',
  signature: 'signatures',
  'foreign-key': 'signatures',
  'retired-key': 'signatures',
  'key-id': 'signatures',
  announcement: 'signatures',
  'unannounced-key': 'signatures',
  'missing-signature': 'signatures',
  'nothing-signed': 'signatures',
  rewritten: 'copy',
  'not-committed': 'copy',
  'missing-record': 'copy',
  'signature-removed': 'copy',
  'against-unreadable': 'copy',
  'not-compared': 'copy',
  outcome: 'scores',
} as const satisfies Record<string, Check>;
export type FaultKind = keyof typeof FAULTS;

/** Findings that are not faults but must be reported. */
export type NoteKind =
  | 'unsigned-day'
  | 'no-proof'
  | 'unchecked-signature'
  | 'keys-from-file'
  | 'scores'
  | 'closes-differ'
  | 'sealed'
  | 'not-adjacent';

export interface Finding {
  severity: 'fault' | 'note';
  kind: FaultKind | NoteKind;
  day: string | null;
  seq: number | null;
  text: string;
}

export interface Counts {
  files: number;
  records: number;
  /** Days whose files were read: one that still runs counts too. */
  days: number;
  /** Hours whose roots were recomputed. */
  hours: number;
  signatures: number;
  proofs: number;
  documents: number;
  /** Scores of chances that were computed again. */
  outcomes: number;
  /** Sealed records: their hashes were checked, not their texts. */
  sealed: number;
  /** Statements that were compared with saved ones. */
  compared: number;
  /** Records that were compared with what was published of them before. */
  committed: number;
}

export interface CheckOutcome {
  what: Check;
  outcome: 'ok' | 'failed' | 'unchecked';
  text: string;
}

/** Further findings are only counted, because a file of garbage has one on every line. */
const MAX_FINDINGS = 200;

export interface Findings {
  readonly counts: Counts;
  fault(kind: FaultKind, text: string, about?: { seq?: number | null; day?: string | null }): void;
  note(kind: NoteKind, text: string, about?: { seq?: number | null; day?: string | null }): void;
  /** Marks a check as made at least once. */
  ran(check: Check): void;
  /** Marks a check as incomplete: it counts as unchecked unless it failed. */
  missed(check: Check): void;
  result(): { isSound: boolean; findings: Finding[]; moreFindings: number; checks: CheckOutcome[]; counts: Counts };
}

export function newFindings(): Findings {
  const counts: Counts = {
    files: 0,
    records: 0,
    days: 0,
    hours: 0,
    signatures: 0,
    proofs: 0,
    documents: 0,
    outcomes: 0,
    sealed: 0,
    compared: 0,
    committed: 0,
  };
  const found: Finding[] = [];
  const failed = new Set<Check>();
  const checked = new Set<Check>();
  const unchecked = new Set<Check>();
  let total = 0;
  function add(finding: Finding): void {
    total += 1;
    if (found.length < MAX_FINDINGS) found.push(finding);
  }
  return {
    counts,
    fault(kind, text, { seq = null, day = null } = {}) {
      failed.add(FAULTS[kind]);
      add({ severity: 'fault', kind, day, seq, text });
    },
    note(kind, text, { seq = null, day = null } = {}) {
      add({ severity: 'note', kind, day, seq, text });
    },
    ran: (check) => void checked.add(check),
    missed: (check) => void unchecked.add(check),
    result: () => ({
      isSound: failed.size === 0,
      findings: found,
      moreFindings: total - found.length,
      checks: CHECKS.filter(({ what }) => what !== OPTIONAL_CHECK || checked.has(what) || failed.has(what)).map(
        ({ what, text }) => {
          const isDone = checked.has(what) && !unchecked.has(what);
          return { what, outcome: failed.has(what) ? 'failed' : isDone ? 'ok' : 'unchecked', text };
        },
      ),
      counts,
    }),
  };
}
