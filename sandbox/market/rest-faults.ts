/** An answer that goes wrong on its way, whatever service gave it. */
import type { ServerResponse } from 'node:http';
import type { DialectAnswer } from './dialect.ts';
import type { RestFault } from './market-faults.ts';
import { withBadValues, withDisorder } from './spoil.ts';

/** What stands in front of many services says when it refuses: a page instead of JSON, with status 200 at times. */
const PAGE =
  '<!DOCTYPE html><html><head><title>Just a moment...</title></head><body>Checking your browser</body></html>';

export function sendAnswer(response: ServerResponse, answer: DialectAnswer): void {
  response.writeHead(answer.status, {
    'content-type': 'application/json;charset=UTF-8',
    'cache-control': 'no-store',
    ...answer.headers,
  });
  response.end(textOf(answer));
}

function textOf({ body, lines = false }: DialectAnswer): string {
  if (typeof body === 'string') return body;
  return lines && Array.isArray(body) ? body.map((row) => `${JSON.stringify(row)}\n`).join('') : JSON.stringify(body);
}

/** @param answer  what the service would have said; not asked where the fault leaves nothing of it */
export function sendBroken(response: ServerResponse, fault: RestFault, answer: () => DialectAnswer): void {
  switch (fault.what) {
    case 'stall':
      // The reader's own time limit ends it, or the market's end.
      return;
    case 'refusal':
      response.socket?.destroy();
      return;
    case 'html':
      sendAnswer(response, { status: 200, body: PAGE, headers: { 'content-type': 'text/html;charset=UTF-8' } });
      return;
    case 'status': {
      const status = fault.status ?? 500;
      const headers = fault.retryAfterS === undefined ? {} : { 'retry-after': String(fault.retryAfterS) };
      sendAnswer(response, { status, body: { message: `fault ${status}` }, headers });
      return;
    }
    case 'cut-off': {
      const whole = answer();
      const text = textOf(whole);
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
  }
}
