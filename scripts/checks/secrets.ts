/** Scans every tracked file for secrets: a step of `npm run check`. Reports file, line and kind, never the secret. */
import { execFileSync } from 'node:child_process';
import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../site/site-cache.ts';
import { type KnownSecrets, secretsIn } from '../supply/secrets.ts';

const KNOWN: KnownSecrets = new Map([
  [
    'server/platform/config/config-payments.test.ts: a live key of the payment provider',
    'the example of the provider’s documentation, which production refuses',
  ],
]);
/** Pictures, models and recorded data contain no text. */
const BINARY = /\.(?:png|jpe?g|webp|ico|gif|woff2?|onnx|gz|br|zip|mp4|webm|pdf)$/;
const MAX_BYTES = 4 * 2 ** 20;

const names = trackedFiles().filter((name) => !BINARY.test(name));
let read = 0;
for (const name of names) {
  const about = statSync(join(ROOT, name), { throwIfNoEntry: false });
  // Deleted and not yet committed, or a list of measurements.
  if (about === undefined || !about.isFile() || about.size > MAX_BYTES) continue;
  read += 1;
  for (const { file, line, kind } of secretsIn(name, readFileSync(join(ROOT, name), 'utf8'), KNOWN)) {
    console.error(`${file}:${line}: looks like ${kind}`);
    process.exitCode = 1;
  }
}
console.log(`Looked through ${read} files.`);

/** In a copy without git history: all files except generated ones. */
function trackedFiles(): string[] {
  if (!existsSync(join(ROOT, '.git')))
    return globSync('**/*', { cwd: ROOT, exclude: ['node_modules/**', 'dist/**', '.data/**', '.cache/**'] });
  const listed = execFileSync('git', ['ls-files', '-z'], { cwd: ROOT, encoding: 'utf8', maxBuffer: 2 ** 24 });
  return listed.split('\0').filter((name) => name !== '');
}
