/**
 * `npm run release -- sbom`: writes dist/sbom.cdx.json, a CycloneDX list of what is shipped: the packages that the
 * server loads or the site is built from, as npm reads the lockfile, and the forecasting models with their checksums.
 */
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DIST_DIR, ROOT } from '../site/site-cache.ts';
import { lockOfShipped, modelComponents, shippedBom } from './bom.ts';
import { shippedPackages } from './shipped-packages.ts';

const shipped = shippedPackages(ROOT);
const folder = mkdtempSync(join(tmpdir(), 'kat-sbom-'));
try {
  copyFileSync(join(ROOT, 'package.json'), join(folder, 'package.json'));
  const lock = lockOfShipped(JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')), shipped);
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify(lock));
  const args = ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only', '--loglevel=error'];
  const text = execFileSync('npm', args, { cwd: folder, encoding: 'utf8', maxBuffer: 64 * 2 ** 20 });
  const bom = shippedBom(JSON.parse(text), shipped, modelComponents(join(ROOT, 'models')));
  mkdirSync(DIST_DIR, { recursive: true });
  const file = join(DIST_DIR, 'sbom.cdx.json');
  writeFileSync(file, `${JSON.stringify(bom, null, 2)}\n`);
  console.log(`${bom.components.length} components: ${file}`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
