/** Saved predictions: exactly the candles that were streamed, once per reservation. */
import type { Call } from '../history/calls.ts';
import type { SavedRow, Sighting } from '../history/history.ts';

type Seen = Extract<Sighting, { kind: 'forecast' }>;

export interface SaveFacts {
  saves: readonly Call<'save'>[];
  reads: readonly Call<'read-saved'>[];
  streams: readonly Call<'stream'>[];
  forecasts: readonly Seen[];
  /** Settlement saves a forecast that its user saw and did not save, after ten minutes. */
  hasSettlement: boolean;
}

/** @param facts  of one user @returns what is wrong */
export function checkSaves(user: string, facts: SaveFacts): string[] {
  return [...checkAnswers(user, facts), ...facts.reads.flatMap((read) => checkRead(user, read, facts))];
}

/** The same reservation always gives the same row, and another one another row. */
function checkAnswers(user: string, { saves }: SaveFacts): string[] {
  const rows = new Map<string, string>();
  const reservations = new Map<string, string>();
  return saves.flatMap(({ request: { reservationId }, outcome, answer: { rowId } }) => {
    if (outcome !== 'ok' || rowId === undefined) return [];
    const known = rows.get(reservationId) ?? rowId;
    const owner = reservations.get(rowId) ?? reservationId;
    rows.set(reservationId, known);
    reservations.set(rowId, owner);
    const wrong: string[] = [];
    if (known !== rowId) wrong.push(`${user} saved ${reservationId} as ${known} and as ${rowId}`);
    if (owner !== reservationId) wrong.push(`${user} got row ${rowId} for ${owner} and for ${reservationId}`);
    return wrong;
  });
}

function checkRead(user: string, read: Call<'read-saved'>, facts: SaveFacts): string[] {
  const { rows } = read.answer;
  if (read.outcome !== 'ok' || rows === undefined) return [];
  const wrong: string[] = [];
  for (const [key, same] of Map.groupBy(rows, ({ forecast, t0 }) => `${forecast} ${t0}`))
    if (same.length > 1) wrong.push(`${user} has ${key} ${same.length} times`);
  for (const row of rows) wrong.push(...checkRow(user, row, facts));
  const ids = new Set(rows.map(({ id }) => id));
  for (const { outcome, answer, returnedMs, request } of facts.saves)
    if (outcome === 'ok' && returnedMs < read.invokedMs && !ids.has(answer.rowId ?? ''))
      wrong.push(
        `${user}'s row ${answer.rowId} of ${request.reservationId} is lost at ${read.invokedMs.toFixed(0)} ms`,
      );
  return wrong;
}

/** A row needs a reservation of its user; if that one's candles were seen, they are the row's. */
function checkRow(user: string, row: SavedRow, { saves, streams, forecasts, hasSettlement }: SaveFacts): string[] {
  const byAnswer = saves.find(({ answer }) => answer.rowId === row.id)?.request.reservationId;
  const byMinute = streams.find(({ request, answer }) => request.forecast === row.forecast && answer.t0 === row.t0);
  const reservationId = byAnswer ?? byMinute?.answer.reservationId;
  if (reservationId === undefined) {
    const isPossible = hasSettlement && streams.some(({ request }) => request.forecast === row.forecast);
    return isPossible ? [] : [`${user} has the row ${row.id}, which no one reserved`];
  }
  const seen = forecasts.find((one) => one.reservationId === reservationId);
  if (seen !== undefined && seen.digest !== row.digest)
    return [`${user}'s row ${row.id} has other candles than ${reservationId} streamed`];
  const isSaved = saves.some(({ request }) => request.reservationId === reservationId);
  return isSaved || hasSettlement ? [] : [`${user} has ${reservationId} saved without saving it`];
}
