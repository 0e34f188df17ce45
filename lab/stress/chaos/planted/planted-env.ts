/** The environment that starts servers with one of the planted bugs. */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isPlantedBug, PLANTED_BUGS, type PlantedBug } from './planted-bugs.ts';

/** Read by plant.ts alone, which only these servers load. */
export const CHAOS_PLANTED = 'CHAOS_PLANTED';

/** @throws Error for another name */
export function plantedEnv(name: string): Record<string, string> {
  if (!isPlantedBug(name))
    throw new Error(`There is no planted bug ${name}. There are: ${Object.keys(PLANTED_BUGS).join(', ')}.`);
  const file = pathToFileURL(join(import.meta.dirname, 'plant.ts')).href;
  const bug: PlantedBug = PLANTED_BUGS[name];
  return { NODE_OPTIONS: `--import ${file}`, [CHAOS_PLANTED]: name, ...bug.env };
}
