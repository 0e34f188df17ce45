/** Arguments of `npm run lab -- stress overload`. */
import { parseArgs } from 'node:util';
import { BAD_CLIENT_NAMES, type BadClientName, isBadClient } from './bad-clients.ts';
import { SEARCH_FACTORS } from './report/capacity.ts';
import { SCENARIOS, type ScenarioName } from './scenarios.ts';

export interface OverloadOptions {
  /** In units of `UNIT_LOAD`; null: it is measured first. */
  capacity: number | null;
  /** Loads tried in the search for the capacity, rising, in the same units. */
  search: readonly number[];
  stageS: number;
  scenario: ScenarioName | null;
  /** Runs no ramp: an ordinary crowd alone and beside bad clients. Null: a ramp or a scenario. */
  beside: BadClientName | 'all' | null;
  /** How often each bad client is measured. */
  turns: number;
  /** Share of a core for each server process; null: no limit. */
  speed: number | null;
  processes: number;
  /** Clients of `same-second` that come at the same moment. */
  burst: number;
  /** File for the figures as JSON; null: none. */
  out: string | null;
  /** File for the picture of a ramp; null: none. */
  picture: string | null;
}

export const USAGE =
  'npm run lab -- stress overload [--capacity N] [--search N,N,...] [--stage-s 60] [--scenario NAME] [--speed 0.5] [--processes 2] ' +
  '[--burst 10000] [--beside NAME|all] [--turns 3] [--out FILE.json] [--picture FILE.svg]';

/** Its message says what is wrong with the arguments. */
export class BadArguments extends Error {}

/** @throws BadArguments */
export function readOptions(args: readonly string[]): OverloadOptions {
  const { values } = parse(args);
  const { scenario = null } = values;
  if (scenario !== null && !isScenario(scenario))
    throw new BadArguments(`There is no scenario ${scenario}. There are: ${Object.keys(SCENARIOS).join(', ')}.`);
  const { beside = null } = values;
  if (beside !== null && beside !== 'all' && !isBadClient(beside))
    throw new BadArguments(`There is no bad client ${beside}. There are: all, ${BAD_CLIENT_NAMES.join(', ')}.`);
  const speed = positive('speed', values.speed);
  if (speed !== null && speed > 1) throw new BadArguments('--speed is a share of one core: above 0, at most 1.');
  const stageS = positive('stage-s', values['stage-s']) ?? 60;
  if (stageS < 10) throw new BadArguments('--stage-s is 10 at least: a forecast alone takes five seconds.');
  return {
    capacity: positive('capacity', values.capacity),
    search: values.search === undefined ? SEARCH_FACTORS : rising(values.search),
    stageS,
    scenario,
    beside,
    speed,
    turns: whole('turns', values.turns) ?? 3,
    processes: whole('processes', values.processes) ?? 1,
    burst: whole('burst', values.burst) ?? 10_000,
    out: values.out ?? null,
    picture: values.picture ?? null,
  };
}

function parse(args: readonly string[]) {
  const text = { type: 'string' } as const;
  const options = {
    capacity: text,
    search: text,
    'stage-s': text,
    scenario: text,
    speed: text,
    beside: text,
    processes: text,
    burst: text,
    out: text,
    picture: text,
    turns: text,
  };
  try {
    return parseArgs({ args: [...args], options });
  } catch (error) {
    throw new BadArguments(error instanceof Error ? error.message : String(error));
  }
}

function isScenario(name: string): name is ScenarioName {
  return Object.hasOwn(SCENARIOS, name);
}

function positive(name: string, value: string | undefined): number | null {
  if (value === undefined) return null;
  const number = Number(value);
  if (!(number > 0 && Number.isFinite(number))) throw new BadArguments(`--${name} must be a number above 0.`);
  return number;
}

function rising(value: string): number[] {
  const factors = value.split(',').map((factor) => positive('search', factor) ?? 0);
  if (factors.some((factor, i) => i > 0 && factor <= (factors[i - 1] ?? 0)))
    throw new BadArguments('--search is a list of rising numbers, such as 0.25,0.5,1.');
  return factors;
}

function whole(name: string, value: string | undefined): number | null {
  const number = positive(name, value);
  if (number !== null && !Number.isInteger(number)) throw new BadArguments(`--${name} must be a whole number.`);
  return number;
}
