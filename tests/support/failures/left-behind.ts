/** Set up before each file of browser tests: after a failed test, prints and stores its pages, logs and the machine's load. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterEach, type TestContext } from 'vitest';
import { errorsOf, openPages } from '../browser/chromium.ts';
import { serverLogs } from '../servers/kat-server.ts';
import { sharedLogs } from '../servers/shared-kat.ts';
import { describeLeftBehind, fileNameOf, type LeftPage } from './failure-report.ts';
import { failuresFolder } from './failures-folder.ts';
import { machineLoad } from './machine-load.ts';

/** Of a page that no longer answers. */
const LIMIT_MS = 10_000;
const MOST_PAGES = 4;

afterEach(async ({ task }: TestContext) => {
  if (task.result?.state !== 'fail') return;
  // Measured first, because reading the pages takes time.
  const machine = machineLoad();
  const folder = failuresFolder();
  await mkdir(folder, { recursive: true });
  const test = `${task.file.name} > ${task.fullTestName}`;
  const name = join(folder, fileNameOf(`${task.file.name.replace(/^.*\//, '')} ${task.name}`));
  const open = (await openPages()).slice(-MOST_PAGES);
  const pages = await Promise.all(open.map((page, i) => readPage(page, `${name}-${i + 1}.png`)));
  const servers = [...serverLogs(), ...(await sharedLogs())].filter(
    ({ url }) => pages.length === 0 || pages.some(({ address }) => address.startsWith(url)),
  );
  const report = describeLeftBehind({ test, pages, servers, machine });
  const texts = pages.map(({ address, text }) => `${address}\n${text}`);
  const whole = [report, ...texts, ...servers.map(({ url, log }) => `${url}\n${log}`)].join('\n\n');
  await writeFile(`${name}.txt`, whole);
  console.error(`${report}\nstored: ${name}.txt`);
});

async function readPage(page: Page, screenshot: string): Promise<LeftPage> {
  const [text, isTaken] = await Promise.all([
    page
      .locator('body')
      .innerText({ timeout: LIMIT_MS })
      .catch(() => null),
    page.screenshot({ path: screenshot, timeout: LIMIT_MS }).then(
      () => true,
      () => false,
    ),
  ]);
  return { address: page.url(), text, errors: errorsOf(page), screenshot: isTaken ? screenshot : null };
}
