import type { ServerResponse } from 'node:http';
import { type RestAnswer, sendAnswer, textOf } from '../rest-answer.ts';
import { withBadValues, withDisorder } from './corrupt-rows.ts';
import type { RestFault } from './faults.ts';
import { withHostileTexts } from './hostile-texts.ts';

/** The page that a service's CDN sends instead of JSON when it refuses, sometimes with status 200. */
const PAGE =
  '<!DOCTYPE html><html><head><title>Just a moment...</title></head><body>Checking your browser</body></html>';
const DELAY_MS = 3000;

/** @param answer  not called if the fault replaces it @param refusal  the service's own body for a status */
export function sendBroken(
  response: ServerResponse,
  fault: RestFault,
  answer: () => RestAnswer,
  refusal: (status: number, retryAfterS: number | null) => unknown = (status) => ({ message: `fault ${status}` }),
): void {
  switch (fault.what) {
    case 'stall':
      // Ends with the client's time limit, or with the sandbox.
      return;
    case 'slow':
      // Sends nothing if the client has disconnected.
      setTimeout(() => response.destroyed || sendAnswer(response, answer()), fault.delayMs ?? DELAY_MS).unref();
      return;
    case 'refusal':
      response.socket?.destroy();
      return;
    case 'html':
      sendAnswer(response, { status: 200, body: PAGE, headers: { 'content-type': 'text/html;charset=UTF-8' } });
      return;
    case 'empty':
      sendAnswer(response, { status: 200, body: '' });
      return;
    case 'status': {
      const status = fault.status ?? 500;
      const headers = fault.retryAfterS === undefined ? {} : { 'retry-after': String(fault.retryAfterS) };
      sendAnswer(response, { status, body: refusal(status, fault.retryAfterS ?? null), headers });
      return;
    }
    case 'cut-off': {
      const whole = answer();
      const text = Buffer.isBuffer(whole.body) ? whole.body : textOf(whole);
      sendAnswer(response, { ...whole, body: firstHalf(text) });
      return;
    }
    case 'values': {
      const whole = answer();
      sendAnswer(response, { ...whole, body: withBadValues(whole.body, fault.value ?? 'NaN') });
      return;
    }
    case 'disorder': {
      const whole = answer();
      sendAnswer(response, { ...whole, body: withDisorder(whole.body) });
      return;
    }
    case 'hostile': {
      const whole = answer();
      sendAnswer(response, { ...whole, body: withHostileTexts(whole.body) });
      return;
    }
  }
}

/** Ends within a JSON value: a list of lines that ends after a line would be whole. */
function firstHalf(whole: string | Buffer): string | Buffer {
  const half = whole.slice(0, Math.ceil(whole.length / 2));
  return typeof half === 'string' ? half.replace(/\}?\n?$/, '') : half;
}
