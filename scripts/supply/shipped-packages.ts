/** Third-party packages that are shipped: those that the server loads, and those that the site is built from. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod/mini';

const names = z.optional(z.record(z.string(), z.string()));
const packageSchema = z.object({
  version: z.optional(z.string()),
  license: z.optional(z.string()),
  dependencies: names,
  optionalDependencies: names,
  peerDependencies: names,
  peerDependenciesMeta: z.optional(z.record(z.string(), z.object({ optional: z.optional(z.boolean()) }))),
});
const lockSchema = z.object({ packages: z.record(z.string(), packageSchema) });
type Packages = Readonly<Record<string, z.infer<typeof packageSchema>>>;

export interface ShippedPackage {
  name: string;
  version: string;
  /** As its author declares it, an SPDX expression; null if the package does not state one. */
  licence: string | null;
  runsIn: readonly ('server' | 'browser')[];
}

/** In the scripts of the documentation, which its generator puts together. What these need otherwise only builds. */
const IN_DOCS = [
  ...['vitepress', 'vue', '@vue/runtime-dom', '@vue/runtime-core', '@vue/reactivity', '@vue/shared'],
  ...['@vueuse/core', '@vueuse/shared', '@vueuse/integrations', 'focus-trap', 'tabbable', 'mark.js', 'minisearch'],
];

const FOLDER = 'node_modules/';
const SOURCES = 'web/**/*.{ts,tsx,css}';
/** Imported only by test helpers, which no page imports. */
const OF_TESTS = /^(?:vitest|fast-check|jsdom|@testing-library\/.*)$/;
const IMPORTED = /(?:\bfrom\s*|\bimport\s*\(?\s*|\burl\()['"]([^'"./#][^'"]*)['"]/g;

/** @param root  the repository's folder. @returns by name, each version once */
export function shippedPackages(root: string): ShippedPackage[] {
  const { packages } = lockSchema.parse(JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')));
  const { dependencies, optionalDependencies } = packages[''] ?? {};
  const inServer = neededBy(Object.keys({ ...dependencies, ...optionalDependencies }), packages);
  const inSite = neededBy(importedByPages(root), packages);
  for (const name of IN_DOCS) inSite.add(FOLDER + name);
  const found = new Map<string, ShippedPackage>();
  for (const [path, about] of Object.entries(packages)) {
    const runsIn = [
      ...(inServer.has(path) ? (['server'] as const) : []),
      ...(inSite.has(path) ? (['browser'] as const) : []),
    ];
    if (runsIn.length === 0) continue;
    const name = nameOf(path);
    const version = about.version ?? 'unknown';
    const known = found.get(`${name}@${version}`);
    const both = new Set([...(known?.runsIn ?? []), ...runsIn]);
    found.set(`${name}@${version}`, { name, version, licence: about.license ?? null, runsIn: [...both].toSorted() });
  }
  return [...found.values()].toSorted((a, b) => (`${a.name} ${a.version}` < `${b.name} ${b.version}` ? -1 : 1));
}

/** Names of the packages that the site's own sources import. */
function importedByPages(root: string): Set<string> {
  const imported = new Set<string>();
  for (const file of globSync(SOURCES, { cwd: root, exclude: ['**/*.test.*'] }))
    for (const [, specifier = ''] of readFileSync(join(root, file), 'utf8').matchAll(IMPORTED))
      imported.add(specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/'));
  return new Set([...imported].filter((name) => !OF_TESTS.test(name)));
}

/** Paths in the lockfile of these packages and all their dependencies. */
function neededBy(names: Iterable<string>, packages: Packages): Set<string> {
  const reached = new Set<string>();
  const waiting = [...names].map((name) => FOLDER + name).filter((path) => path in packages);
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (reached.has(path)) continue;
    reached.add(path);
    for (const name of neededDirectly(packages[path])) {
      const place = placeOf(name, path, packages);
      if (place !== null) waiting.push(place);
    }
  }
  return reached;
}

/** Its installed dependencies, without optional peers such as a compiler for types. */
function neededDirectly(about: Packages[string] = {}): string[] {
  const { dependencies, optionalDependencies, peerDependencies, peerDependenciesMeta = {} } = about;
  const peers = Object.keys(peerDependencies ?? {}).filter((name) => peerDependenciesMeta[name]?.optional !== true);
  return [...Object.keys({ ...dependencies, ...optionalDependencies }), ...peers];
}

/** Where Node resolves it from there: the nearest folder upwards. */
function placeOf(name: string, from: string, packages: Packages): string | null {
  for (let folder = from; ; ) {
    const path = `${folder === '' ? '' : `${folder}/`}${FOLDER}${name}`;
    if (path in packages) return path;
    if (folder === '') return null;
    const above = folder.lastIndexOf(`/${FOLDER}`);
    folder = above === -1 ? '' : folder.slice(0, above);
  }
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf(FOLDER) + FOLDER.length);
}
