/** The thread that runs PGlite behind its official socket server. It knows only its folder and its socket. */
import { readFileSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import { type Extension, PGlite } from '@electric-sql/pglite';
import { PGLiteSocketServer } from '@electric-sql/pglite-socket';
import * as z from 'zod/mini';
import { DurableFiles, durableStart } from './durable-files.ts';
import {
  hasDatabase,
  makeSynced,
  markFinished,
  markUnfinished,
  noteSynced,
  noteUnsynced,
  removeUnfinished,
} from './synced-folder.ts';
import { recordSynced, requestedOf, type WalProgress } from './wal-progress.ts';

const orderSchema = z.object({
  /** Null for an in-memory database. */
  databaseDir: z.nullable(z.string()),
  socketPath: z.string(),
  /** A dump to start from, in memory or in a new folder. */
  dumpFile: z.nullable(z.string()),
  /** Set for a folder that must survive a power cut; shared with the main thread. */
  walProgress: z.nullable(z.custom<WalProgress>((value) => value instanceof Int32Array)),
  /** PostgreSQL extensions by name: the module and its export. Tests load pgTAP this way. */
  extensions: z.record(z.string(), z.object({ moduleUrl: z.string(), exportName: z.string() })),
});
export type WorkerOrder = z.infer<typeof orderSchema>;

/**
 * PostgreSQL's own cache, 128 MB by default, is filled with zeros when it opens, so all of it counts as used. A page
 * that is not in it comes from the system's cache of files.
 */
const START_PARAMS = [...PGlite.defaultStartParams, '-c', 'shared_buffers=32MB'];

export const workerRequestSchema = z.union([
  z.object({ kind: z.literal('dump') }),
  z.object({ kind: z.literal('close') }),
]);
export const workerReportSchema = z.union([
  z.object({ kind: z.literal('ready') }),
  z.object({ kind: z.literal('dumped'), bytes: z.instanceof(Uint8Array) }),
  z.object({ kind: z.literal('failed'), message: z.string() }),
]);
export type WorkerRequest = z.infer<typeof workerRequestSchema>;
export type WorkerReport = z.infer<typeof workerReportSchema>;

const port = parentPort;
if (port) await run(port);

async function run(host: NonNullable<typeof parentPort>): Promise<void> {
  const order = orderSchema.parse(workerData);
  const report = (message: WorkerReport) => host.postMessage(message);
  const db = await openPglite(order);
  endThreadOnCrash(db);
  const server = new PGLiteSocketServer({ db, path: order.socketPath, maxConnections: 1 });
  await server.start();

  host.on('message', async (message: unknown) => {
    const request = workerRequestSchema.parse(message);
    if (request.kind === 'dump') {
      try {
        const dump = await db.dumpDataDir('none');
        report({ kind: 'dumped', bytes: new Uint8Array(await dump.arrayBuffer()) });
      } catch (error) {
        report({ kind: 'failed', message: String(error) });
      }
      return;
    }
    await server.stop();
    await db.close();
    process.exit(0);
  });
  report({ kind: 'ready' });
}

async function openPglite(order: WorkerOrder): Promise<PGlite> {
  const extensions: Record<string, Extension> = {};
  for (const [name, { moduleUrl, exportName }] of Object.entries(order.extensions)) {
    const module: Record<string, Extension> = await import(moduleUrl);
    const extension = module[exportName];
    if (!extension) throw new Error(`${moduleUrl} exports no ${exportName}`);
    extensions[name] = extension;
  }
  const { databaseDir, dumpFile, walProgress } = order;
  const dump = dumpFile === null ? {} : { loadDataDir: new Blob([readFileSync(dumpFile)]) };
  if (databaseDir === null) return PGlite.create({ ...dump, extensions, startParams: START_PARAMS });
  removeUnfinished(databaseDir);
  const isNew = !hasDatabase(databaseDir);
  const start = isNew ? { ...dump, extensions } : { extensions };
  if (walProgress === null) {
    noteUnsynced(databaseDir);
    return PGlite.create({ ...start, dataDir: databaseDir, startParams: START_PARAMS });
  }
  if (isNew) await markUnfinished(databaseDir);
  else await makeSynced(databaseDir);
  const files = new DurableFiles(databaseDir, walProgress, endThreadOnLostSync);
  files.isComplete = !isNew;
  const database = await PGlite.create({ ...start, fs: files, startParams: durableStart(START_PARAMS) });
  if (isNew) {
    await markFinished(databaseDir);
    noteSynced(databaseDir);
    files.isComplete = true;
  }
  // An ended thread's commits too: PostgreSQL has synced its log, or recovered from it.
  recordSynced(walProgress, requestedOf(walProgress));
  return database;
}

/** After a failed sync the system may report the next one as done although pages are missing, so this one decides. */
function endThreadOnLostSync(error: unknown): void {
  console.error('The database could not sync a file:', error);
  process.exit(1);
}

/**
 * A WebAssembly crash leaves the socket's queue waiting forever. Ending the thread lets the host reopen immediately.
 */
function endThreadOnCrash(db: PGlite): void {
  const run = db.execProtocolRawStream.bind(db);
  db.execProtocolRawStream = async (message, options) => {
    try {
      await run(message, options);
    } catch (error) {
      console.error('The database crashed:', error);
      process.exit(1);
    }
  };
}
