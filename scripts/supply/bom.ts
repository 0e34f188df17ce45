/** npm's bill of materials, reduced to what is shipped, with the models. CycloneDX 1.5. */
import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as z from 'zod/mini';
import type { ShippedPackage } from './shipped-packages.ts';

const componentSchema = z.looseObject({
  'bom-ref': z.string(),
  type: z.string(),
  name: z.string(),
  version: z.string(),
  properties: z.optional(z.array(z.object({ name: z.string(), value: z.string() }))),
});
export type Component = z.infer<typeof componentSchema>;

const bomSchema = z.looseObject({
  bomFormat: z.literal('CycloneDX'),
  metadata: z.looseObject({ component: z.looseObject({ 'bom-ref': z.string() }) }),
  components: z.array(componentSchema),
  dependencies: z.array(z.object({ ref: z.string(), dependsOn: z.array(z.string()) })),
});
export type Bom = z.infer<typeof bomSchema>;

const NOT_SHIPPED = 'cdx:npm:package:development';

const lockSchema = z.looseObject({
  packages: z.record(
    z.string(),
    z.looseObject({
      peerDependencies: z.optional(z.record(z.string(), z.string())),
      peerDependenciesMeta: z.optional(z.record(z.string(), z.looseObject({ optional: z.optional(z.boolean()) }))),
    }),
  ),
});

/**
 * @param lock  package-lock.json
 * @returns the lock without the optional peers of packages that are not shipped. One tool accepts only an older React
 *   than the site's, and npm lists nothing at all then.
 */
export function lockOfShipped(lock: unknown, shipped: readonly ShippedPackage[]): object {
  const whole = lockSchema.parse(lock);
  const names = new Set(shipped.map(({ name }) => name));
  const packages = Object.entries(whole.packages).map(([path, about]) => {
    const { peerDependencies = {}, peerDependenciesMeta = {}, ...others } = about;
    if (path === '' || names.has(path.slice(path.lastIndexOf('node_modules/') + 13))) return [path, about];
    const needed = Object.entries(peerDependencies).filter(([name]) => peerDependenciesMeta[name]?.optional !== true);
    return [path, { ...others, peerDependencies: Object.fromEntries(needed) }];
  });
  return { ...whole, packages: Object.fromEntries(packages) };
}

/** @param output  output of `npm sbom`. @throws ZodError if it is invalid, Error if a shipped package is missing */
export function shippedBom(output: unknown, shipped: readonly ShippedPackage[], models: readonly Component[]): Bom {
  const bom = bomSchema.parse(output);
  const runsIn = new Map(shipped.map((one) => [`${one.name}@${one.version}`, one.runsIn]));
  const packages = bom.components.flatMap((component) => {
    const where = runsIn.get(`${component.name}@${component.version}`);
    if (where === undefined) return [];
    const others = (component.properties ?? []).filter(({ name }) => name !== NOT_SHIPPED);
    return [{ ...component, properties: [...others, { name: 'kat:runs-in', value: where.join(' ') }] }];
  });
  const listed = new Set(packages.map((one) => `${one.name}@${one.version}`));
  const missing = [...runsIn.keys()].filter((key) => !listed.has(key));
  if (missing.length > 0) throw new Error(`Shipped, and not in the list that npm made: ${missing.join(', ')}`);
  const components = [...packages, ...models];
  const refs = new Set([bom.metadata.component['bom-ref'], ...components.map((one) => one['bom-ref'])]);
  const dependencies = bom.dependencies
    .filter(({ ref }) => refs.has(ref))
    .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((one) => refs.has(one)) }));
  return { ...bom, components, dependencies };
}

/** @param dir  with a folder for each model: model.onnx and the manifest with its version */
export function modelComponents(dir: string): Component[] {
  return globSync('{*,{5,15}min/*}/manifest.json', { cwd: dir })
    .toSorted()
    .map((file) => {
      const { modelVersion: version } = z
        .looseObject({ modelVersion: z.string() })
        .parse(JSON.parse(readFileSync(join(dir, file), 'utf8')));
      const name = dirname(file);
      const content = createHash('sha256')
        .update(readFileSync(join(dir, name, 'model.onnx')))
        .digest('hex');
      const hashes = [{ alg: 'SHA-256', content }];
      return { 'bom-ref': `model:${name}@${version}`, type: 'machine-learning-model', name, version, hashes };
    });
}
