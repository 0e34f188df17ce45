/** The measurements of one stage, computed from its crowds' counts. */
import type { CrowdFigures } from '../crowds/crowd-messages.ts';
import type { StageWork } from './client/work-counts.ts';
import type { GroupFigures } from './crowd-group.ts';

export const WORK_KINDS = ['forecasts', 'calls', 'signUps', 'pages'] as const;
export type WorkKind = (typeof WORK_KINDS)[number];

export interface WorkFigures {
  duePerMinute: number;
  /** Completed while the stage ran, whenever it was due. */
  completedPerMinute: number;
  /** The share of what was due in the stage that completed at any time; null: nothing was due. */
  completedShare: number | null;
  /** Clients that gave up after their last try. */
  leftPerMinute: number;
}

export interface Spread {
  p50Ms: number | null;
  p99Ms: number | null;
  worstMs: number | null;
}

export interface HostFigures {
  /** Measured time, with the time after the stage at the same load. */
  measuredS: number;
  cores: { server: number; database: number; others: number };
  residentMib: number;
  connections: number;
  openFiles: number;
  /** Over about the last minute. */
  eventLoopP99Ms: number | null;
  /** Answers of /readyz that were not 200, by process and status. */
  notReady: Record<string, number>;
}

export interface StagePlan {
  /** Name of the stage in the crowds' counts. */
  tag: string;
  /** For readers. */
  name: string;
  /** Multiple of the host's capacity; null: during the search for it. */
  ofCapacity: number | null;
  /** In units of `UNIT_LOAD`. */
  factor: number;
  seconds: number;
}

export interface StageFigures extends StagePlan {
  work: Record<WorkKind, WorkFigures>;
  /** Answers that refused before any work, by class. */
  refused: Record<string, number>;
  /** Highest share of refused requests of any class. */
  refusedShare: number;
  refusals: Spread;
  failures: Record<string, number>;
  firstCandle: Spread;
  firstCandleFromFirstTry: Spread;
  lateness: Spread;
  calls: Spread;
  callsFromFirstTry: Spread;
  documents: Spread;
  signUps: Spread;
  signUpsFromFirstTry: Spread;
  /** Age of a book change when a page receives it. */
  changes: Spread;
  sockets: number;
  framesPerSocketAndSecond: number | null;
  /** Streams that ended after 1 to 49 candles. */
  cut: number;
  /** How late the timers of the slowest crowd fired: above some ten milliseconds it makes the times long. */
  crowdDelayP99Ms: number;
  crowdDelayWorstMs: number;
  host: HostFigures;
}

export function stageFigures(plan: StagePlan, group: GroupFigures, host: HostFigures): StageFigures {
  const { live, forecast, visit } = group;
  const crowds = [...live, forecast, visit];
  const spread = (name: string, of: readonly CrowdFigures[]): Spread => worstSpread(of.map(({ times }) => times[name]));
  const refused = summed(crowds.map((crowd) => crowd.refused ?? {}));
  const sockets = sum(live.map(({ counts }) => counts.meanOpen ?? 0));
  const frames = sum(live.map(({ counts }) => counts.frames ?? 0));
  return {
    ...plan,
    work: workFigures(plan, group),
    refused,
    refusedShare: refusedShare(refused, group),
    refusals: spread('refusals', crowds),
    failures: summed(crowds.map(({ failures }) => failures)),
    firstCandle: spread('firstCandle', [forecast]),
    firstCandleFromFirstTry: spread('firstCandleFromFirstTry', [forecast]),
    lateness: spread('lateness', [forecast]),
    calls: spread('calls', [visit]),
    callsFromFirstTry: spread('callsFromFirstTry', [visit]),
    documents: spread('documents', [visit]),
    signUps: spread('signUps', [visit]),
    signUpsFromFirstTry: spread('signUpsFromFirstTry', [visit]),
    changes: spread('lag', live),
    sockets,
    framesPerSocketAndSecond: sockets === 0 ? null : Math.round((frames / sockets / host.measuredS) * 100) / 100,
    cut: forecast.counts.cut ?? 0,
    crowdDelayP99Ms: Math.max(0, ...crowds.map(({ counts }) => counts.crowdDelayP99Ms ?? 0)),
    crowdDelayWorstMs: Math.max(0, ...crowds.map(({ counts }) => counts.crowdDelayWorstMs ?? 0)),
    host,
  };
}

/** The same stage after more of its due work has completed. */
export function withLaterWork(stage: StageFigures, group: GroupFigures): StageFigures {
  return { ...stage, work: workFigures(stage, group) };
}

function workFigures({ tag, seconds }: StagePlan, { forecast, visit }: GroupFigures): Record<WorkKind, WorkFigures> {
  const all: Record<string, StageWork> = { ...forecast.work, ...visit.work };
  const perMinute = (count: number): number => Math.round((count * 600) / seconds) / 10;
  const of = (kind: WorkKind): WorkFigures => {
    const work = all[kind]?.[tag] ?? { due: 0, completedOfDue: 0, completedMeanwhile: 0, left: 0 };
    return {
      duePerMinute: perMinute(work.due),
      completedPerMinute: perMinute(work.completedMeanwhile),
      completedShare: work.due === 0 ? null : work.completedOfDue / work.due,
      leftPerMinute: perMinute(work.left),
    };
  };
  return { forecasts: of('forecasts'), calls: of('calls'), signUps: of('signUps'), pages: of('pages') };
}

/** Admitted requests are counted by their recorded times, because those have one per request. */
function refusedShare(refused: Readonly<Record<string, number>>, { live, forecast, visit }: GroupFigures): number {
  const admitted: Readonly<Record<string, number>> = {
    stream: forecast.times.firstCandle?.count ?? 0,
    call: visit.times.calls?.count ?? 0,
    'sign-up': visit.times.signUps?.count ?? 0,
    page: visit.times.documents?.count ?? 0,
    file: visit.times.files?.count ?? 0,
  };
  const open = sum(live.map(({ counts }) => counts.open ?? 0));
  const shares = Object.entries(refused).map(([workClass, count]) => count / (count + (admitted[workClass] ?? open)));
  return Math.max(0, ...shares);
}

/** The longest times of several crowds: their histograms are not available to be merged. */
function worstSpread(figures: readonly (Spread | undefined)[]): Spread {
  const worst = (of: (figures: Spread) => number | null): number | null => {
    const known = figures.flatMap((one) => (one === undefined ? [] : [of(one)])).filter((value) => value !== null);
    return known.length === 0 ? null : Math.max(...known);
  };
  return {
    p50Ms: worst(({ p50Ms }) => p50Ms),
    p99Ms: worst(({ p99Ms }) => p99Ms),
    worstMs: worst(({ worstMs }) => worstMs),
  };
}

function summed(records: readonly Readonly<Record<string, number>>[]): Record<string, number> {
  const all: Record<string, number> = {};
  for (const record of records) for (const [key, count] of Object.entries(record)) all[key] = (all[key] ?? 0) + count;
  return all;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
