/** One scenario: capacity, then twice the capacity with a badly behaved part of the crowd, then half. */
import type { Manners } from './client/manners.ts';
import type { CrowdGroup } from './crowd-group.ts';
import {
  brokenRecovery,
  leadSecondsOf,
  measureRecovery,
  measureStage,
  named,
  type RampFigures,
  type RampOptions,
  withAllWork,
} from './ramp.ts';
import { brokenAboveCapacity, completedAtCapacity } from './report/bounds.ts';
import type { Scenario } from './scenarios.ts';
import { runStage } from './stage.ts';
import { type StageFigures, stageFigures } from './stage-figures.ts';
import { type Load, loadOf, NO_LOAD } from './unit-load.ts';

export interface ScenarioOptions extends RampOptions {
  scenario: Scenario;
  /** Clients in a burst. */
  burst: number;
  /** Starts a crowd beside the measured one. */
  start(manners: Manners, isRude: boolean): Promise<CrowdGroup>;
}

const OVERLOAD = 2;

export async function measureScenario(options: ScenarioOptions): Promise<RampFigures & { rude: StageFigures | null }> {
  const { scenario } = options;
  const first = await measureStage(options, { ofCapacity: 0.5, nth: 0, leadS: leadSecondsOf(options) });
  const atOne = await measureStage(options, { ofCapacity: 1, nth: 1 });
  const { others, rude } = await measureOverload(options);
  const recovery = await measureRecovery(options, 3);

  const stages = await withAllWork(options, [first, atOne, others, ...recovery]);
  const atCapacity = completedAtCapacity(stages[1] ?? atOne);
  const broken = brokenAboveCapacity(stages[2] ?? others, atCapacity, scenario.share);
  return {
    stages,
    atCapacity,
    rude,
    broken: [...named(others, broken), ...brokenRecovery(stages)],
  };
}

/** Twice the capacity, half of it rude; all sockets belong to the measured crowd. */
async function measureOverload(options: ScenarioOptions): Promise<{ others: StageFigures; rude: StageFigures | null }> {
  const { running, capacity, stageS, scenario, burst, start, report } = options;
  const hasRudeHalf = scenario.manners !== null || scenario.tabs > 0;
  const all = loadOf(capacity * OVERLOAD);
  const half: Load = { ...loadOf(capacity), sockets: 0 };
  const rudeGroup = hasRudeHalf ? await start(scenario.manners ?? 'obeying', true) : null;
  const plan = { tag: '2: scenario', name: '2', ofCapacity: OVERLOAD, factor: capacity * OVERLOAD, seconds: stageS };
  running.site.delayDatabase(scenario.databaseDelayMs);
  // A burst of clients, or one user's tabs, are the whole rude half.
  if (scenario.isBurst) rudeGroup?.burst(plan.tag, burst);
  else if (scenario.tabs > 0) rudeGroup?.openTabs(plan.tag, scenario.tabs);
  else rudeGroup?.change(half, plan.tag, 0);
  const load = hasRudeHalf ? { ...half, sockets: all.sockets } : all;
  const others = await runStage(running, { plan, load, leadS: 0, settleS: 0, gatherMs: (stageS * 1000) / 6 });
  report(others);
  running.site.delayDatabase(0);
  if (rudeGroup === null) return { others, rude: null };
  rudeGroup.change(NO_LOAD, 'over', 0);
  const rude = stageFigures({ ...plan, name: 'the rude half' }, await rudeGroup.figures(), others.host);
  rudeGroup.stop();
  return { others, rude };
}
