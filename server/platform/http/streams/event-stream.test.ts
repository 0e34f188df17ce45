import { setTimeout as wait } from 'node:timers/promises';
import pino from 'pino';
import { expect, test } from 'vitest';
import { AppError } from '#domain/errors/app-error.ts';
import { encodeEvent, eventStream, type ServerEvent } from './event-stream.ts';

const log = pino({ level: 'silent' });
const get = (signal?: AbortSignal) => new Request('http://kat.test/stream', signal ? { signal } : {});

test('encodes an event as its name, its id and one line of JSON', () => {
  expect(encodeEvent({ event: 'start', id: 'a:0', data: { text: 'one\ntwo' } })).toBe(
    'event: start\nid: a:0\ndata: {"text":"one\\ntwo"}\n\n',
  );
  expect(encodeEvent({ data: 1 })).toBe('data: 1\n\n');
});

test('answers with an event stream that proxies neither store nor buffer', async () => {
  const response = eventStream(get(), () => events(2), { log });

  expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
  expect(response.headers.get('cache-control')).toBe('no-store');
  expect(response.headers.get('x-accel-buffering')).toBe('no');
  expect(await response.text()).toBe('data: 0\n\ndata: 1\n\n');
});

test('ends the stream with the code of a refusal, and with no details of a bug', async () => {
  async function* failing(error: Error): AsyncGenerator<ServerEvent> {
    yield { data: 0 };
    throw error;
  }

  const refused = await eventStream(get(), () => failing(new AppError('venue/unavailable')), { log }).text();
  const broken = await eventStream(get(), () => failing(new Error('secret')), { log }).text();

  expect(refused).toContain('"code":"venue/unavailable"');
  expect(broken).toContain('"code":"internal"');
  expect(broken).not.toContain('secret');
});

test('aborts the events when the reader disconnects, and lets them clean up', async () => {
  let isCleanedUp = false;
  async function* endless(signal: AbortSignal): AsyncGenerator<ServerEvent> {
    try {
      for (let i = 0; !signal.aborted; i++) {
        await wait(1);
        yield { data: i };
      }
    } finally {
      isCleanedUp = true;
    }
  }
  const reader = eventStream(get(), endless, { log }).body?.getReader();
  await reader?.read();

  await reader?.cancel();

  await expect.poll(() => isCleanedUp).toBe(true);
});

test('ends a stream when the server stops', async () => {
  const stopping = new AbortController();
  async function* waiting(signal: AbortSignal): AsyncGenerator<ServerEvent> {
    yield { data: 0 };
    await new Promise((resolve) => signal.addEventListener('abort', resolve));
  }
  const response = eventStream(get(), waiting, { log, stopping: stopping.signal });

  setTimeout(() => stopping.abort(), 10);

  expect(await response.text()).toMatch(/^data: 0\n\n: [^\n]+\nretry: \d+\n\n$/);
});

test('sends heartbeats as comments, which readers ignore', async () => {
  async function* late(): AsyncGenerator<ServerEvent> {
    await wait(60);
    yield { data: 'late' };
  }

  const text = await eventStream(get(), late, { log, heartbeatMs: 20 }).text();

  expect(text).toMatch(/^(: still here\n\n)+data: "late"\n\n$/);
});

test('makes events wait for a slow reader below the limit, and drops a stalled one', async () => {
  let count = 0;
  let isCleanedUp = false;
  async function* large(): AsyncGenerator<ServerEvent> {
    try {
      for (; count < 1000; count++) yield { data: 'x'.repeat(1000) };
    } finally {
      isCleanedUp = true;
    }
  }

  const reader = eventStream(get(), large, { log, ceilingBytes: 8000, stallMs: 50 }).body?.getReader();

  await expect.poll(() => isCleanedUp).toBe(true);
  expect(count).toBeLessThan(10);
  await expect(reader?.read()).rejects.toThrow('stalled');
});

test('sends a slow reader every event in order', async () => {
  const reader = eventStream(get(), () => events(300), { log, ceilingBytes: 64 }).body?.getReader();
  let text = '';

  for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) {
    text += new TextDecoder().decode(part.value);
    if (text.length % 7 === 0) await wait(1);
  }

  expect(text).toBe(Array.from({ length: 300 }, (_, i) => `data: ${i}\n\n`).join(''));
});

async function* events(count: number): AsyncGenerator<ServerEvent> {
  for (let i = 0; i < count; i++) yield { data: i };
}
