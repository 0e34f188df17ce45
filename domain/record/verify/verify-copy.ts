/** Neighbouring days must be linked, and a saved copy must match: only this detects a rewritten, re-signed history. */

import * as z from 'zod/mini';
import { parsedJson } from '../../format/parsed-json.ts';
import { toHex } from '../ledger/bytes.ts';
import { type DayStatement, readStatementText } from '../ledger/day-statement.ts';
import { daysFileSchema } from '../ledger/record-files.ts';
import type { VerifiedDay } from './verify-day.ts';
import type { Findings } from './verify-findings.ts';
import type { VerifyTools } from './verify-keys.ts';

export interface StatementHere {
  statement: DayStatement;
  text: string;
}

export async function checkLinks(
  days: readonly (VerifiedDay & { text: string | null })[],
  tools: VerifyTools,
  findings: Findings,
): Promise<void> {
  const sorted = days.toSorted((a, b) => (a.day < b.day ? -1 : a.day > b.day ? 1 : 0));
  for (const [i, later] of sorted.entries()) {
    const earlier = sorted[i - 1];
    if (earlier === undefined) continue;
    const { day, first } = later;
    if (earlier.day === day) {
      findings.fault('doubled', `${day} was given twice.`, { day });
      continue;
    }
    if (first === null || earlier.last === null) continue;
    if (first.seq > earlier.last.seq + 1) {
      findings.note(
        'not-adjacent',
        `Records between ${earlier.day} and ${day} are missing here, so they were not checked.`,
        { day },
      );
      continue;
    }
    const isChained = first.seq === earlier.last.seq + 1 && first.prev === earlier.last.hash;
    const named = later.statement?.previous;
    const hash = earlier.text === null ? undefined : await hashOf(earlier.text, tools);
    // Days in between may have had no records; then this is still the previous statement.
    if (!isChained || (named !== undefined && hash !== undefined && named !== hash))
      findings.fault('day-link', `The first record of ${day} does not link to the last one of ${earlier.day}.`, {
        seq: first.seq,
        day,
      });
  }
}

/** @param here  the verified statements, and whether the saved copy holds records, which are compared elsewhere */
export async function compareWithCopy(
  copy: string,
  here: { statements: readonly StatementHere[]; hasRecords: boolean },
  tools: VerifyTools,
  findings: Findings,
): Promise<void> {
  const statements = copyStatements(copy);
  if (statements.length === 0 && !here.hasRecords) {
    findings.fault('against-unreadable', 'Your copy contains neither a day’s statement nor a record.');
    return;
  }
  for (const old of statements) {
    for (const now of here.statements) {
      const outcome = await compare(old, now, tools);
      if (outcome === null) continue;
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
  if (findings.counts.compared === 0 && findings.counts.committed === 0)
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
  if (end < later.statement.first) return null;
  return end === later.statement.first && later.statement.previous === (await hashOf(earlier.text, tools));
}

async function hashOf(text: string, { sha256, utf8 }: VerifyTools): Promise<string> {
  return toHex(await sha256(utf8(text)));
}

/** Matches a signed day, and the first line of a day's file. */
const oneStatementSchema = z.object({ statement: z.nullable(z.string()) });

/** Statements in any published format: a statement, a signed day, a page of days, a day's file. */
function copyStatements(copy: string): StatementHere[] {
  const bare = readStatementText(copy.trim());
  if (bare !== null) return [{ statement: bare, text: copy.trim() }];
  const value = parsedJson(copy) ?? parsedJson(copy.slice(0, Math.max(0, copy.indexOf('\n'))));
  const days = daysFileSchema.safeParse(value);
  const day = oneStatementSchema.safeParse(value);
  const texts = days.success
    ? days.data.days.map(({ statement }) => statement)
    : day.success
      ? [day.data.statement]
      : [];
  return texts.flatMap((text) => {
    const statement = text === null ? null : readStatementText(text);
    return text === null || statement === null ? [] : [{ statement, text }];
  });
}
