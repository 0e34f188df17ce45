/**
 * The server's side of the inference process: starts it when the first model is opened, asks it one thing at a time, and
 * kills and restarts it when an answer is late. A network's run cannot be interrupted from within, only ended with its
 * process: docs/decisions/017-inference-process.md.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { AppError } from '#domain/errors/app-error.ts';
import type { ModelName } from '#domain/forecast/models.ts';
import type { Logger } from '../platform/log.ts';
import {
  type InferenceAnswer,
  type InferenceRequest,
  inferenceAnswerSchema,
  packCandles,
} from './inference-messages.ts';
import type { ModelFiles, ModelRunner } from './model-runner.ts';

export interface InferenceOptions {
  log: Logger;
  /** How long one forecast may take before the process is killed. */
  timeoutMs: number;
  /** The same for opening a model. */
  openTimeoutMs?: number;
  /** Told when a model that was open can no longer be opened after a restart. */
  onLost?: (model: ModelName, reason: string) => void;
}

export interface Inference extends ModelRunner {
  /** Of the process under way; null while there is none. */
  readonly pid: number | null;
}

const ENTRY = fileURLToPath(new URL('./inference-process.ts', import.meta.url));
/** It holds little but weights, which lie outside this heap: 40 MB less resident than by default, and no slower. */
const NODE_FLAGS = ['--max-semi-space-size=4', '--max-old-space-size=96'];
/** Reading 20 MB and optimising a graph takes tenths of a second; a busy machine gets a hundred times that. */
const OPEN_TIMEOUT_MS = 20_000;
const START_TIMEOUT_MS = 20_000;
/** More than there are models, symbols and exchange codes together: who asks for the same shares one computation. */
const MAX_WAITING = 100;
const FIRST_PAUSE_MS = 50;
const MAX_PAUSE_MS = 5000;
/** What the process last wrote to its error stream, for the log: the native library speaks there before it aborts. */
const KEPT_ERROR_CHARS = 2000;

type Question = InferenceRequest extends infer R ? (R extends unknown ? Omit<R, 'id'> : never) : never;

interface Job {
  question: Question;
  timeoutMs: number;
  resolve(answer: InferenceAnswer): void;
  reject(error: AppError): void;
}

export function openInference(options: InferenceOptions): Inference {
  return new InferenceClient(options);
}

class InferenceClient implements Inference {
  readonly #options: InferenceOptions;
  /** What a fresh process opens again. */
  readonly #open = new Map<ModelName, ModelFiles>();
  #waiting: Job[] = [];
  #running: { id: number; job: Job } | null = null;
  #child: ChildProcess | null = null;
  #isReady = false;
  #isClosed = false;
  #lastId = 0;
  /** Processes in a row that ended without one forecast. */
  #vainStarts = 0;
  #deadline: NodeJS.Timeout | undefined;
  #restart: NodeJS.Timeout | undefined;
  /** Why we killed it; null where it ended by itself. */
  #killedFor: string | null = null;
  #errorText = '';

  constructor(options: InferenceOptions) {
    this.#options = options;
  }

  get pid(): number | null {
    return this.#child?.pid ?? null;
  }

  async open(model: ModelName, files: ModelFiles): Promise<void> {
    await this.#ask({ kind: 'open', model, files }, this.#openTimeoutMs);
    this.#open.set(model, files);
  }

  async forecast(...[model, subject, candles]: Parameters<ModelRunner['forecast']>) {
    if (!this.#open.has(model)) throw failed('the model is not open');
    const { sym, assetClass, tickSize } = subject;
    const question = {
      kind: 'forecast',
      model,
      subject: { sym, assetClass, tickSize },
      candles: packCandles(candles),
    } as const;
    const answer = await this.#ask(question, this.#options.timeoutMs);
    if (answer.kind !== 'forecast') throw failed('the inference process answered something else');
    this.#vainStarts = 0;
    return answer.forecast;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#restart);
    const child = this.#child;
    const gone = child === null ? null : new Promise<void>((resolve) => child.once('exit', () => resolve()));
    this.#rejectWaiting('the server stops');
    // It holds nothing that could be lost.
    this.#kill('the server stops');
    await gone;
  }

  get #openTimeoutMs(): number {
    return this.#options.openTimeoutMs ?? OPEN_TIMEOUT_MS;
  }

  #ask(question: Question, timeoutMs: number): Promise<InferenceAnswer> {
    return new Promise((resolve, reject) => {
      if (this.#isClosed) return reject(failed('the server stops'));
      if (this.#waiting.length >= MAX_WAITING) return reject(failed('too many forecasts are waiting'));
      this.#waiting.push({ question, timeoutMs, resolve, reject });
      if (this.#child === null && this.#restart === undefined) this.#start();
      this.#next();
    });
  }

  #start(): void {
    this.#restart = undefined;
    this.#isReady = false;
    this.#killedFor = null;
    this.#errorText = '';
    // Flags of whoever started us are not for it, and no setting of ours: it needs none and keeps no secret.
    const child = fork(ENTRY, [], {
      execArgv: NODE_FLAGS,
      env: {},
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    this.#child = child;
    this.#setDeadline(START_TIMEOUT_MS, 'the inference process did not start in time');
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#errorText = (this.#errorText + text).slice(-KEPT_ERROR_CHARS);
    });
    child.on('message', (message) => this.#take(child, message));
    child.once('exit', (code, signal) => this.#ended(child, { exitCode: code, signal }));
    child.once('error', (error) => {
      // Without a process id it never began, and no exit will be told.
      if (child.pid === undefined) this.#ended(child, { error: error.message });
    });
  }

  #take(child: ChildProcess, message: unknown): void {
    if (child !== this.#child) return;
    const parsed = inferenceAnswerSchema.safeParse(message);
    if (!parsed.success) this.#kill('the inference process answered nonsense');
    else if (parsed.data.kind === 'ready') this.#greet();
    else this.#settle(parsed.data);
  }

  #greet(): void {
    clearTimeout(this.#deadline);
    this.#isReady = true;
    this.#waiting.unshift(...this.#reopenings());
    this.#next();
  }

  #settle(answer: Exclude<InferenceAnswer, { kind: 'ready' }>): void {
    const running = this.#running;
    if (running?.id !== answer.id) return;
    clearTimeout(this.#deadline);
    this.#running = null;
    if (answer.kind === 'failed') running.job.reject(failureOf(answer));
    else running.job.resolve(answer);
    this.#next();
  }

  #next(): void {
    if (!this.#isReady || this.#running !== null) return;
    const job = this.#waiting.shift();
    if (job === undefined) return;
    const id = ++this.#lastId;
    this.#running = { id, job };
    this.#setDeadline(job.timeoutMs, 'the network took too long');
    // A channel that is just closing is told by the exit that follows.
    this.#child?.send({ ...job.question, id }, () => undefined);
  }

  /** Models that were open before; one that cannot be opened any more is lost, and never a reason to try for ever. */
  #reopenings(): Job[] {
    return [...this.#open].map(
      ([model, files]): Job => ({
        question: { kind: 'open', model, files },
        timeoutMs: this.#openTimeoutMs,
        resolve: () => undefined,
        reject: (error) => {
          if (this.#isClosed) return;
          this.#open.delete(model);
          this.#options.onLost?.(model, textOf(error));
        },
      }),
    );
  }

  #setDeadline(ms: number, reason: string): void {
    clearTimeout(this.#deadline);
    this.#deadline = setTimeout(() => this.#kill(reason), ms);
  }

  #kill(reason: string): void {
    this.#killedFor = reason;
    this.#child?.kill('SIGKILL');
  }

  #ended(child: ChildProcess, how: Record<string, unknown>): void {
    if (child !== this.#child) return;
    clearTimeout(this.#deadline);
    const wasReady = this.#isReady;
    const reason =
      this.#killedFor ?? (wasReady ? 'the inference process ended' : 'the inference process did not start');
    const running = this.#running;
    this.#child = null;
    this.#isReady = false;
    this.#running = null;
    if (!this.#isClosed) {
      const fields = { ...how, reason, asked: running?.job.question.kind, model: running?.job.question.model };
      this.#options.log.error({ ...fields, stderr: this.#errorText }, 'the inference process ended');
    }
    // Only what it was at can be its end; whoever waits is served by the next one.
    running?.job.reject(failed(reason, this.#errorText));
    if (!wasReady) this.#rejectWaiting(reason);
    if (!this.#isClosed && (this.#open.size > 0 || this.#waiting.length > 0)) this.#startLater();
  }

  #startLater(): void {
    const pauseMs = Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.min(10, this.#vainStarts));
    this.#vainStarts += 1;
    this.#restart = setTimeout(() => {
      this.#options.log.warn({ pauseMs }, 'the inference process is started again');
      this.#start();
    }, pauseMs);
  }

  #rejectWaiting(reason: string): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const job of waiting) job.reject(failed(reason, this.#errorText));
  }
}

function failed(reason: string, cause = ''): AppError {
  return new AppError('forecast/failed', { details: { reason }, cause: cause === '' ? undefined : new Error(cause) });
}

function failureOf({ code, details, cause }: Extract<InferenceAnswer, { kind: 'failed' }>): AppError {
  return new AppError(code, { details, cause: new Error(cause) });
}

function textOf(error: AppError): string {
  return error.cause instanceof Error ? error.cause.message : String(error.details.reason ?? error.code);
}
