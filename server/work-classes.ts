/** The class of work of each request, and the limits of each class, by the product's paths. */
import type { IncomingMessage } from 'node:http';
import { routeOf } from '#domain/contract/routes.ts';
import type { WorkClass } from '#domain/errors/shed.ts';
import { isApiPath } from './api-paths.ts';
import { WEBHOOK_PATH } from './billing/provider/payments-source.ts';
import type { ClassRule } from './platform/admission/admission.ts';

/** Longest wait that a user accepts after a click, and for the first candle of a forecast. */
const CLICK_MS = 10_000;
const STREAM_MS = 30_000;
/** The payment provider waits longer for an answer. */
const PROVIDER_MS = 10_000;

/** Pages, sign-ins, forecasts or sockets of a few users. */
const FEW = 8;
/** Calls or files of a few users: five browsers with six connections each have thirty under way. */
const FEW_REQUESTS = 31;

/** `weight` is a share of each turn that other classes cannot use. */
export const WORK_RULES: Readonly<Record<WorkClass, ClassRule>> = {
  call: {
    weight: 20,
    few: FEW_REQUESTS,
    crowd: 32,
    maxExpectedMs: 200,
    maxWaitMs: 350,
    patienceMs: CLICK_MS,
    usesDatabase: true,
  },
  'sign-up': {
    weight: 4,
    few: FEW,
    crowd: 12,
    maxExpectedMs: 2000,
    maxWaitMs: 500,
    patienceMs: CLICK_MS,
    usesDatabase: true,
  },
  stream: {
    weight: 3,
    few: FEW,
    crowd: 12,
    maxExpectedMs: 2000,
    maxWaitMs: 500,
    patienceMs: STREAM_MS,
    usesDatabase: true,
  },
  page: {
    weight: 6,
    few: FEW,
    crowd: 12,
    maxExpectedMs: 200,
    maxWaitMs: 500,
    patienceMs: CLICK_MS,
    usesDatabase: false,
  },
  // Part of an admitted page, which breaks if one of its files is missing.
  file: {
    weight: 8,
    few: FEW_REQUESTS,
    crowd: 32,
    maxExpectedMs: 3000,
    maxWaitMs: Number.POSITIVE_INFINITY,
    patienceMs: CLICK_MS,
    usesDatabase: false,
  },
  // Once open it costs little, since book updates thin out under load; a refused client retries every few seconds.
  socket: {
    weight: 4,
    few: FEW,
    crowd: 12,
    maxExpectedMs: 200,
    maxWaitMs: 300,
    patienceMs: CLICK_MS,
    usesDatabase: false,
  },
  // Waits apart from a crowd of users, because the provider sends a refused event again only minutes or hours later.
  payment: {
    weight: 4,
    few: FEW_REQUESTS,
    crowd: 32,
    maxExpectedMs: PROVIDER_MS,
    maxWaitMs: PROVIDER_MS,
    patienceMs: PROVIDER_MS,
    usesDatabase: true,
  },
};

/** For `DEVELOPMENT=patient`: the same shares, but no wait is too long. */
export const PATIENT_RULES = Object.fromEntries(
  Object.entries(WORK_RULES).map(([name, rule]) => [
    name,
    { ...rule, maxExpectedMs: Number.POSITIVE_INFINITY, maxWaitMs: Number.POSITIVE_INFINITY },
  ]),
) as typeof WORK_RULES;

const EVENTS_OF_PROGRAMS = '/api/v1/events';
const SIGN_UP = '/auth/v1/signup';
const PASSWORD_TOKEN = '/auth/v1/token';
const USER = '/auth/v1/user';

/** @returns null for requests that are never refused */
export function workClassOf({ method = 'GET', url = '/' }: Pick<IncomingMessage, 'method' | 'url'>): WorkClass | null {
  const end = url.indexOf('?');
  const path = decoded(end < 0 ? url : url.slice(0, end));
  const workClass = routeOf(path)?.workClass;
  if (workClass !== undefined) return workClass;
  if (path === WEBHOOK_PATH) return 'payment';
  if (path === EVENTS_OF_PROGRAMS) return 'stream';
  if (path.startsWith('/auth/v1')) return isHashed(method, path, end < 0 ? '' : url.slice(end)) ? 'sign-up' : 'call';
  if (isApiPath(path)) return 'call';
  if (method !== 'GET' && method !== 'HEAD') return 'call';
  return /\.[a-z0-9]+$/i.test(path) && !path.endsWith('.html') ? 'file' : 'page';
}

/** As the router reads it: an encoded letter must not move a request to another class. */
function decoded(path: string): string {
  try {
    return decodeURI(path);
  } catch {
    // The router refuses it later.
    return path;
  }
}

/** True if the request hashes a password. */
function isHashed(method: string, path: string, query: string): boolean {
  if (path === SIGN_UP) return method === 'POST';
  if (path === PASSWORD_TOKEN) return method === 'POST' && new URLSearchParams(query).get('grant_type') === 'password';
  return path === USER && method === 'PUT';
}
