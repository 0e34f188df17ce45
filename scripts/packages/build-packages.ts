/** Compiles the packages and packs each into one file in dist/packages: kat-client.tgz, kat-verify.tgz. */
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { bin, NODE, ROOT } from '../steps.ts';

const PACKAGES = { client: 'kat-client', verify: 'kat-verify' } as const;
const outDir = process.argv[2] ?? join(ROOT, 'dist/packages');

mkdirSync(outDir, { recursive: true });
for (const [name, file] of Object.entries(PACKAGES)) {
  const [source, built] = [join(ROOT, 'packages', name), join(ROOT, '.cache/packages', name)];
  rmSync(built, { recursive: true, force: true });
  mkdirSync(built, { recursive: true });
  execFileSync(NODE, [bin('tsc'), '-p', source, '--outDir', join(built, 'dist')], { stdio: 'inherit' });
  for (const document of ['package.json', 'README.md']) copyFileSync(join(source, document), join(built, document));
  copyFileSync(join(ROOT, 'LICENSE'), join(built, 'LICENSE'));
  const packed = execFileSync('npm', ['pack', '--silent', '--pack-destination', outDir], {
    cwd: built,
    encoding: 'utf8',
  });
  renameSync(join(outDir, packed.trim()), join(outDir, `${file}.tgz`));
  console.log(join(outDir, `${file}.tgz`));
}
