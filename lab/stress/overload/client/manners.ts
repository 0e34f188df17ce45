/** How clients of a load handle a refusal before any work (`x-kat-shed`). */
import { setTimeout as sleep } from 'node:timers/promises';
import { retryDelayMs, SHED_HEADER } from '../../../../domain/errors/shed.ts';

/**
 * - `obeying`: waits as Retry-After says and leaves after the third retry.
 * - `ignoring`: retries immediately, whatever Retry-After says, for half a minute.
 * - `leaving`: closes its connection 0.2 to 1 s after its request, refused or not, and never comes back.
 */
export type Manners = 'obeying' | 'ignoring' | 'leaving';

export interface Refusal {
  /** As the header names it. */
  workClass: string;
  retryAfterS: number | null;
}

export interface Try {
  /** Null: the server admitted it, or failed in another way. */
  refusal: Refusal | null;
}

export const MOST_RETRIES = 3;
const IGNORING_FOR_MS = 30_000;
const LEAVES_AFTER_MS = { least: 200, most: 1000 };

/** @param header  value of a header of the answer; null or undefined: absent */
export function refusalOf(status: number, header: (name: string) => string | null | undefined): Refusal | null {
  const workClass = header(SHED_HEADER) ?? null;
  if (status !== 503 || workClass === null) return null;
  const retryAfter = header('retry-after') ?? null;
  return { workClass, retryAfterS: retryAfter === null ? null : Number(retryAfter) };
}

/** @param head  of an HTTP answer as received, without the empty line */
export function refusalInHead(head: string): Refusal | null {
  const [status = '', ...lines] = head.split('\r\n');
  return refusalOf(Number(status.split(' ')[1]), (name) =>
    lines
      .find((line) => line.toLowerCase().startsWith(`${name}:`))
      ?.slice(name.length + 1)
      .trim(),
  );
}

/**
 * Tries until it is admitted or gives up. With several processes, a refusal is followed immediately by a try at the
 * next process, as a balancer does; only when all have refused does it wait.
 *
 * @param ports  of the processes, the client's own first
 * @param attempt  tries once; `dueMs` is when this try was due, by `performance.now()`
 * @returns the last try; its refusal is not null if the client left
 */
export async function untilAdmitted<T extends Try>(
  { manners, ports, dueMs }: { manners: Manners; ports: readonly number[]; dueMs: number },
  attempt: (port: number, dueMs: number) => Promise<T>,
): Promise<T> {
  let tryDueMs = dueMs;
  for (let round = 0; ; round++) {
    const tried = await eachInTurn(ports, tryDueMs, attempt);
    if (tried.refusal === null || isLastRound(manners, round, dueMs)) return tried;
    if (manners === 'obeying') {
      const waitMs = retryDelayMs(tried.refusal.retryAfterS, Math.random);
      tryDueMs = performance.now() + waitMs;
      await sleep(waitMs);
    } else {
      tryDueMs = performance.now();
    }
  }
}

async function eachInTurn<T extends Try>(
  ports: readonly number[],
  dueMs: number,
  attempt: (port: number, dueMs: number) => Promise<T>,
): Promise<T> {
  const [first = 0, ...others] = ports;
  let tried = await attempt(first, dueMs);
  for (const port of others) {
    if (tried.refusal === null) break;
    tried = await attempt(port, performance.now());
  }
  return tried;
}

function isLastRound(manners: Manners, round: number, dueMs: number): boolean {
  if (manners === 'obeying') return round === MOST_RETRIES;
  return manners === 'leaving' || performance.now() - dueMs > IGNORING_FOR_MS;
}

/** For a client that leaves: milliseconds from its request until it closes the connection. */
export function patienceMs(): number {
  return LEAVES_AFTER_MS.least + Math.random() * (LEAVES_AFTER_MS.most - LEAVES_AFTER_MS.least);
}

/** Ports of the processes for the nth of a crowd, as a balancer would try them, its own first. */
export function portsFrom(ports: readonly number[], nth: number): number[] {
  const from = nth % ports.length;
  return [...ports.slice(from), ...ports.slice(0, from)];
}
