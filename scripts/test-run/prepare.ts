/** Prepares what tests need: a PostgreSQL server, a built site, a browser. Missing ones are installed if possible. */
import { ensureTestBrowser } from '../../tests/support/browser/chromium.ts';
import { CAN_INSTALL, installDebianPackages } from '../../tests/support/browser/debian-packages.ts';
import { startThrowawayPostgres } from '../../tests/support/database/throwaway-postgres.ts';
import { NATS_SKIPPED } from '../../tests/support/servers/throwaway-nats.ts';
import type { BuiltSite } from '../site/build-site.ts';
import { NODE, type RunResult, run, step, type Tally } from '../steps.ts';

export interface TestPostgres {
  env: Readonly<Record<string, string>>;
  stop(): Promise<void>;
}

/**
 * @param env  of the server's processes, added to this one's
 * @returns without a server: an empty environment, in which tests on PostgreSQL are skipped by name
 */
export async function openTestPostgres(env: Readonly<Record<string, string>> = {}): Promise<TestPostgres> {
  // Reading this installs the broker now: parallel test files would wait for each other's installation.
  if (NATS_SKIPPED !== '') console.log(NATS_SKIPPED);
  const postgres = await startPostgres(env);
  if ('skipped' in postgres) {
    console.log(
      `skipped: tests on PostgreSQL (${postgres.skipped}). Debian, as root: apt-get install ${POSTGRES.join(' ')}`,
    );
    return { env: {}, stop: async () => {} };
  }
  return { env: { TEST_DATABASE_URL: postgres.url }, stop: () => postgres.stop() };
}

const POSTGRES = ['postgresql', '^postgresql-[0-9]+-pgtap$'];

/** Without pgTAP all tests except its own run. */
async function startPostgres(env: Readonly<Record<string, string>>): ReturnType<typeof startThrowawayPostgres> {
  const first = await startThrowawayPostgres({ env });
  const isEnough = !('skipped' in first) && first.hasPgtap;
  if (isEnough || !installDebianPackages(POSTGRES)) return first;
  if (!('skipped' in first)) await first.stop();
  return startThrowawayPostgres({ env });
}

/** @param building  the build of the site, begun before @returns false: browser tests cannot run */
export async function prepareBrowserTests(tally: Tally, building: Promise<BuiltSite>): Promise<boolean> {
  let siteDir = '';
  const isBuilt = await step('site builds', tally, () =>
    succeeds(async () => {
      siteDir = (await building).siteDir;
    }),
  );
  if (!isBuilt) return false;
  await step('size budgets', tally, () => run(NODE, ['scripts/checks/check-budgets.ts', siteDir]));
  return findBrowser(tally);
}

/**
 * Without root no browser can be installed, so browser tests are skipped and counted. In CI and where an installation
 * failed, a missing browser is a failure.
 *
 * @param ensure  throws without a browser
 */
export async function findBrowser(
  tally: Tally,
  { ensure = ensureTestBrowser, canInstall = CAN_INSTALL, isCi = process.env.CI !== undefined }: BrowserSearch = {},
): Promise<boolean> {
  const found = await succeeds(ensure);
  if (found.code === 0 || canInstall || isCi) return step('Chromium is found', tally, async () => found);
  tally.skipped += 1;
  console.log('skipped: browser tests (no Chromium). Debian, as root: apt-get install chromium. Or set CHROMIUM_PATH');
  return false;
}

interface BrowserSearch {
  ensure?: () => unknown;
  canInstall?: boolean;
  isCi?: boolean;
}

async function succeeds(work: () => unknown): Promise<RunResult> {
  try {
    await work();
    return { code: 0, output: '' };
  } catch (error) {
    return { code: 1, output: String(error) };
  }
}
