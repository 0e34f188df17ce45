/** Profile pictures of the simulated providers' users: each user has one, marked as a sample. */
import type { ServerResponse } from 'node:http';
import { samplePicture } from '../community/sample-picture.ts';
import { answerJson } from './http-answers.ts';
import { accountNumber, type TestPerson } from './test-people.ts';

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
