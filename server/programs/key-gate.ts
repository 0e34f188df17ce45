/** What every request of a program passes first: no key in its address, a valid key, and the limits of its account. */
import type { ReadApiKey } from '#domain/account/api-key.ts';
import { AppError, isAppError } from '#domain/errors/app-error.ts';
import { errorResponse, isOurFault } from '../platform/http/calls/http-errors.ts';
import type { KeyCount, KeyLimits } from './key-limits.ts';

export interface AdmittedCall {
  key: ReadApiKey;
  count: KeyCount;
}

export interface KeyGate {
  /**
   * Answers with the limits in headers, refusals included. Our own faults are left to the app, which logs them.
   * @param cost points of the account's limits
   */
  answer(request: Request, cost: number, work: (call: AdmittedCall) => Promise<Response>): Promise<Response>;
}

export interface KeyGateDeps {
  /** The key of a request. @throws AppError for a missing or an invalid one */
  keyOf(request: Request): Promise<ReadApiKey>;
  limits: KeyLimits;
}

export function keyGate({ keyOf, limits }: KeyGateDeps): KeyGate {
  return {
    async answer(request, cost, work) {
      let count: KeyCount | null = null;
      try {
        refuseKeyInAddress(request.url);
        const key = await keyOf(request);
        count = await limits.count(key.userId, cost);
        return withHeaders(await work({ key, count }), limits.headers(count));
      } catch (error) {
        if (!isAppError(error) || isOurFault(error)) throw error;
        const limitHeaders = count === null ? limits.refusalHeaders(error) : limits.headers(count);
        return withHeaders(errorResponse(error), { ...limitHeaders, 'cache-control': 'no-store' });
      }
    },
  };
}

const KEY_NAME = /^(api[-_]?key|key|(access_)?token|authorization|bearer)$/i;
const KEY = /kat_[A-Za-z0-9]{20}/;

/** @throws AppError `api/key-in-address` for a key anywhere in the URL, or a parameter named like one */
function refuseKeyInAddress(url: string): void {
  const { searchParams } = new URL(url);
  const isNamed = [...searchParams.keys()].some((name) => KEY_NAME.test(name));
  if (isNamed || KEY.test(url) || KEY.test(searchParams.toString())) throw new AppError('api/key-in-address');
}

function withHeaders(response: Response, headers: Record<string, string>): Response {
  for (const [name, value] of Object.entries(headers)) response.headers.set(name, value);
  response.headers.append('vary', 'authorization');
  return response;
}
