/** The bundler's manifest: which files each module of the site became, and what those load. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod/mini';

const chunkSchema = z.object({
  file: z.string(),
  src: z.optional(z.string()),
  isEntry: z.optional(z.boolean()),
  imports: z.optional(z.array(z.string())),
  dynamicImports: z.optional(z.array(z.string())),
  css: z.optional(z.array(z.string())),
});
const manifestSchema = z.record(z.string(), chunkSchema);
export type BuildManifest = z.infer<typeof manifestSchema>;

export const MANIFEST_FILE = '.vite/manifest.json';
/** The module that every page begins with. */
export const ENTRY = 'index.html';

export function readManifest(siteDir: string): BuildManifest {
  return manifestSchema.parse(JSON.parse(readFileSync(join(siteDir, MANIFEST_FILE), 'utf8')));
}

/** Modules reached by import, and by those `import()` that `follows` accepts. */
export function loadedBy(
  manifest: BuildManifest,
  roots: readonly string[],
  follows: (module: string) => boolean = () => false,
): Set<string> {
  const reached = new Set<string>();
  const waiting = [...roots];
  for (let key = waiting.pop(); key !== undefined; key = waiting.pop()) {
    const chunk = manifest[key];
    if (!chunk || reached.has(key)) continue;
    reached.add(key);
    waiting.push(...(chunk.imports ?? []), ...(chunk.dynamicImports ?? []).filter(follows));
  }
  return reached;
}

export function scriptsOf(manifest: BuildManifest, modules: ReadonlySet<string>): string[] {
  const files = [...modules].map((key) => manifest[key]?.file ?? '').filter((file) => file.endsWith('.js'));
  return [...new Set(files)];
}

export function stylesOf(manifest: BuildManifest, modules: ReadonlySet<string>): string[] {
  return [...new Set([...modules].flatMap((key) => manifest[key]?.css ?? []))];
}

/** In the order of the cascade: a module's imports come before it, so that a page's own rules win. */
export function stylesInOrder(manifest: BuildManifest, roots: readonly string[]): string[] {
  const seen = new Set<string>();
  const visit = (key: string): string[] => {
    const chunk = manifest[key];
    if (!chunk || seen.has(key)) return [];
    seen.add(key);
    return [...(chunk.imports ?? []).flatMap(visit), ...(chunk.css ?? [])];
  };
  return [...new Set(roots.flatMap(visit))];
}
