/**
 * What open readers of /api/v1/events cost the server: memory and processor time of its process without readers, with 100
 * and with 1,000, while records are issued every few seconds. Readers run in this process, the server in a child.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { processorMs, residentMib } from '../../tests/support/run/process-figures.ts';
import type { ReaderServer } from './event-readers-server.ts';

const { values } = parseArgs({
  options: { readers: { type: 'string', default: '0,100,1000' }, seconds: { type: 'string', default: '30' } },
});
const STREAMS_A_KEY = 3;
const ISSUE_EVERY_MS = 5000;

const counts = values.readers.split(',').map(Number);
const child = fork(
  new URL('./event-readers-server.ts', import.meta.url),
  [String(Math.ceil(Math.max(...counts) / STREAMS_A_KEY))],
  { execArgv: ['--expose-gc'] },
);
const [{ url, keys }] = (await once(child, 'message')) as [ReaderServer];
const pid = child.pid ?? 0;
const agent = new Agent({ maxSockets: Number.POSITIVE_INFINITY });
let received = 0;
let open = 0;

function read(key: string): void {
  const call = request(
    new URL('/api/v1/events', url),
    { agent, headers: { authorization: `Bearer ${key}` } },
    (answer) => {
      if (answer.statusCode !== 200) throw new Error(`refused with ${answer.statusCode}`);
      open += 1;
      answer.on('data', (part) => {
        received += String(part).split('event: forecast-issued').length - 1;
      });
    },
  );
  call.on('error', () => undefined);
  call.end();
}

/** Memory of the server's process that is in use, after a collection of what is not. */
async function usedMib(): Promise<number> {
  const answered = once(child, 'message');
  child.send('memory');
  const [bytes] = (await answered) as [number];
  return Math.round((bytes / 1024 / 1024) * 10) / 10;
}

const table: object[] = [];
try {
  for (const count of counts) {
    while (open < count) {
      const before = open;
      for (let i = before; i < Math.min(count, before + 20); i++) read(keys[Math.floor(i / STREAMS_A_KEY)] ?? '');
      for (let i = 0; open < Math.min(count, before + 20) && i < 500; i++) await sleep(20);
    }
    await sleep(5000);
    const [fromMs, atMs, seen] = [processorMs(pid), performance.now(), received];
    let issued = 0;
    for (; performance.now() - atMs < Number(values.seconds) * 1000; await sleep(ISSUE_EVERY_MS)) {
      child.send('issue');
      issued += 3;
    }
    const usedMs = processorMs(pid) - fromMs;
    table.push({
      readers: count,
      usedMib: await usedMib(),
      residentMib: Math.round(residentMib(pid)),
      processorShare: `${((100 * usedMs) / (performance.now() - atMs)).toFixed(1)} % of one core`,
      eventsReceived: received - seen,
      eventsExpected: issued * count,
    });
  }
  console.log(JSON.stringify(table, null, 2));
} finally {
  agent.destroy();
  child.kill();
}
