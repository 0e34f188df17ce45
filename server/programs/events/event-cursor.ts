/** How far a reader of events has come: the id of each event, and what a reader sends as Last-Event-ID. */
export interface EventCursor {
  /** Number of the last record that was issued. */
  seq: number;
  /** Last outcome of the public record: epoch microseconds of its scoring, and its number. */
  scoredUs: number;
  scoredSeq: number;
  /** Last outcome of the owner's predictions, epoch microseconds. */
  ownUs: number;
}

const CURSOR = /^(\d{1,15})-(\d{1,16})-(\d{1,15})-(\d{1,16})$/;

export function cursorText({ seq, scoredUs, scoredSeq, ownUs }: EventCursor): string {
  return `${seq}-${scoredUs}-${scoredSeq}-${ownUs}`;
}

/** @returns null for a text that is no cursor */
export function cursorOf(text: string): EventCursor | null {
  const [, ...parts] = CURSOR.exec(text) ?? [];
  const [seq, scoredUs, scoredSeq, ownUs] = parts.map(Number);
  if (seq === undefined || scoredUs === undefined || scoredSeq === undefined || ownUs === undefined) return null;
  return { seq, scoredUs, scoredSeq, ownUs };
}
