/**
 * `npm run lab -- chaos --seeds 300`: random faults under random users, one seed after another, each judged by its whole
 * history. Prints a line of JSON per seed and a sum; exits with 1 if a seed violates anything, with 3 if nothing can be
 * run here. `--scenario NAME` or `all` repeats one fault. `--seed N` repeats one, `--shrink` looks for the
 * smallest schedule that still fails, `--check FILE` judges a stored history again, `--planted NAME` runs seeds until one
 * finds that bug.
 */
import '../../server/platform/outbound/whole-answers.ts';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { PLANS } from '../../domain/billing/plans.ts';
import { checkHistory } from './chaos/checker/check-history.ts';
import { recoveriesOf } from './chaos/checker/recovery.ts';
import { historyText, readHistory } from './chaos/history/history.ts';
import { prepareFolder } from './chaos/host/prepared-folder.ts';
import { MeansMissing, possibleFaults } from './chaos/means/possible-faults.ts';
import { isPlantedBug, PLANTED_BUGS } from './chaos/planted/planted-bugs.ts';
import { plantedEnv } from './chaos/planted/planted-env.ts';
import { type RunResult, runSchedule } from './chaos/run-schedule.ts';
import { SCENARIOS, scenarioOf } from './chaos/schedule/scenarios.ts';
import { describeStep, type Schedule, scheduleOf, WORLDS, type WorldKind } from './chaos/schedule/schedule.ts';
import { shrinkSchedule } from './chaos/schedule/shrink.ts';

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '10' },
    from: { type: 'string', default: '1' },
    seed: { type: 'string' },
    world: { type: 'string' },
    scenario: { type: 'string' },
    users: { type: 'string', default: '20' },
    scale: { type: 'string', default: 'full' },
    shrink: { type: 'boolean', default: false },
    planted: { type: 'string' },
    keep: { type: 'string' },
    check: { type: 'string' },
  },
});

if (values.check !== undefined) {
  const violations = checkHistory(readHistory(readFileSync(values.check, 'utf8')), {
    quota: { monthly: PLANS.lion.perMonth, daily: PLANS.lion.perDay },
  });
  for (const text of violations) console.log(text);
  process.exit(violations.length === 0 ? 0 : 1);
}

const scale = values.scale === 'small' ? 'small' : 'full';
const usersMs = Number(values.users) * 1000;
const env = values.planted === undefined ? {} : plantedEnv(values.planted);
const planted = values.planted !== undefined && isPlantedBug(values.planted) ? values.planted : null;
const SHRINK_RUNS = 30;

/** Even seeds run three servers, odd ones the embedded database; a planted bug decides its world. */
function worldOf(seed: number): WorldKind {
  const wanted = values.world ?? (planted === null ? null : PLANTED_BUGS[planted].world);
  return WORLDS.find((one) => one === wanted) ?? (seed % 2 === 0 ? 'nodes' : 'embedded');
}

function keep({ schedule, events, logs }: RunResult): void {
  if (values.keep === undefined) return;
  mkdirSync(values.keep, { recursive: true });
  const base = join(values.keep, `${schedule.world}-${schedule.seed}`);
  writeFileSync(`${base}.jsonl`, historyText(events));
  writeFileSync(`${base}.log`, logs.join('\n--- another server ---\n'));
}

async function run(schedule: Schedule, name: { scenario?: string } = {}): Promise<RunResult> {
  const result = await runSchedule(schedule, { scale, env });
  const { seed, world, steps } = schedule;
  const { calls, wallS, violations } = result;
  const recoveryMs = name.scenario === undefined ? {} : { recoveryMs: recoveriesOf(result.events) };
  const row = { ...name, seed, world, calls, wallS, steps: steps.map(describeStep), violations, ...recoveryMs };
  console.log(JSON.stringify(row));
  keep(result);
  return result;
}

// Each start of a service removes its folder when this process exits.
process.setMaxListeners(0);
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));
const first = Number(values.seed ?? values.from);
const count = values.seed === undefined && values.scenario === undefined ? Number(values.seeds) : 1;
const scenarios = values.scenario === 'all' ? Object.keys(SCENARIOS) : [values.scenario];
const startedMs = performance.now();
const failed: number[] = [];
let runs = 0;
const closeFolder = await prepareFolder(env);
for (const { schedule, ...name } of schedules()) {
  const { seed, world } = schedule;
  try {
    const { violations } = await run(schedule, name);
    runs += 1;
    if (violations.length === 0) continue;
    failed.push(seed);
    if (values.shrink) await shrink(schedule);
    if (values.planted !== undefined) break;
  } catch (error) {
    const isSkipped = error instanceof MeansMissing;
    console.log(JSON.stringify({ ...name, seed, world, [isSkipped ? 'skipped' : 'ended']: String(error) }));
    if (!isSkipped) failed.push(seed);
  }
}
closeFolder();
const seconds = Math.round((performance.now() - startedMs) / 1000);
console.log(JSON.stringify({ seeds: runs, failed, seconds }));
process.exit(failed.length > 0 ? 1 : runs === 0 ? 3 : 0);

function* schedules(): Generator<{ schedule: Schedule; scenario?: string }> {
  for (let seed = first; seed < first + count; seed += 1)
    for (const scenario of scenarios) {
      const world = worldOf(seed);
      if (scenario !== undefined) yield { scenario, schedule: scenarioOf(scenario, seed) };
      else yield { schedule: scheduleOf(seed, { world, possible: possibleFaults(world), usersMs }) };
    }
}

async function shrink(schedule: Schedule): Promise<void> {
  const fails = async (candidate: Schedule) => (await run(candidate)).violations.length > 0;
  const { schedule: smallest, runs: tried } = await shrinkSchedule(schedule, fails, SHRINK_RUNS);
  console.log(JSON.stringify({ seed: schedule.seed, tried, smallest: smallest.steps.map(describeStep) }));
}
