/** One run: starts a world, lets users act while the steps happen, heals everything, reads everything, and judges. */
import { PLANS } from '../../../domain/billing/plans.ts';
import { checkHistory } from './checker/check-history.ts';
import type { HistoryEvent } from './history/history.ts';
import { type Recorder, startRecorder } from './history/recorder.ts';
import { beginStep } from './host/begin-step.ts';
import { type ChaosWorld, startChaosWorld, type WorldOptions } from './host/chaos-world.ts';
import { MeansMissing } from './means/possible-faults.ts';
import { describeStep, type Schedule } from './schedule/schedule.ts';
import { pause } from './users/actor.ts';
import { gatherCrowd } from './users/crowd.ts';
import { openSite } from './users/site.ts';
import { watchPrices, watchRecord } from './users/watches.ts';

export interface RunOptions extends Omit<WorldOptions, 'schedule'> {
  scale: 'small' | 'full';
}

export interface RunResult {
  schedule: Schedule;
  events: readonly HistoryEvent[];
  /** Every violation as a sentence; empty for a good run. */
  violations: string[];
  calls: number;
  wallS: number;
  /** The servers' logs, for people who look for a cause. */
  logs: readonly string[];
}

/** @throws MeansMissing if the world cannot be started here */
export async function runSchedule(schedule: Schedule, options: RunOptions): Promise<RunResult> {
  const startedMs = performance.now();
  const recorder = startRecorder();
  const world = await startChaosWorld({ schedule, ...options });
  try {
    await live(world, schedule, recorder, options);
  } catch (error) {
    if (error instanceof MeansMissing) throw error;
    recorder.saw({ kind: 'violation', text: error instanceof Error ? error.message : String(error) });
  } finally {
    await world.close();
  }
  const events = [...recorder.events];
  return {
    schedule,
    events,
    calls: events.filter(({ type }) => type === 'invoke').length,
    violations: judge(events),
    wallS: Math.round((performance.now() - startedMs) / 1000),
    logs: world.servers.map((server) => server.output()),
  };
}

function judge(events: readonly HistoryEvent[]): string[] {
  try {
    return checkHistory(events, { quota: { monthly: PLANS.lion.perMonth, daily: PLANS.lion.perDay } });
  } catch (error) {
    // A history that no search can judge has not passed.
    return [String(error)];
  }
}

/** @throws Error if the site does not recover */
async function live(world: ChaosWorld, schedule: Schedule, recorder: Recorder, { scale }: RunOptions): Promise<void> {
  const { seed, usersMs, marketSpeed } = schedule;
  const site = await openSite(() => world.url);
  const { provider, makeAdmin } = world;
  const crowd = await gatherCrowd({ seed, site, recorder, provider, makeAdmin, scale });
  const stopWatching = watchPrices(
    world.servers.map(({ url }) => url),
    recorder,
  );
  const record = marketSpeed === 1 ? null : watchRecord(site, recorder);
  try {
    const stopping = new AbortController();
    const acting = crowd.act(stopping.signal);
    // An actor that meets invalid data ends the run; until then no one waits for it.
    acting.catch(() => undefined);
    const happening =
      schedule.isInTurn === true ? stepsInTurn(world, schedule, recorder) : stepsAtTimes(world, schedule, recorder);
    const copies = record === null ? Promise.resolve() : copyEvery(usersMs / 4, record.copy, stopping.signal);
    if (schedule.isInTurn === true) await happening;
    await pause(usersMs);
    await happening;
    stopping.abort();
    await Promise.all([acting, copies]);
    await crowd.readEverything();
    await record?.verify();
  } finally {
    stopWatching();
  }
}

async function stepsAtTimes(world: ChaosWorld, { steps }: Schedule, recorder: Recorder): Promise<void> {
  await Promise.all(steps.map((step) => runStep(world, step, recorder)));
}

async function stepsInTurn(world: ChaosWorld, { steps }: Schedule, recorder: Recorder): Promise<void> {
  for (const step of steps) await runStep(world, step, recorder);
}

async function runStep(world: ChaosWorld, step: Schedule['steps'][number], recorder: Recorder): Promise<void> {
  await pause(step.atMs);
  const what = describeStep(step);
  recorder.fault(what, 'begin');
  const end = await beginStep(world, step, recorder);
  await pause(step.forMs);
  await end();
  recorder.fault(what, 'end');
}

async function copyEvery(everyMs: number, copy: () => Promise<void>, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await copy();
    await pause(everyMs, signal);
  }
}
