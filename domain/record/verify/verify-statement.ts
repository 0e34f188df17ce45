/** Compares a day's signed statement with its records, and with itself. */
import { counted, groupedCount } from '../../format/count.ts';
import { toHex } from '../ledger/bytes.ts';
import { DAY_S, type DayStatement, dayRoot, dayStartS, HOUR_S } from '../ledger/day-statement.ts';
import { merkleRoot } from '../ledger/merkle.ts';
import type { CheckedChain } from './verify-chain.ts';
import type { Findings } from './verify-findings.ts';
import type { VerifyTools } from './verify-keys.ts';

interface DayFound extends CheckedChain {
  day: string;
  statement: DayStatement;
}

export async function checkRoots(
  { day, statement, first, last, hours, count }: DayFound,
  tools: VerifyTools,
  findings: Findings,
): Promise<void> {
  findings.ran('roots');
  await checkStatement(statement, day, tools, findings);
  if (first?.seq !== statement.first || count !== statement.count)
    findings.fault(
      'day-rows',
      `The statement for ${day} counts ${counted(statement.count, 'record')} from number ${statement.first}, but there are ${groupedCount(count)} from ${first?.seq ?? 'none'} here.`,
      { day },
    );
  if (last !== null && last.hash !== statement.last)
    findings.fault('last-hash', `The last record of ${day} is not the one named in its statement.`, {
      seq: last.seq,
      day,
    });
  for (const sealed of statement.hours) {
    const seen = hours.get(sealed.hour);
    const name = new Date(sealed.hour * 1000).toISOString().slice(11, 16);
    const about = { seq: sealed.first, day };
    if (seen === undefined || seen.first !== sealed.first || seen.hashes.length !== sealed.count)
      findings.fault(
        'hour-rows',
        `The statement for ${day} counts ${sealed.count} records from number ${sealed.first} in the hour ${name}, but there are ${seen?.hashes.length ?? 0} from ${seen?.first ?? 'none'} here.`,
        about,
      );
    if (seen === undefined) continue;
    findings.counts.hours += 1;
    if (toHex(await merkleRoot(seen.hashes, tools.sha256)) !== sealed.root)
      findings.fault('hour-root', `The records of the hour ${name} of ${day} do not produce its root.`, about);
  }
  const named = new Set(statement.hours.map(({ hour }) => hour));
  for (const [hour, seen] of hours) {
    if (!named.has(hour))
      findings.fault('hour-rows', `Record ${seen.first} is in an hour that is missing from the statement for ${day}.`, {
        seq: seen.first,
        day,
      });
  }
}

/** Checks a statement's own consistency. @param day  the day it should be for */
export async function checkStatement(
  statement: DayStatement,
  day: string,
  tools: VerifyTools,
  findings: Findings,
): Promise<void> {
  if (statement.day !== day)
    findings.fault('statement-day', `The statement is for ${statement.day}, not for ${day}.`, { day });
  const startS = dayStartS(statement.day);
  let next = statement.first;
  let afterS = startS;
  for (const { hour, first, count } of statement.hours) {
    if (hour < afterS || hour >= startS + DAY_S || first !== next)
      findings.fault('statement', `The hours in the statement for ${statement.day} do not follow one another.`, {
        day,
      });
    [next, afterS] = [first + count, hour + HOUR_S];
  }
  if (next - statement.first !== statement.count || (await dayRoot(statement.hours, tools.sha256)) !== statement.root)
    findings.fault(
      next - statement.first === statement.count ? 'day-root' : 'statement',
      `The hours in the statement for ${statement.day} do not produce its root and count.`,
      { day },
    );
}
