/** Runs one stage: sets the load, waits, and reads the figures of crowds and host. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { CrowdGroup } from './crowd-group.ts';
import type { ReadyWatch } from './host/ready-watch.ts';
import type { Site } from './host/site.ts';
import { type HostFigures, type StageFigures, type StagePlan, stageFigures } from './stage-figures.ts';
import type { Load } from './unit-load.ts';

/** A forecast's stream takes five seconds, and its first candle may wait. */
export const SETTLE_S = 7;

export interface Running {
  site: Site;
  group: CrowdGroup;
  ready: ReadyWatch;
}

export interface StageOptions {
  plan: StagePlan;
  load: Load;
  /** How long the load runs before it is measured. */
  leadS: number;
  /** Extra time at the same load for work that was due in the stage. */
  settleS: number;
  /** Time in which new sockets connect. */
  gatherMs: number;
}

export async function runStage(running: Running, options: StageOptions): Promise<StageFigures> {
  const { group, ready } = running;
  const { plan, load, leadS, settleS, gatherMs } = options;
  if (leadS > 0) {
    group.change(load, `before ${plan.tag}`, gatherMs);
    await sleep(leadS * 1000);
    await group.figures();
    ready.take();
  }
  group.change(load, plan.tag, gatherMs);
  const read = startHostFigures(running);
  await sleep(plan.seconds * 1000);
  if (settleS > 0) {
    group.change(load, `after ${plan.tag}`, gatherMs);
    await sleep(settleS * 1000);
  }
  const [figures, host] = await Promise.all([group.figures(), read()]);
  return stageFigures(plan, figures, host);
}

function startHostFigures({ site, ready }: Running): () => Promise<HostFigures> {
  const beganMs = performance.now();
  const before = site.processorMs();
  return async () => {
    const tookMs = performance.now() - beganMs;
    const now = site.processorMs();
    const cores = (name: keyof typeof now): number => Math.round(((now[name] - before[name]) / tookMs) * 100) / 100;
    return {
      measuredS: Math.round(tookMs) / 1000,
      cores: { server: cores('server'), database: cores('database'), others: cores('others') },
      residentMib: Math.round(site.residentMib()),
      connections: site.connections(),
      openFiles: site.openFiles(),
      notReady: ready.take().notReady,
      eventLoopP99Ms: await site.eventLoopP99Ms(),
    };
  };
}
