import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, rmSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { dirname, resolve } from 'node:path';
import { SettingsRefused } from '../../server/platform/config/config.ts';
import { isWritable } from '../start/writable-folder.ts';
import { scratchOf } from './builder-process.ts';
import {
  currentDocsDir,
  currentSiteDir,
  DIST_DIR,
  isBuilt,
  linkDocs,
  linkPendingDocs,
  markDocsFailed,
  markUsed,
  putInPlace,
  ROOT,
  removeOldBuilds,
} from './site-cache.ts';

/** Its message says what to do. */
export class SiteUnbuilt extends Error {
  override readonly name = 'SiteUnbuilt';
}

export interface BuiltSite {
  /** Serve this folder; later builds go elsewhere. */
  siteDir: string;
  /** False if the last build is current. */
  isNew: boolean;
}

export interface OpenedSite extends BuiltSite {
  /** Null if the documentation is current. Call `start` once the server listens. */
  pendingDocs: PendingDocs | null;
}

export interface PendingDocs {
  /** Builds at a lower priority than the first visitors' requests. Meanwhile /docs shows the last build or says so. */
  start(): void;
  stop(): Promise<void>;
}

/**
 * @param siteDir  a folder that was built before, as in container images; null: the build of the current sources, made
 * if there is none
 * @param onBuild  called before a build
 * @throws SettingsRefused if that folder holds no site; SiteUnbuilt
 */
export async function openSite(siteDir: string | null, onBuild: () => void = () => undefined): Promise<OpenedSite> {
  if (siteDir !== null) {
    if (!isBuilt(siteDir)) throw new SettingsRefused(`SITE_DIR contains no built site: ${siteDir}`);
    return { siteDir, isNew: false, pendingDocs: null };
  }
  const [current, docsDir] = [currentSiteDir(), currentDocsDir()];
  if (!isWritable(DIST_DIR)) {
    if (isBuilt(current)) return { siteDir: current, isNew: false, pendingDocs: null };
    throw new SiteUnbuilt(
      `The site has to be built, and ${DIST_DIR} cannot be written by this user. Make it writable, start from a copy of the repository, or set SITE_DIR to a built site.`,
    );
  }
  if (!isBuilt(current)) onBuild();
  const isNew = await buildWhenMissing(current, BUILDERS.site);
  if (isNew) removeOldBuilds(DIST_DIR);
  if (!isBuilt(docsDir)) {
    linkPendingDocs(current, docsDir);
    return { siteDir: current, isNew, pendingDocs: pendingDocs(current, docsDir) };
  }
  markUsed(docsDir, Date.now());
  linkDocs(current, docsDir);
  return { siteDir: current, isNew, pendingDocs: null };
}

const BUILDERS = { site: 'scripts/site/vite-build.ts', docs: 'scripts/docs/build-docs.ts' } as const;

/**
 * Builds the app and the documentation, each if it is stale, in parallel.
 *
 * @throws SiteUnbuilt if the sources cannot be built; the errors have been printed
 */
export async function buildSiteWhenStale(): Promise<BuiltSite> {
  const [siteDir, docsDir] = [currentSiteDir(), currentDocsDir()];
  const built = await Promise.all([buildWhenMissing(siteDir, BUILDERS.site), buildWhenMissing(docsDir, BUILDERS.docs)]);
  linkDocs(siteDir, docsDir);
  const isNew = built.some(Boolean);
  if (isNew) removeOldBuilds(DIST_DIR);
  return { siteDir, isNew };
}

/** @param builder  tests pass their own */
export function pendingDocs(siteDir: string, docsDir: string, builder: string = BUILDERS.docs): PendingDocs {
  const stopping = new AbortController();
  let building = Promise.resolve();
  const build = async (): Promise<void> => {
    try {
      await buildWhenMissing(docsDir, builder, { isInBackground: true, signal: stopping.signal });
      linkDocs(siteDir, docsDir);
      removeOldBuilds(dirname(docsDir));
    } catch (error) {
      if (stopping.signal.aborted) return;
      markDocsFailed(siteDir);
      console.error(
        `The documentation under /docs could not be built. ${error instanceof Error ? error.message : String(error)} The rest of the site works.`,
      );
    }
  };
  return {
    start: () => {
      building = build();
    },
    stop: () => {
      stopping.abort();
      return building;
    },
  };
}

interface BuildOptions {
  isInBackground?: boolean;
  /** Ends the build, which then throws. */
  signal?: AbortSignal;
}

/** @returns true if it was missing */
async function buildWhenMissing(folder: string, builder: string, options: BuildOptions = {}): Promise<boolean> {
  const isNew = !isBuilt(folder);
  if (isNew) {
    mkdirSync(dirname(folder), { recursive: true });
    const outDir = `${folder}.${process.pid}.part`;
    await buildInto(outDir, builder, options);
    putInPlace(outDir, folder);
  }
  markUsed(folder, Date.now());
  return isNew;
}

/** The documentation's generator is chatty, so its output is shown only if it fails. */
async function buildInto(outDir: string, builder: string, { isInBackground, signal }: BuildOptions): Promise<void> {
  const child = spawn(process.execPath, [resolve(ROOT, builder), outDir], {
    cwd: ROOT,
    // Nothing is sent on the channel. It closes when this process ends, and ends the builder.
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  // At a low priority it may take seconds to end in order.
  signal?.addEventListener('abort', () => child.kill('SIGKILL'));
  if (isInBackground && child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL);
  const output: string[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => output.push(text));
  }
  const [code]: unknown[] = await once(child, 'close');
  const isStopped = signal?.aborted === true;
  if (!isStopped && !isDiskFull(output) && (code !== 0 || builder === BUILDERS.site))
    process.stderr.write(output.join(''));
  if (code === 0 && !isStopped) return;
  for (const folder of [outDir, scratchOf(outDir)]) rmSync(folder, { recursive: true, force: true });
  if (isDiskFull(output)) throw new SiteUnbuilt(`The disk of ${dirname(outDir)} is full. Free 100 MB and start again.`);
  throw new SiteUnbuilt('The site could not be built: see the lines above.');
}

function isDiskFull(output: readonly string[]): boolean {
  return /ENOSPC|No space left on device/i.test(output.join(''));
}
