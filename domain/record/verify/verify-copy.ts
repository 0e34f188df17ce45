/** Neighbouring days must be linked, and a saved copy must match: only this detects a rewritten, re-signed history. */

import { counted } from '../../format/count.ts';
import { toHex } from '../ledger/bytes.ts';
import { DAY_S, dayStartS } from '../ledger/day-statement.ts';
import type { SavedCopy, StatementHere } from './saved-copy.ts';
import type { VerifiedDay } from './verify-day.ts';
import type { Findings } from './verify-findings.ts';
import type { VerifyTools } from './verify-keys.ts';

type DayHere = VerifiedDay & { text: string | null };

/** Checks each day with records against the last one before it, whatever empty days are in between. */
export async function checkLinks(days: readonly DayHere[], tools: VerifyTools, findings: Findings): Promise<void> {
  const sorted = days.toSorted((a, b) => (a.day < b.day ? -1 : a.day > b.day ? 1 : 0));
  let earlier: DayHere | null = null;
  /** Whether the file of every day since the earlier one is here. */
  let isUnbroken = true;
  for (const [i, later] of sorted.entries()) {
    const { day } = later;
    const neighbour = sorted[i - 1]?.day;
    if (neighbour === day) {
      findings.fault('doubled', `${day} was given twice.`, { day });
      continue;
    }
    isUnbroken &&= neighbour === undefined || isNextDay(neighbour, day);
    if (later.first === null) continue;
    if (earlier !== null) await checkLink(earlier, later, { isUnbroken, tools, findings });
    earlier = later;
    isUnbroken = true;
  }
}

async function checkLink(
  earlier: DayHere,
  later: DayHere,
  { isUnbroken, tools, findings }: { isUnbroken: boolean; tools: VerifyTools; findings: Findings },
): Promise<void> {
  const { day, first } = later;
  if (first === null || earlier.last === null) return;
  const next = earlier.last.seq + 1;
  if (first.seq > next) {
    if (isUnbroken)
      findings.fault(
        'gap',
        `Records are missing between ${earlier.day} and ${day}: number ${next} should follow ${earlier.last.seq}, but ${first.seq} does.`,
        { seq: next, day },
      );
    else
      findings.note(
        'not-adjacent',
        `Records between ${earlier.day} and ${day} are missing here, so they were not checked.`,
        { day },
      );
    return;
  }
  // A sealed record does not show the hash before it.
  const isChained = first.seq === next && (first.prev === null || first.prev === earlier.last.hash);
  const named = later.statement?.previous;
  const hash = earlier.text === null ? undefined : await hashOf(earlier.text, tools);
  // Days in between may have had no records; then this is still the previous statement.
  if (!isChained || (named !== undefined && hash !== undefined && named !== hash))
    findings.fault('day-link', `The first record of ${day} does not link to the last one of ${earlier.day}.`, {
      seq: first.seq,
      day,
    });
}

/** @param here  the verified statements, the days of files that have none, and whether records were compared before */
export async function compareWithCopy(
  { statements, commitments, unreadable }: SavedCopy,
  here: { statements: readonly StatementHere[]; unsigned: ReadonlySet<string>; hasCompared: boolean },
  tools: VerifyTools,
  findings: Findings,
): Promise<void> {
  if (statements.length === 0 && commitments.size === 0) {
    findings.fault('against-unreadable', 'Your copy contains neither a day’s statement nor a record.');
    return;
  }
  if (unreadable > 0)
    findings.fault(
      'against-unreadable',
      `${counted(unreadable, 'line')} of your copy can’t be read, so ${unreadable === 1 ? 'it was' : 'they were'} not compared.`,
    );
  const unsigned = new Set(statements.map(({ statement }) => statement.day).filter((day) => here.unsigned.has(day)));
  for (const day of unsigned)
    findings.fault('signature-removed', `Your copy has the signed statement for ${day}, but the file here has none.`, {
      day,
    });
  let hasCompared = here.hasCompared || unsigned.size > 0;
  for (const old of statements) {
    for (const now of here.statements) {
      const outcome = await compare(old, now, tools);
      if (outcome === null) continue;
      hasCompared = true;
      findings.ran('copy');
      findings.counts.compared += 1;
      if (!outcome)
        findings.fault(
          'rewritten',
          `The statement for ${now.statement.day} and your copy of ${old.statement.day} come from different histories: the record was rewritten.`,
          { day: now.statement.day },
        );
    }
  }
  if (!hasCompared)
    findings.fault(
      'not-compared',
      'Your copy has no statements or records for these days or the days next to them. Nothing could be compared.',
    );
}

/** @returns null when the two cannot be compared */
async function compare(old: StatementHere, now: StatementHere, tools: VerifyTools): Promise<boolean | null> {
  if (old.statement.day === now.statement.day) return old.text === now.text;
  const [earlier, later] = old.statement.day < now.statement.day ? [old, now] : [now, old];
  const end = earlier.statement.first + earlier.statement.count;
  if (end < later.statement.first && !isNextDay(earlier.statement.day, later.statement.day)) return null;
  return end === later.statement.first && later.statement.previous === (await hashOf(earlier.text, tools));
}

async function hashOf(text: string, { sha256, utf8 }: VerifyTools): Promise<string> {
  return toHex(await sha256(utf8(text)));
}

function isNextDay(earlier: string, later: string): boolean {
  return dayStartS(later) === dayStartS(earlier) + DAY_S;
}
