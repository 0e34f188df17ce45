/** Which files import which, read with the same tool and settings as the check of import directions. */
import * as z from 'zod/mini';
import { SOURCE_FOLDERS } from '../checks/checks.ts';
import { bin, NODE, ROOT, run } from '../steps.ts';

const graphSchema = z.object({
  modules: z.array(z.object({ source: z.string(), dependencies: z.array(z.object({ resolved: z.string() })) })),
});

/** For each file the files that import it; paths relative to the repository. */
export type Importers = Map<string, Set<string>>;

/** @param root  the repository's folder, or a copy's @throws Error if the sources cannot be read */
export async function readImporters(root = ROOT): Promise<Importers> {
  const args = ['--config', '.dependency-cruiser.cjs', '--output-type', 'json', ...SOURCE_FOLDERS];
  const { output } = await run(NODE, [bin('depcruise'), ...args], { isQuiet: true, cwd: root });
  const importers: Importers = new Map();
  for (const { source, dependencies } of graphSchema.parse(JSON.parse(output)).modules) {
    for (const { resolved } of dependencies) addImport(importers, source, resolved);
  }
  return importers;
}

export function addImport(importers: Importers, file: string, imported: string): void {
  const known = importers.get(imported) ?? new Set();
  importers.set(imported, known.add(file));
}

/** Steps from the nearest of `changed` to every file that imports it, directly or not; 0: the file itself. */
export function distancesFrom(changed: readonly string[], importers: Importers): Map<string, number> {
  const distances = new Map(changed.map((file) => [file, 0]));
  const queue = [...changed];
  for (const file of queue) {
    const next = (distances.get(file) ?? 0) + 1;
    for (const importer of importers.get(file) ?? []) {
      if (distances.has(importer)) continue;
      distances.set(importer, next);
      queue.push(importer);
    }
  }
  return distances;
}
