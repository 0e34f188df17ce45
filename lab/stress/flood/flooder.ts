/**
 * Sends one request again and again from one address, over as many connections as given, each immediately after its
 * answer or refusal. It starts and stops by message, and answers a stop with the counts by status.
 */
import http from 'node:http';
import { parseArgs } from 'node:util';
import { FLOODS } from './floods.ts';

/** Reserved for documentation (RFC 5737). */
const ADDRESS = '203.0.113.200';

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '' },
    flood: { type: 'string', default: '' },
    connections: { type: 'string', default: '' },
    key: { type: 'string', default: '' },
  },
});
const { method = 'GET', path, headers = {}, body } = FLOODS[values.flood] ?? {};
if (path === undefined) throw new Error(`no such flood: ${values.flood}`);
const isSocket = 'upgrade' in headers;
const agent = isSocket ? false : new http.Agent({ keepAlive: true, maxSockets: Number(values.connections) });
const counts: Record<string, number> = {};
let isOver = false;

function count(outcome: string): void {
  counts[outcome] = (counts[outcome] ?? 0) + 1;
}

function send(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const end = (outcome: string): void => {
    count(outcome);
    resolve();
  };
  const request = http.request({
    host: '127.0.0.1',
    port: Number(values.port),
    agent,
    method,
    path,
    headers: { ...headers, apikey: values.key, 'x-forwarded-for': ADDRESS },
  });
  request.on('response', (response) => {
    response.resume();
    response.on('end', () => end(String(response.statusCode)));
    response.on('error', () => end('cut'));
  });
  request.on('upgrade', (_response, socket) => {
    socket.destroy();
    end('101');
  });
  request.on('error', () => end('failed'));
  request.end(body);
  return promise;
}

async function sendAgainAndAgain(): Promise<void> {
  while (!isOver) await send();
}

for (let i = 0; i < Number(values.connections); i++) void sendAgainAndAgain();

process.on('message', () => {
  isOver = true;
  process.send?.(counts);
  process.exit(0);
});
