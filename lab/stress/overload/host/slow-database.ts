/**
 * Simulates a distant database: a TCP proxy between the server and PostgreSQL, in a separate process. Each answer is
 * delayed by the time that its parent last set; requests pass immediately.
 */
import { connect, createServer } from 'node:net';
import { answerFigures, crowdOptions } from '../../crowds/crowd-messages.ts';

export interface SlowDatabaseOptions {
  host: string;
  port: number;
}

export interface SlowDatabaseRates {
  delayMs: number;
}

const target = await crowdOptions<SlowDatabaseOptions>();
let delayMs = 0;
let answers = 0;

const server = createServer((client) => {
  const database = connect(target.port, target.host);
  const later = inOrder();
  for (const socket of [client, database]) socket.setNoDelay(true);
  client.pipe(database);
  database.on('data', (chunk) => {
    answers += 1;
    later(() => client.write(chunk));
  });
  database.on('close', () => later(() => client.destroy()));
  client.on('close', () => database.destroy());
  for (const socket of [client, database]) socket.on('error', () => socket.destroy());
});

/** Keeps a connection's answers in order, even if the delay becomes shorter meanwhile. */
function inOrder(): (work: () => void) => void {
  const queue: { atMs: number; work: () => void }[] = [];
  function arm(): void {
    setTimeout(
      () => {
        for (let next = queue[0]; next !== undefined && next.atMs <= performance.now(); next = queue[0]) {
          queue.shift();
          next.work();
        }
        if (queue.length > 0) arm();
      },
      Math.max(0, (queue[0]?.atMs ?? 0) - performance.now()),
    );
  }
  return (work) => {
    if (delayMs === 0 && queue.length === 0) return work();
    queue.push({ atMs: Math.max(performance.now() + delayMs, queue.at(-1)?.atMs ?? 0), work });
    if (queue.length === 1) arm();
  };
}

answerFigures<SlowDatabaseRates>(
  () => {
    const figures = { times: {}, counts: { answers }, failures: {} };
    answers = 0;
    return figures;
  },
  (rates) => {
    delayMs = rates.delayMs;
  },
);
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  process.send?.({ port: typeof address === 'object' ? address?.port : 0 });
});
