/** The public record only grows: each copy contains every earlier one, and what was sealed is revealed with its own hash. */
import type { Sighting } from '../history/history.ts';

type Copy = Extract<Sighting, { kind: 'record' }>;

/**
 * @param copies  in the order in which they were downloaded
 * @param isClockMoved  a record whose time had come by a fast clock is sealed again once the clock is right
 * @returns what is wrong
 */
export function checkRecordCopies(copies: readonly Copy[], isClockMoved: boolean): string[] {
  return [...Map.groupBy(copies, ({ day }) => day)].flatMap(([day, own]) => [
    ...own.flatMap(({ lines }) => numbersOf(day, lines)),
    ...own.slice(1).flatMap(({ lines }, at) => growth(day, own[at]?.lines ?? [], lines, isClockMoved)),
  ]);
}

type Lines = Copy['lines'];

function numbersOf(day: string, lines: Lines): string[] {
  const at = lines.findIndex(({ seq }, i) => i > 0 && seq !== (lines[i - 1]?.seq ?? 0) + 1);
  return at === -1 ? [] : [`${day}: record ${lines[at]?.seq} follows record ${lines[at - 1]?.seq}`];
}

function growth(day: string, before: Lines, after: Lines, isClockMoved: boolean): string[] {
  const wrong: string[] = [];
  for (const [at, earlier] of before.entries()) {
    const later = after[at];
    if (later === undefined || later.seq !== earlier.seq) wrong.push(`${day}: record ${earlier.seq} is missing`);
    else if (later.hash !== earlier.hash) wrong.push(`${day}: record ${earlier.seq} has another hash than before`);
    else if (later.isSealed && !earlier.isSealed && !isClockMoved)
      wrong.push(`${day}: record ${earlier.seq} was sealed again`);
  }
  return wrong;
}
