/** How often the parts of the code import each other: counted from the sources, tests left out. */
import { globSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';

export interface ImportCount {
  from: string;
  to: string;
  count: number;
}

const SPECIFIER = /(?:\bfrom|\bimport|\bimport\()\s*\(?\s*['"]((?:\.{1,2}|#domain)\/[^'"]+)['"]/g;
const OF_TESTS = /\.test\.tsx?$|\/testing\/|test-setup/;

/**
 * @param roofs  folders to read
 * @param partOf  the part that a file belongs to; null leaves the file out
 */
export function importCounts(
  root: string,
  roofs: readonly string[],
  partOf: (file: string) => string | null,
): ImportCount[] {
  const counts = new Map<string, ImportCount>();
  const patterns = roofs.map((roof) => `${roof}/**/*.{ts,tsx,mjs}`);
  for (const file of globSync(patterns, { cwd: root })) {
    const path = file.replaceAll('\\', '/');
    const from = OF_TESTS.test(path) ? null : partOf(path);
    if (from === null) continue;
    for (const [, specifier = ''] of readFileSync(join(root, file), 'utf8').matchAll(SPECIFIER)) {
      const target = specifier.startsWith('#') ? specifier.slice(1) : posix.join(posix.dirname(path), specifier);
      const to = partOf(target);
      if (to === null || to === from) continue;
      const known = counts.get(`${from} ${to}`) ?? { from, to, count: 0 };
      counts.set(`${from} ${to}`, { ...known, count: known.count + 1 });
    }
  }
  return [...counts.values()].toSorted((a, b) => (`${a.from} ${a.to}` < `${b.from} ${b.to}` ? -1 : 1));
}

/**
 * Layers of parts: each imports only parts below it. Parts that nothing below needs are as high as possible.
 *
 * @returns the highest first. @throws Error for a circle
 */
export function layersOf(parts: readonly string[], imports: readonly ImportCount[]): string[][] {
  const depths = new Map<string, number>();
  const depthOf = (part: string, above: readonly string[]): number => {
    if (above.includes(part)) throw new Error(`A circle of imports: ${[...above, part].join(' -> ')}`);
    const known = depths.get(part);
    if (known !== undefined) return known;
    const below = imports.filter(({ from, to }) => from === part && parts.includes(to)).map(({ to }) => to);
    const depth = Math.max(-1, ...below.map((one) => depthOf(one, [...above, part]))) + 1;
    depths.set(part, depth);
    return depth;
  };
  for (const part of parts) depthOf(part, []);
  const layers = Map.groupBy(parts, (part) => depths.get(part) ?? 0);
  return [...layers].toSorted(([a], [b]) => b - a).map(([, names]) => names);
}
