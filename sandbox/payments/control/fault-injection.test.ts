import { createServer } from 'node:http';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { holdsControl } from './control.ts';
import { withFaults } from './fault-injection.ts';
import { openFaults } from './faults.ts';

const TOKEN = 'a token';
const faults = openFaults();
const api = withFaults((_request, response) => response.end('{}'), {
  faults,
  seen: [],
  failing: new WeakSet(),
  isSpared: (request) => holdsControl(request, TOKEN),
});
const server = createServer((request, response) => void api(request, response));
let url = '';

beforeEach(async () => {
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const address = server.address();
  url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/v1/customers`;
});
afterEach(() => new Promise<void>((closed) => void server.close(() => closed())));

test('gives no fault to a call with the control’s token, and uses none up', async () => {
  const statusWith = async (headers: Record<string, string>) => (await fetch(url, { headers })).status;
  faults.add({ method: 'GET', path: '/v1/customers', kind: 'http_503' });

  expect(await statusWith({ 'x-standin-token': TOKEN })).toBe(200);
  expect(await statusWith({ 'x-standin-token': 'another' })).toBe(503);
  expect(await statusWith({})).toBe(200);
});

test('holds back an answer that is due, while a later call is answered', async () => {
  const answered: string[] = [];
  const call = async (name: string) => {
    expect((await fetch(url)).status).toBe(200);
    answered.push(name);
  };
  faults.add({ method: 'GET', path: '/v1/customers', kind: 'late', ms: 300 });

  const first = call('first');
  await vi.waitFor(() => expect(faults.left()).toEqual([]));
  await Promise.all([first, call('second')]);

  expect(answered).toEqual(['second', 'first']);
});
