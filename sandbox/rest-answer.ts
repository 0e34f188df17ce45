import type { ServerResponse } from 'node:http';

export interface RestAnswer {
  status: number;
  /** Sent as JSON; strings and bytes are sent unchanged. */
  body: unknown;
  /** True: the body is a list, sent as one JSON value per line. */
  lines?: boolean;
  headers?: Readonly<Record<string, string>>;
}

export function sendAnswer(response: ServerResponse, answer: RestAnswer): void {
  response.writeHead(answer.status, {
    'content-type': 'application/json;charset=UTF-8',
    'cache-control': 'no-store',
    ...answer.headers,
  });
  response.end(Buffer.isBuffer(answer.body) ? answer.body : textOf(answer));
}

export function textOf({ body, lines = false }: RestAnswer): string {
  if (typeof body === 'string') return body;
  return lines && Array.isArray(body) ? body.map((row) => `${JSON.stringify(row)}\n`).join('') : JSON.stringify(body);
}
