/**
 * The server's side of the inference process. Starts it with the first model, sends one request at a time, and kills
 * and restarts it when an answer is late: a run ends only with its process (docs/decisions/017-inference-process.md).
 */
import { type ChildProcess, fork } from 'node:child_process';
import { constants, setPriority } from 'node:os';
import { fileURLToPath } from 'node:url';
import { AppError } from '#domain/errors/app-error.ts';
import type { Logger } from '../../platform/telemetry/log.ts';
import type { ModelId } from '../models/model-id.ts';
import { type InferenceAnswer, inferenceAnswerSchema, packCandles, subjectSchema } from './inference-messages.ts';
import type { LossListener, ModelFiles, ModelRunner } from './model-runner.ts';
import { failed, type InferenceJob, type Question, unansweredForecast, WaitingJobs } from './waiting-jobs.ts';

export interface InferenceOptions {
  log: Logger;
  /** How long one forecast may take before the process is killed. */
  timeoutMs: number;
  /** The same for opening a model. */
  openTimeoutMs?: number;
  /** How long a forecast may wait in the queue, restarts included. */
  maxWaitMs?: number;
  /** The Node executable of the process; default: the current one. */
  execPath?: string;
  /** Runs at lower priority than the machine's other processes. */
  isLowPriority?: boolean;
}

export interface Inference extends ModelRunner {
  /** Of the running process; null while there is none. */
  readonly pid: number | null;
}

const ENTRY = fileURLToPath(new URL('./inference-process.ts', import.meta.url));
/** The heap holds little, because weights are outside it: 40 MB less resident than by default, and no slower. */
const NODE_FLAGS = ['--max-semi-space-size=4', '--max-old-space-size=96'];
/** Reading 20 MB and optimising a graph takes tenths of a second; a busy machine gets a hundred times that. */
const OPEN_TIMEOUT_MS = 20_000;
const START_TIMEOUT_MS = 20_000;
/** After a longer wait a forecast would cover a minute that is almost over. */
const MAX_WAIT_MS = 10_000;
/** Limit for ends in a row while opening one model, or before the process is ready; then either is given up. */
const MAX_FAILED_TRIES = 3;
const FIRST_PAUSE_MS = 50;
const MAX_PAUSE_MS = 5000;
/** Length of stderr stored for the log: the native library writes there before it aborts. */
const MAX_ERROR_CHARS = 2000;

export function openInference(options: InferenceOptions): Inference {
  return new InferenceClient(options);
}

class InferenceClient implements Inference {
  readonly #options: InferenceOptions;
  readonly #open = new Map<ModelId, ModelFiles>();
  /** Models that were open once, and why they no longer are. */
  readonly #lost = new Map<ModelId, string>();
  readonly #lossListeners: LossListener[] = [];
  readonly #waiting = new WaitingJobs();
  #running: { id: number; job: InferenceJob } | null = null;
  #child: ChildProcess | null = null;
  #end: PromiseWithResolvers<void> | null = null;
  #isReady = false;
  #isClosed = false;
  #lastId = 0;
  /** Processes in a row that ended without one forecast. */
  #startTries = 0;
  /** Processes in a row that ended before they were ready. */
  #failedStarts = 0;
  /** Processes in a row that ended while they opened the model. */
  readonly #openingDeaths = new Map<ModelId, number>();
  #deadline: NodeJS.Timeout | undefined;
  #restart: NodeJS.Timeout | undefined;
  /** Why we killed it; null when it ended on its own. */
  #killedFor: string | null = null;
  #errorText = '';

  constructor(options: InferenceOptions) {
    this.#options = options;
  }

  get pid(): number | null {
    return this.#child?.pid ?? null;
  }

  async open(model: ModelId, files: ModelFiles): Promise<void> {
    await this.#submit({ kind: 'open', model, files }, this.#openTimeoutMs, null);
    this.#open.set(model, files);
    this.#lost.delete(model);
  }

  async forecast(...[model, subject, candles]: Parameters<ModelRunner['forecast']>) {
    if (!this.#open.has(model)) throw unansweredForecast('the model is not open');
    const question = {
      kind: 'forecast',
      model,
      subject: subjectSchema.parse(subject),
      candles: packCandles(candles),
    } as const;
    const answer = await this.#submit(question, this.#options.timeoutMs, this.#options.maxWaitMs ?? MAX_WAIT_MS);
    if (answer.kind !== 'forecast') throw failed('the inference process sent an unexpected reply');
    this.#startTries = 0;
    return answer.forecast;
  }

  onLost(listener: LossListener): void {
    this.#lossListeners.push(listener);
    for (const [model, reason] of this.#lost) listener(model, reason);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#restart);
    this.#waiting.rejectAll('the server is stopping');
    // It holds no data that could be lost.
    this.#kill('the server is stopping');
    await this.#end?.promise;
  }

  get #openTimeoutMs(): number {
    return this.#options.openTimeoutMs ?? OPEN_TIMEOUT_MS;
  }

  #submit(question: Question, timeoutMs: number, maxWaitMs: number | null): Promise<InferenceAnswer> {
    return new Promise((resolve, reject) => {
      if (this.#isClosed) return reject(unansweredForecast('the server is stopping'));
      this.#waiting.add({ question, timeoutMs, maxWaitMs, isReopening: false, resolve, reject });
      if (this.#child === null && this.#restart === undefined) this.#start();
      this.#next();
    });
  }

  #start(): void {
    this.#restart = undefined;
    this.#isReady = false;
    this.#killedFor = null;
    this.#errorText = '';
    // The parent's flags do not apply to it. It gets no environment: it needs no setting and must hold no secret.
    const child = fork(ENTRY, [], {
      execPath: this.#options.execPath ?? process.execPath,
      execArgv: NODE_FLAGS,
      env: {},
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    this.#child = child;
    if (this.#options.isLowPriority === true) giveWay(child.pid);
    this.#end = Promise.withResolvers();
    this.#setDeadline(START_TIMEOUT_MS, 'the inference process did not start in time');
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#errorText = (this.#errorText + text).slice(-MAX_ERROR_CHARS);
    });
    child.on('message', (message) => this.#take(child, message));
    child.once('exit', (code, signal) => this.#ended(child, { exitCode: code, signal }));
    child.on('error', (error) => {
      // Without a process id it never started, and no exit event follows.
      if (child.pid === undefined) this.#ended(child, { error: error.message });
    });
  }

  #take(child: ChildProcess, message: unknown): void {
    if (child !== this.#child) return;
    const parsed = inferenceAnswerSchema.safeParse(message);
    if (!parsed.success) this.#kill('the inference process sent an invalid reply');
    else if (parsed.data.kind === 'ready') this.#markReady();
    else this.#settle(parsed.data);
  }

  #markReady(): void {
    this.#clearDeadline();
    this.#isReady = true;
    this.#failedStarts = 0;
    this.#waiting.putFirst(...this.#reopenings());
    this.#next();
  }

  #settle(answer: Exclude<InferenceAnswer, { kind: 'ready' }>): void {
    const running = this.#running;
    if (running?.id !== answer.id) return;
    this.#clearDeadline();
    this.#running = null;
    if (answer.kind === 'opened') this.#openingDeaths.delete(running.job.question.model);
    if (answer.kind === 'failed') running.job.reject(failureOf(answer));
    else running.job.resolve(answer);
    this.#next();
  }

  #next(): void {
    // A process being killed may still answer; a further request would only die with it.
    if (!this.#isReady || this.#running !== null || this.#killedFor !== null) return;
    const job = this.#waiting.take();
    if (job === undefined) return;
    const id = ++this.#lastId;
    this.#running = { id, job };
    this.#setDeadline(job.timeoutMs, 'the network took too long');
    // If the channel is closing, the exit that follows reports it.
    this.#child?.send({ ...job.question, id }, () => undefined);
  }

  /** Models that were open before; one that can no longer be opened is lost, and is not retried for ever. */
  #reopenings(): InferenceJob[] {
    return [...this.#open].map(
      ([model, files]): InferenceJob => ({
        question: { kind: 'open', model, files },
        timeoutMs: this.#openTimeoutMs,
        maxWaitMs: null,
        isReopening: true,
        resolve: () => undefined,
        reject: (error) => this.#lose(model, textOf(error)),
      }),
    );
  }

  #lose(model: ModelId, reason: string): void {
    if (this.#isClosed) return;
    this.#open.delete(model);
    this.#lost.set(model, reason);
    this.#options.log.error({ model, reason }, 'a model was lost');
    for (const listener of this.#lossListeners) listener(model, reason);
  }

  #setDeadline(ms: number, reason: string): void {
    this.#clearDeadline();
    const deadline = setTimeout(() => {
      // Timers run before messages are read: after a stall of this process the answer may already be waiting.
      setImmediate(() => {
        if (this.#deadline === deadline) this.#kill(reason);
      });
    }, ms);
    this.#deadline = deadline;
  }

  #clearDeadline(): void {
    clearTimeout(this.#deadline);
    this.#deadline = undefined;
  }

  #kill(reason: string): void {
    this.#killedFor = reason;
    this.#child?.kill('SIGKILL');
  }

  #ended(child: ChildProcess, how: Record<string, unknown>): void {
    if (child !== this.#child) return;
    this.#clearDeadline();
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
    this.#waiting.dropReopenings();
    // Only the running job can have ended the process; waiting jobs get the next process.
    if (running !== null && !this.#mayTryAgain(running.job)) running.job.reject(failed(reason, this.#errorText));
    if (!wasReady && ++this.#failedStarts >= MAX_FAILED_TRIES) {
      this.#failedStarts = 0;
      this.#waiting.rejectAll(reason, this.#errorText);
    }
    if (!this.#isClosed && (this.#open.size > 0 || this.#waiting.size > 0)) this.#startLater();
    this.#end?.resolve();
  }

  /** One interrupted opening says nothing about the model; a model that ends its process repeatedly is given up. */
  #mayTryAgain(job: InferenceJob): boolean {
    const { kind, model } = job.question;
    if (kind !== 'open' || this.#isClosed) return false;
    const deaths = (this.#openingDeaths.get(model) ?? 0) + 1;
    // A model that hangs on its first opening must not delay the start three times.
    const isAbandoned = deaths >= MAX_FAILED_TRIES || (!job.isReopening && this.#killedFor !== null);
    if (isAbandoned) this.#openingDeaths.delete(model);
    else this.#openingDeaths.set(model, deaths);
    // The next process gets its own reopenings.
    if (!isAbandoned && !job.isReopening) this.#waiting.putFirst(job);
    return !isAbandoned;
  }

  #startLater(): void {
    const pauseMs = Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.min(10, this.#startTries));
    this.#startTries += 1;
    this.#restart = setTimeout(() => {
      this.#options.log.warn({ pauseMs }, 'restarting the inference process');
      this.#start();
    }, pauseMs);
  }
}

function giveWay(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // The process has already ended, or the system does not allow it: the priority stays unchanged.
  }
}

function failureOf({ code, details, cause }: Extract<InferenceAnswer, { kind: 'failed' }>): AppError {
  return new AppError(code, { details, cause: new Error(cause) });
}

function textOf(error: AppError): string {
  return error.cause instanceof Error ? error.cause.message : String(error.details.reason ?? error.code);
}
