/**
 * `npm run lab -- stress overload`: finds the host's capacity, then ramps from half of it to four times and back (or runs one
 * scenario at twice), and checks the bounds. Writes a line of JSON per stage to standard error and the table to
 * standard output; exits with 1 if a bound is broken.
 */
import { writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { BAD_CLIENT_NAMES } from './bad-clients.ts';
import { measureBeside } from './beside.ts';
import type { Manners } from './client/manners.ts';
import { type CrowdGroup, startCrowdGroup } from './crowd-group.ts';
import { watchReady } from './host/ready-watch.ts';
import { pin, type Site, startSite } from './host/site.ts';
import { BadArguments, type OverloadOptions, readOptions, USAGE } from './options.ts';
import { measureRamp, RAMP } from './ramp.ts';
import { besideTable, brokenBeside } from './report/beside-table.ts';
import { brokenAfterwards } from './report/bounds.ts';
import { findCapacity, largestHeld, type SearchedLoad } from './report/capacity.ts';
import type { OverloadReport } from './report/overload-report.ts';
import { drawOverload } from './report/picture.ts';
import { overloadTable } from './report/table.ts';
import { measureScenario } from './scenario-run.ts';
import { SCENARIOS } from './scenarios.ts';
import { type Running, runStage, SETTLE_S } from './stage.ts';
import { loadOf, UNIT_LOAD } from './unit-load.ts';

/** A user's daily allowance on the largest plan. */
const STREAMS_A_USER = 15;
/** Enough that no user has more than three streams open at a time. */
const LEAST_USERS = 2000;
/** For the badly behaved part of a scenario: of ten thousand at one moment, no user has more than four streams. */
const RUDE_USERS = 2500;
/** Sum of a scenario's stages, in multiples of capacity. */
const SCENARIO_FACTORS = 6;
const REST_S = 60;

export async function runOverload(args: readonly string[]): Promise<void> {
  const options = optionsOrExit(args);
  const hasCores = availableParallelism() > 1;
  const serverCores = process.env.SERVER_CORES ?? (hasCores ? '0' : null);
  const crowdCores = process.env.CROWD_CORES ?? (hasCores ? '1' : null);
  // This process's own requests count as the crowds'.
  if (crowdCores !== null) pin(process.pid, crowdCores);
  const undo: (() => unknown)[] = [];
  try {
    const scenario = options.scenario === null ? null : SCENARIOS[options.scenario];
    const { processes, speed } = options;
    const hasSlowDatabase = scenario !== null && scenario.databaseDelayMs > 0;
    const cores = { serverCores, crowdCores };
    printProgress({ starting: { ...options, ...cores } });
    const site = await startSite({ processes, speed, users: usersFor(options), ...cores, hasSlowDatabase }, undo);
    const measuring = { options, crowdCores, undo };
    if (options.beside === null) finish(await measure(site, measuring), options);
    else await finishBeside(site, measuring);
  } finally {
    for (const step of undo.reverse()) await step();
  }
}

interface Measuring {
  options: OverloadOptions;
  crowdCores: string | null;
  undo: (() => unknown)[];
}

/** Ordinary users far below capacity: what a bad client takes must be theirs, not the machine's. */
const BESIDE_FACTOR = 0.1;

async function finishBeside(site: Site, { options, crowdCores, undo }: Measuring): Promise<void> {
  const { stageS, turns, beside, out } = options;
  const ready = watchReady(site.urls);
  undo.push(() => ready.stop());
  const group = await startCrowdGroup(site, {
    manners: 'obeying',
    tokens: site.tokens,
    cores: crowdCores,
    hasSockets: true,
  });
  undo.push(() => group.stop());
  const factor = options.capacity ?? BESIDE_FACTOR;
  const only = beside === 'all' ? null : beside;
  const running = { site, group, ready };
  const pairs = await measureBeside({ running, factor, stageS, turns, only, crowdCores, report: printProgress });
  if (out !== null) writeFileSync(out, `${JSON.stringify({ options, pairs }, null, 1)}\n`);
  console.log(besideTable(pairs));
  printBroken(brokenBeside(pairs));
}

async function measure(site: Site, { options, crowdCores, undo }: Measuring): Promise<OverloadReport> {
  const { stageS } = options;
  const before = { connections: site.connections(), openFiles: site.openFiles() };
  const ready = watchReady(site.urls);
  undo.push(() => ready.stop());
  const start = async (manners: Manners, isRude: boolean): Promise<CrowdGroup> => {
    const tokens = isRude ? site.tokens.slice(0, rudeUsers(options)) : site.tokens.slice(rudeUsers(options));
    const group = await startCrowdGroup(site, { manners, tokens, cores: crowdCores, hasSockets: !isRude });
    undo.push(() => group.stop());
    return group;
  };
  const group = await start('obeying', false);
  const running: Running = { site, group, ready };

  const searched = options.capacity === null ? await search(running, options) : [];
  const capacity = options.capacity ?? largestHeld(searched);
  const { heldBy, openFilesLimit } = site;
  const report = { options, capacity, searched, heldBy, openFilesLimit, unit: UNIT_LOAD };
  if (capacity === null) {
    const reasons = searched.at(-1)?.broken.join('; ');
    const broken = [`Not even ${options.search[0]} of the unit held: ${reasons}`];
    return { ...report, stages: [], rude: null, after: null, broken };
  }

  const plan = { running, capacity, stageS, report: printProgress };
  const measured =
    options.scenario === null
      ? { ...(await measureRamp(plan)), rude: null }
      : await measureScenario({ ...plan, scenario: SCENARIOS[options.scenario], burst: options.burst, start });
  group.stop();
  await sleep(REST_S * 1000);
  const after = {
    firstResidentMib: measured.stages[0]?.host.residentMib ?? Number.NaN,
    residentMib: Math.round(site.residentMib()),
    connections: Math.max(0, site.connections() - before.connections),
    openFiles: { before: before.openFiles, after: site.openFiles() },
  };
  for (const line of site.lastLines()) console.error(line);
  const broken = [...measured.broken, ...brokenAfterwards(after).map((text) => `After the load: ${text}`)];
  return { ...report, ...measured, after, broken };
}

function search(running: Running, { stageS, search: factors }: OverloadOptions): Promise<SearchedLoad[]> {
  const leadS = stageS / 12;
  const seconds = stageS / 2 - leadS;
  return findCapacity(async (factor, nth) => {
    const plan = { tag: `search ${nth}`, name: `search ${factor}`, ofCapacity: null, factor, seconds };
    const load = loadOf(factor);
    const stage = await runStage(running, { plan, load, leadS, settleS: SETTLE_S, gatherMs: leadS * 1000 });
    printProgress(stage);
    return stage;
  }, factors);
}

/** Each stream uses its user's daily limit. The capacity is unknown when users are seeded: assumes the largest. */
function usersFor(options: OverloadOptions): number {
  const { capacity, search, stageS, scenario, beside, turns } = options;
  const minute = UNIT_LOAD.streamsPerMinute * (stageS / 60);
  if (beside !== null) {
    const stages = 2 * (1 + turns * BAD_CLIENT_NAMES.length);
    return Math.max(LEAST_USERS, Math.ceil((minute * stages * (capacity ?? BESIDE_FACTOR) * 2) / STREAMS_A_USER));
  }
  const factors = scenario === null ? sum(RAMP) + 1 : SCENARIO_FACTORS;
  const ofRamp = minute * factors * (capacity ?? search.at(-1) ?? 0);
  const ofSearch = capacity === null ? minute * sum(search) : 0;
  return rudeUsers(options) + Math.max(LEAST_USERS, Math.ceil((ofRamp + ofSearch) / STREAMS_A_USER));
}

function rudeUsers({ scenario }: OverloadOptions): number {
  return scenario === null ? 0 : RUDE_USERS;
}

function finish(report: OverloadReport, { out, picture }: OverloadOptions): void {
  if (out !== null) writeFileSync(out, `${JSON.stringify(report, null, 1)}\n`);
  console.log(overloadTable(report));
  if (picture !== null && report.stages.length > 0) writeFileSync(picture, drawOverload(report));
  printBroken(report.broken);
}

function printBroken(broken: readonly string[]): void {
  for (const text of broken) console.error(`Not held: ${text}`);
  if (broken.length > 0) process.exitCode = 1;
}

function printProgress(what: object): void {
  console.error(JSON.stringify(what));
}

function optionsOrExit(args: readonly string[]): OverloadOptions {
  try {
    return readOptions(args);
  } catch (error) {
    if (!(error instanceof BadArguments)) throw error;
    console.error(`${error.message}\nusage: ${USAGE}`);
    process.exit(2);
  }
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
