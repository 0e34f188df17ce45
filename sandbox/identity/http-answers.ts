import type { IncomingMessage, ServerResponse } from 'node:http';
import { samplePicture } from '../community/sample-picture.ts';
import { accountNumber, type TestPerson } from './test-people.ts';

const MAX_FORM_BYTES = 16 * 1024;

export async function readForm(request: IncomingMessage): Promise<URLSearchParams> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    const bytes = Buffer.from(chunk);
    size += bytes.byteLength;
    if (size > MAX_FORM_BYTES) throw new Error('The form is too large.');
    chunks.push(bytes);
  }
  return new URLSearchParams(Buffer.concat(chunks).toString('utf8'));
}

export function answerPage(response: ServerResponse, status: number, html: string): void {
  response
    .writeHead(status, {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'content-security-policy':
        "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'",
      'referrer-policy': 'no-referrer',
    })
    .end(html);
}

export function answerJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' }).end(JSON.stringify(body));
}

export function answerRedirect(response: ServerResponse, location: string): void {
  response.writeHead(302, { location, 'cache-control': 'no-store' }).end();
}

/** First segment of their paths. */
export const PICTURES = 'pictures';

/** @param role  any address of the same sandbox */
export function pictureAddress(role: string, person: TestPerson): string {
  return new URL(`/${PICTURES}/${accountNumber(person)}.png`, role).href;
}

/** @param path  `/pictures/<number>.png` */
export function answerPicture(response: ServerResponse, path: string): void {
  const number = /^\/pictures\/(\d{1,10})\.png$/.exec(path)?.[1];
  if (number === undefined) answerJson(response, 404, { error: 'not_found' });
  else response.writeHead(200, { 'content-type': 'image/png' }).end(samplePicture(Number(number)));
}
