/** One outside service of the community, simulated by the sandbox. Each has its own base address, `/<name>`. */
import type { IncomingMessage } from 'node:http';
import type { RestAnswer } from '../rest-answer.ts';

export interface ServiceRequest {
  /** Without base address and query: `/youtube/v3/channels`. */
  path: string;
  /** As sent, with its leading ?, empty without one: some services check its encoding. */
  search: string;
  query: URLSearchParams;
  headers: IncomingMessage['headers'];
  nowMs: number;
}

export interface CommunityService {
  /** First segment of its base address, and its name in fault settings. */
  readonly name: string;
  answer(request: ServiceRequest): RestAnswer;
  /** The service's body for a status set by a fault; absent: it has none in particular. */
  refusal?(status: number, retryAfterS: number | null): unknown;
}

/** Counts grow evenly from this time; before it they are constant. */
const COUNTED_FROM_MS = Date.UTC(2026, 0, 1);
const DAY_MS = 86_400_000;

/** A count that grows slowly with the clock: the same at the same time, in every sandbox. */
export function countAt(nowMs: number, start: number, perDay: number): number {
  return Math.floor(start + (Math.max(0, nowMs - COUNTED_FROM_MS) / DAY_MS) * perDay);
}
