/** The queue of the inference process: in order, bounded, and each request only as long as its answer is useful. */
import { AppError } from '#domain/errors/app-error.ts';
import type { InferenceAnswer, InferenceRequest } from './inference-messages.ts';
import { UnstartedForecast } from './model-runner.ts';

export type Question = InferenceRequest extends infer R ? (R extends unknown ? Omit<R, 'id'> : never) : never;

export interface InferenceJob {
  question: Question;
  /** How long the process may take. */
  timeoutMs: number;
  /** How long the request may wait in the queue; null without a limit. */
  maxWaitMs: number | null;
  /** Reopens a model that an earlier process had open. */
  isReopening: boolean;
  resolve(answer: InferenceAnswer): void;
  reject(error: AppError): void;
}

/** More than models, symbols and exchange codes together: identical requests share one computation. */
const MAX_WAITING = 100;

export class WaitingJobs {
  #jobs: InferenceJob[] = [];
  readonly #limits = new Map<InferenceJob, NodeJS.Timeout>();

  get size(): number {
    return this.#jobs.length;
  }

  /** Rejects the job immediately when the queue is full, or later when it has waited too long. */
  add(job: InferenceJob): void {
    if (this.#jobs.length >= MAX_WAITING) {
      job.reject(unansweredForecast('too many forecasts are waiting'));
      return;
    }
    this.#jobs.push(job);
    if (job.maxWaitMs === null) return;
    const expire = (): void => {
      this.#jobs = this.#jobs.filter((other) => other !== job);
      this.#limits.delete(job);
      job.reject(unansweredForecast('the forecast waited too long'));
    };
    this.#limits.set(job, setTimeout(expire, job.maxWaitMs));
  }

  putFirst(...jobs: InferenceJob[]): void {
    this.#jobs.unshift(...jobs);
  }

  take(): InferenceJob | undefined {
    const job = this.#jobs.shift();
    if (job !== undefined) this.#release(job);
    return job;
  }

  /** Every new process gets its own reopenings. */
  dropReopenings(): void {
    this.#jobs = this.#jobs.filter((job) => !job.isReopening);
  }

  rejectAll(reason: string, cause = ''): void {
    const jobs = this.#jobs;
    this.#jobs = [];
    for (const job of jobs) {
      this.#release(job);
      job.reject(unansweredForecast(reason, cause));
    }
  }

  #release(job: InferenceJob): void {
    clearTimeout(this.#limits.get(job));
    this.#limits.delete(job);
  }
}

/** @param cause  the process's last stderr output */
export function failed(reason: string, cause = ''): AppError {
  return new AppError('forecast/failed', { details: { reason }, cause: causeOf(cause) });
}

/** The same for a request that reached no network. */
export function unansweredForecast(reason: string, cause = ''): UnstartedForecast {
  return new UnstartedForecast(reason, causeOf(cause));
}

function causeOf(text: string): Error | undefined {
  return text === '' ? undefined : new Error(text);
}
