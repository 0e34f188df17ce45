import { expect, test } from 'vitest';
import { WORK_CLASSES } from '#domain/errors/shed.ts';
import { WORK_RULES, workClassOf } from './work-classes.ts';

const classOf = (line: string) => {
  const [method = '', url = ''] = line.split(' ');
  return workClassOf({ method, url });
};

test.each([
  ['GET /stream-kat2?sym=BTCUSDT.P&ver=2', 'stream'],
  ['POST /auth/v1/signup', 'sign-up'],
  ['POST /auth/v1/token?grant_type=password', 'sign-up'],
  ['POST /auth/v1/token?grant_type=%70assword', 'sign-up'],
  ['POST /auth/v1/token?x=1&grant%5ftype=password', 'sign-up'],
  ['POST /auth/v1/%73ignup', 'sign-up'],
  ['GET /%73tream-kat2?sym=BTCUSDT.P', 'stream'],
  ['GET /%zz', 'page'],
  ['PUT /auth/v1/user', 'sign-up'],
  ['POST /auth/v1/token?grant_type=refresh_token', 'call'],
  ['GET /auth/v1/user', 'call'],
  ['GET /auth/signup', 'page'],
  ['GET /', 'page'],
  ['HEAD /kat?from=mail', 'page'],
  ['GET /index.html', 'page'],
  ['GET /assets/kat-JwAYNGEo.js', 'file'],
  ['GET /favicon.svg?v=2', 'file'],
  ['POST /kat', 'call'],
  ['GET /config.json', 'call'],
  ['GET /rest/v1/news_articles?select=*', 'call'],
  ['POST /functions/v1/get-quota', 'call'],
  ['POST /billing/webhook', 'payment'],
])('classifies %s as %s', (line, name) => {
  expect(classOf(line)).toBe(name);
});

test.each(['GET /healthz', 'GET /readyz', 'GET /metrics'])('never refuses %s', (line) => {
  expect(classOf(line)).toBeNull();
});

test('has a rule for each class, and limits the wait of users to a second, but for files', () => {
  expect(Object.keys(WORK_RULES).toSorted()).toEqual([...WORK_CLASSES].toSorted());
  for (const name of WORK_CLASSES)
    if (name !== 'file' && name !== 'payment') expect(WORK_RULES[name].maxWaitMs).toBeLessThan(1000);
});
