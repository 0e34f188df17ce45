/** Starts, stops and kills PGlite's thread. Only one thread runs at a time; each has its own socket. */
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { Logger } from '../../telemetry/log.ts';
import type { WorkerOrder, WorkerReport, WorkerRequest } from './pglite-worker.ts';

export interface PgliteThread {
  readonly socketPath: string;
  readonly ended: Promise<void>;
  readonly hasEnded: boolean;
  dump(): Promise<Uint8Array>;
  close(): Promise<void>;
  kill(): Promise<void>;
}

const WORKER_FILE = new URL('./pglite-worker.ts', import.meta.url);

/** @throws Error when PGlite cannot open the folder */
export async function startPgliteThread(
  order: Omit<WorkerOrder, 'socketPath'>,
  socketDir: string,
  name: string,
  log: Logger,
): Promise<PgliteThread> {
  const socketPath = join(socketDir, `${name}.sock`);
  // Test runners add their own flags, which a plain thread must not inherit.
  const worker = new Worker(WORKER_FILE, { workerData: { ...order, socketPath }, execArgv: [], name: 'pglite' });
  let hasEnded = false;
  const ended = new Promise<void>((resolve) => {
    worker.once('exit', () => {
      hasEnded = true;
      resolve();
    });
  });
  worker.on('error', (error) => log.error({ err: error }, 'the database thread failed'));

  await nextReport(worker, ended, 'ready');

  return {
    socketPath,
    ended,
    get hasEnded() {
      return hasEnded;
    },
    async dump() {
      const reported = nextReport(worker, ended, 'dumped');
      worker.postMessage({ kind: 'dump' } satisfies WorkerRequest);
      const report = await reported;
      if (report.kind !== 'dumped') throw new Error('The database returned no dump');
      return report.bytes;
    },
    async close() {
      if (!hasEnded) worker.postMessage({ kind: 'close' } satisfies WorkerRequest);
      await ended;
    },
    async kill() {
      await worker.terminate();
      await ended;
    },
  };
}

function nextReport(worker: Worker, ended: Promise<void>, kind: WorkerReport['kind']): Promise<WorkerReport> {
  return new Promise((resolve, reject) => {
    const onMessage = (report: WorkerReport) => {
      if (report.kind !== kind && report.kind !== 'failed') return;
      worker.off('message', onMessage);
      if (report.kind === 'failed') reject(new Error(report.message));
      else resolve(report);
    };
    worker.on('message', onMessage);
    worker.once('error', reject);
    ended.then(() => reject(new Error('The database thread ended before it was ready')));
  });
}
