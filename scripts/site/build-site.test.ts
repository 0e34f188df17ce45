import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { docsState } from '../../server/platform/http/assets/docs-pending.ts';
import { WAIT_MS } from '../../tests/support/run/wait-limit.ts';
import { pendingDocs } from './build-site.ts';
import { linkPendingDocs } from './site-cache.ts';

let dist: string;
let site: string;
let docs: string;
beforeEach(() => {
  dist = mkdtempSync(join(tmpdir(), 'kat-dist-'));
  site = join(dist, 'web-aaaaaaaaaaaa');
  docs = join(dist, 'docs-aaaaaaaaaaaa');
  mkdirSync(site);
  linkPendingDocs(site, docs, dist);
});
afterEach(() => rmSync(dist, { recursive: true, force: true }));

/** A program that is started like the generator of the documentation. Its first argument is the folder to fill. */
function aBuilder(code: string): string {
  const file = join(dist, 'builder.mjs');
  const start = `import { mkdirSync, writeFileSync } from 'node:fs';\nconst out = process.argv[2];\nmkdirSync(out);\n`;
  writeFileSync(file, start + code);
  return file;
}

const filesOfDist = () => readdirSync(dist).toSorted();

test('builds the documentation in the background, and then the site has it', async () => {
  const pending = pendingDocs(site, docs, aBuilder(`writeFileSync(out + '/index.html', 'docs');`));
  expect(docsState(site)).toBe('building');

  pending.start();

  await vi.waitFor(() => expect(docsState(site)).toBe('settled'), WAIT_MS);
  expect(readdirSync(docs)).toEqual(['index.html']);
  await pending.stop();
});

test('reports documentation that cannot be built, with the output of its generator', async () => {
  const shown: string[] = [];
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => shown.push(String(text)) > 0);
  vi.spyOn(console, 'error').mockImplementation((text) => void shown.push(String(text)));

  pendingDocs(site, docs, aBuilder(`console.log('a page is wrong'); process.exit(1);`)).start();

  await vi.waitFor(() => expect(docsState(site)).toBe('failed'), WAIT_MS);
  expect(shown.join('\n')).toMatch(/a page is wrong.*The documentation under \/docs could not be built/s);
  expect(filesOfDist()).toEqual(['builder.mjs', 'web-aaaaaaaaaaaa']);
});

test('leaves no half-built documentation and no process when the server stops', async () => {
  const error = vi.spyOn(console, 'error');
  const pending = pendingDocs(site, docs, aBuilder(`writeFileSync(out + '/pid', ''); setInterval(() => {}, 1000);`));
  pending.start();
  const part = () => filesOfDist().filter((name) => name.endsWith('.part'));
  await vi.waitFor(() => expect(readdirSync(join(dist, part()[0] ?? ''))).toEqual(['pid']), WAIT_MS);

  await pending.stop();

  expect(filesOfDist()).toEqual(['builder.mjs', 'web-aaaaaaaaaaaa']);
  expect(docsState(site)).toBe('building');
  expect(error).not.toHaveBeenCalled();
});
