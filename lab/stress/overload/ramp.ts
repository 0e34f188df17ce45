/** From half of the host's capacity to four times the capacity and back to half. */
import {
  brokenAboveCapacity,
  brokenBelowCapacity,
  type CompletedAtCapacity,
  completedAtCapacity,
} from './report/bounds.ts';
import { type Running, runStage, SETTLE_S } from './stage.ts';
import { type StageFigures, withLaterWork } from './stage-figures.ts';
import { loadOf } from './unit-load.ts';

/** Multiples of capacity. */
export const RAMP = [0.5, 1, 2, 4, 2, 1, 0.5] as const;
/** Time after the return to half load within which every bound must hold again. */
const RECOVERY_S = 10;

export interface RampOptions {
  running: Running;
  /** In units of `UNIT_LOAD`. */
  capacity: number;
  stageS: number;
  /** Reports each stage as it ends. */
  report(stage: StageFigures): void;
}

export interface RampFigures {
  stages: StageFigures[];
  atCapacity: CompletedAtCapacity;
  broken: string[];
}

export async function measureRamp(options: RampOptions): Promise<RampFigures> {
  const up = RAMP.slice(0, -1);
  const stages: StageFigures[] = [];
  for (const [i, ofCapacity] of up.entries())
    stages.push(await measureStage(options, { ofCapacity, nth: i, leadS: i === 0 ? leadSecondsOf(options) : 0 }));
  stages.push(...(await measureRecovery(options, up.length)));

  const all = await withAllWork(options, stages);
  const atCapacity = completedAtCapacity(required(all.find(({ ofCapacity }) => ofCapacity === 1)));
  const above = all.filter(({ ofCapacity }) => (ofCapacity ?? 0) > 1);
  return {
    stages: all,
    atCapacity,
    broken: [...above.flatMap((stage) => named(stage, brokenAboveCapacity(stage, atCapacity))), ...brokenRecovery(all)],
  };
}

export interface OneStage {
  ofCapacity: number;
  nth: number;
  leadS?: number;
  seconds?: number;
  settleS?: number;
  name?: string;
}

/** One stage at a multiple of capacity. */
export async function measureStage(
  { running, capacity, stageS, report }: RampOptions,
  { ofCapacity, nth, leadS = 0, seconds = stageS, settleS = 0, name = String(ofCapacity) }: OneStage,
): Promise<StageFigures> {
  const factor = capacity * ofCapacity;
  const plan = { tag: `${nth}: ${name}`, name, ofCapacity, factor, seconds };
  const gatherMs = (stageS * 1000) / 6;
  const stage = await runStage(running, { plan, load: loadOf(factor), leadS, settleS, gatherMs });
  report(stage);
  return stage;
}

/** Back at half load: its first seconds, then the rest, in which every bound must hold again. */
export async function measureRecovery(options: RampOptions, nth: number): Promise<StageFigures[]> {
  const half = { ofCapacity: 0.5, nth };
  const recoveryS = Math.min(RECOVERY_S, options.stageS / 2);
  const back = await measureStage(options, { ...half, seconds: recoveryS, name: 'back at 0.5' });
  const seconds = options.stageS - recoveryS;
  const recovered = await measureStage(options, { ...half, seconds, settleS: SETTLE_S, name: RECOVERED });
  return [back, recovered];
}

const RECOVERED = '0.5, recovered';

export function brokenRecovery(stages: readonly StageFigures[]): string[] {
  const recovered = stages.filter(({ name }) => name === RECOVERED);
  return recovered.flatMap((stage) => named(stage, brokenBelowCapacity(stage)));
}

/** Adds work that completed after the stage in which it was due. */
export async function withAllWork({ running }: RampOptions, stages: readonly StageFigures[]): Promise<StageFigures[]> {
  const last = await running.group.figures();
  return stages.map((stage) => withLaterWork(stage, last));
}

/** Time for sockets to connect and for new code to be compiled. */
export function leadSecondsOf({ stageS }: RampOptions): number {
  return stageS / 3;
}

export function named({ name }: StageFigures, broken: readonly string[]): string[] {
  return broken.map((text) => `At ${name} times capacity: ${text}`);
}

export function required(stage: StageFigures | undefined): StageFigures {
  if (stage === undefined) throw new Error('no stage ran at capacity');
  return stage;
}
