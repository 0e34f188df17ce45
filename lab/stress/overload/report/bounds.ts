/** Bounds below and above capacity, and which of them were broken, as text. */
import { type StageFigures, WORK_KINDS, type WorkKind } from '../stage-figures.ts';

export const BOUNDS = {
  /** Above capacity, of what completes at capacity. */
  completedShare: 0.9,
  /** Below capacity, of what is due. */
  incompleteShare: 0.01,
  refusedShare: 0.01,
  latenessP99Ms: 250,
  callsP99Ms: 500,
  changesP99Ms: 500,
  refusalMs: 1000,
  /** Resident memory after the load, relative to that after the first stage. */
  memoryGrowth: 0.1,
} as const;

/** What users get; pages are not counted, because a page is useless without its calls. */
const COUNTED = WORK_KINDS.filter((kind) => kind !== 'pages');
export const KIND_NAMES: Readonly<Record<WorkKind, string>> = {
  forecasts: 'forecasts',
  calls: 'calls',
  signUps: 'sign-ups',
  pages: 'pages',
};

/** Per minute at the host's capacity. */
export type CompletedAtCapacity = Readonly<Record<WorkKind, number>>;

export function completedAtCapacity({ work }: StageFigures): CompletedAtCapacity {
  const of = (kind: WorkKind): number => work[kind].duePerMinute * (work[kind].completedShare ?? 0);
  return { forecasts: of('forecasts'), calls: of('calls'), signUps: of('signUps'), pages: of('pages') };
}

/** For a load that the host should carry completely. */
export function brokenBelowCapacity(stage: StageFigures): string[] {
  const broken: string[] = [];
  for (const kind of COUNTED) {
    const { completedShare } = stage.work[kind];
    if (completedShare !== null && 1 - completedShare > BOUNDS.incompleteShare)
      broken.push(`${percent(1 - completedShare)} of ${KIND_NAMES[kind]} did not complete`);
  }
  if (stage.refusedShare > BOUNDS.refusedShare)
    broken.push(`${percent(stage.refusedShare)} of the requests of one class were refused`);
  return [...broken, ...slow(stage), ...longer('changes of the book are', stage.changes.p99Ms, BOUNDS.changesP99Ms)];
}

/**
 * For a load above the host's capacity.
 *
 * @param share  the measured crowd's part of what completes at capacity
 */
export function brokenAboveCapacity(stage: StageFigures, atCapacity: CompletedAtCapacity, share = 1): string[] {
  const broken: string[] = [];
  for (const kind of COUNTED) {
    const wanted = atCapacity[kind] * share * BOUNDS.completedShare;
    const { completedPerMinute } = stage.work[kind];
    if (completedPerMinute < wanted)
      broken.push(
        `${rounded(completedPerMinute)} ${KIND_NAMES[kind]} a minute completed in place of ${rounded(wanted)}`,
      );
  }
  broken.push(...slow(stage));
  const { worstMs } = stage.refusals;
  if (worstMs !== null && worstMs > BOUNDS.refusalMs)
    broken.push(`a refusal took ${rounded(worstMs)} ms in place of ${BOUNDS.refusalMs}`);
  if (stage.cut > 0) broken.push(`${stage.cut} admitted streams were cut`);
  return [...broken, ...notReady(stage)];
}

export interface AfterLoad {
  /** After the first stage of the ramp. */
  firstResidentMib: number;
  residentMib: number;
  /** Of clients that have all left. */
  connections: number;
}

/** For what remains after the load. */
export function brokenAfterwards({ firstResidentMib, residentMib, connections }: AfterLoad): string[] {
  const broken: string[] = [];
  if (residentMib > firstResidentMib * (1 + BOUNDS.memoryGrowth))
    broken.push(
      `resident memory is ${rounded(residentMib)} MiB after the load, ${rounded(firstResidentMib)} MiB after its first stage`,
    );
  if (connections > 0) broken.push(`${connections} connections of clients that have left are open`);
  return broken;
}

function slow({ lateness, calls }: StageFigures): string[] {
  return [
    ...longer('candles come late:', lateness.p99Ms, BOUNDS.latenessP99Ms),
    ...longer('calls take', calls.p99Ms, BOUNDS.callsP99Ms),
  ];
}

function longer(what: string, p99Ms: number | null, boundMs: number): string[] {
  return p99Ms !== null && p99Ms > boundMs ? [`${what} ${rounded(p99Ms)} ms at p99 in place of ${boundMs}`] : [];
}

function notReady({ host }: StageFigures): string[] {
  const kinds = Object.entries(host.notReady);
  if (kinds.length === 0) return [];
  return [`/readyz was not 200: ${kinds.map(([what, count]) => `${what} ${count} times`).join(', ')}`];
}

function percent(share: number): string {
  return `${Math.round(share * 1000) / 10}%`;
}

function rounded(value: number): number {
  return Math.round(value * 10) / 10;
}
