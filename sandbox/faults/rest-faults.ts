/** An answer that goes wrong on its way, whatever service gave it. */
import type { ServerResponse } from 'node:http';
import { type RestAnswer, sendAnswer, textOf } from '../rest-answer.ts';
import type { RestFault } from './faults.ts';
import { withHostileTexts } from './hostile-texts.ts';
import { withBadValues, withDisorder } from './spoil.ts';

/** What stands in front of many services says when it refuses: a page instead of JSON, with status 200 at times. */
const PAGE =
  '<!DOCTYPE html><html><head><title>Just a moment...</title></head><body>Checking your browser</body></html>';
const DELAY_MS = 3000;

/**
 * @param answer  what the service would have said; not asked where the fault leaves nothing of it
 * @param refusal  the service's own words for a status
 */
export function sendBroken(
  response: ServerResponse,
  fault: RestFault,
  answer: () => RestAnswer,
  refusal: (status: number, retryAfterS: number | null) => unknown = (status) => ({ message: `fault ${status}` }),
): void {
  switch (fault.what) {
    case 'stall':
      // The reader's own time limit ends it, or the sandbox's end.
      return;
    case 'slow':
      // Nobody may be there any more: then it is not sent.
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
      sendAnswer(response, { ...whole, body: text.slice(0, Math.ceil(text.length / 2)) });
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
