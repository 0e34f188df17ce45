/** The server's side of the process that draws pictures. It starts with the first one, and ends when none is wanted. */
import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { AppError } from '#domain/errors/app-error.ts';
import type { PictureOrder } from '#domain/share/forecast-picture.ts';
import { type WorkQueue, workQueue } from '../../../platform/one-at-a-time.ts';
import type { Logger } from '../../../platform/telemetry/log.ts';
import type { PictureAnswer, PictureRequest } from './picture-process.ts';

export interface Pictures {
  /** A PNG. @throws AppError `request/too-many` while too many wait, `share/no-picture` when it could not be drawn */
  draw(order: PictureOrder): Promise<Uint8Array<ArrayBuffer>>;
  /** Pictures drawn since start. */
  readonly drawn: number;
  /** Null while no process runs. */
  readonly pid: number | null;
  close(): Promise<void>;
}

export interface PictureProcessOptions {
  log: Logger;
  /** How long the process stays without work. */
  idleMs?: number;
  /** How long one picture may take before the process is killed. */
  timeoutMs?: number;
}

const ENTRY = fileURLToPath(new URL('./picture-process.ts', import.meta.url));
const NODE_FLAGS = ['--max-semi-space-size=4', '--max-old-space-size=64'];
const IDLE_MS = 60_000;
const TIMEOUT_MS = 10_000;
const MAX_WAITING = 64;

export function openPictures({ log, idleMs = IDLE_MS, timeoutMs = TIMEOUT_MS }: PictureProcessOptions): Pictures {
  const queue: WorkQueue = workQueue({ maxWaiting: MAX_WAITING });
  let child: ChildProcess | null = null;
  let idle: NodeJS.Timeout | undefined;
  let [lastId, drawn, isClosed] = [0, 0, false];

  function running(): ChildProcess {
    if (child !== null) return child;
    const started = fork(ENTRY, { execArgv: NODE_FLAGS, serialization: 'advanced', stdio: 'ignore' });
    // A process that cannot start fails the picture that waits for it.
    started.on('error', () => undefined);
    started.on('exit', () => {
      if (child === started) child = null;
    });
    child = started;
    return started;
  }

  async function ask(order: PictureOrder): Promise<Uint8Array<ArrayBuffer>> {
    if (isClosed) throw new AppError('share/no-picture');
    clearTimeout(idle);
    lastId += 1;
    const request: PictureRequest = { id: lastId, order };
    const process = running();
    try {
      const answer = await answerOf(process, request, timeoutMs);
      if ('cause' in answer) throw new Error(answer.cause);
      drawn += 1;
      return new Uint8Array(answer.png);
    } catch (error) {
      // One that was killed for being late takes a moment to end, and the next picture must not wait in it.
      if (process.killed && child === process) child = null;
      if (!isClosed) log.error({ err: error }, 'a picture of a forecast could not be drawn');
      throw new AppError('share/no-picture', { cause: error });
    } finally {
      idle = setTimeout(() => void stop(), idleMs).unref();
    }
  }

  async function stop(): Promise<void> {
    const stopped = child;
    child = null;
    if (stopped === null || stopped.exitCode !== null || stopped.signalCode !== null) return;
    const ended = new Promise((resolve) => stopped.once('exit', resolve));
    stopped.kill('SIGKILL');
    await ended;
  }

  return {
    draw: (order) => queue.run(() => ask(order)),
    get drawn() {
      return drawn;
    },
    get pid() {
      return child?.pid ?? null;
    },
    async close() {
      isClosed = true;
      clearTimeout(idle);
      await stop();
    },
  };
}

/** @throws Error when the process ends or is late; a late one is killed, since its picture may never end */
function answerOf(process: ChildProcess, request: PictureRequest, timeoutMs: number): Promise<PictureAnswer> {
  const { promise, resolve, reject } = Promise.withResolvers<PictureAnswer>();
  const late = setTimeout(() => {
    process.kill('SIGKILL');
    reject(new Error(`The picture took longer than ${timeoutMs} ms.`));
  }, timeoutMs);
  const onMessage = (message: unknown): void => {
    const answer = message as PictureAnswer;
    if (answer.id === request.id) resolve(answer);
  };
  const onEnd = (): void => reject(new Error('The process that draws pictures ended.'));
  process.on('message', onMessage);
  process.once('exit', onEnd);
  process.once('error', onEnd);
  process.send(request, (error) => {
    if (error !== null) reject(error);
  });
  return promise.finally(() => {
    clearTimeout(late);
    process.off('message', onMessage);
    process.off('exit', onEnd);
    process.off('error', onEnd);
  });
}
