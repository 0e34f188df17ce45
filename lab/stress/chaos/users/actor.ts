/** A user who acts at random, one act after the other, until the run stops them. */
import type { Random } from '../../../../server/forecast/paths/random.ts';
import { weighted } from '../../../../tests/support/billing-model/person.ts';
import type { Answered, Recorder } from '../history/recorder.ts';
import { describeAnswer, isTaken, type Site, type SiteAnswer } from './site.ts';

export interface ActorContext {
  site: Site;
  recorder: Recorder;
  random: Random;
  /** Aborted when users stop. */
  signal: AbortSignal;
}

/** An act with its weight. */
export type Act = readonly [number, () => Promise<unknown>];

const PAUSE_MS = 900;

/** Acts until the signal; the last act is completed. */
export async function actUntilStopped({ random, signal }: ActorContext, acts: readonly Act[]): Promise<void> {
  while (!signal.aborted) {
    await weighted(random, acts)();
    await pause(random() * PAUSE_MS, signal);
  }
}

export async function pause(ms: number, signal?: AbortSignal): Promise<void> {
  await new Promise<void>((wake) => {
    const timer = setTimeout(wake, ms);
    const end = (): void => {
      clearTimeout(timer);
      wake();
    };
    if (signal?.aborted === true) end();
    signal?.addEventListener('abort', end, { once: true });
  });
}

/** Any answer as an outcome: 4xx is a refusal; no answer and 5xx leave open what was done, unless load was shed. */
export function toAnswered(response: SiteAnswer, answer: Answered['answer'] = {}): Answered {
  if (isTaken(response)) return { outcome: 'ok', answer: answer ?? {} };
  const { status, headers, body } = response;
  const note = `${describeAnswer(response)} ${codeOf(body)}`.trim();
  const isRefused = (status >= 400 && status < 500) || headers.has('x-kat-shed');
  return { outcome: isRefused ? 'refused' : 'maybe', note };
}

function codeOf(body: unknown): string {
  const code = typeof body === 'object' && body !== null && 'code' in body ? body.code : '';
  return typeof code === 'string' ? code : '';
}
