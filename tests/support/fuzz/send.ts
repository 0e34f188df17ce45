import { Agent, request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { WAIT_MS } from '../run/wait-limit.ts';

export interface Sent {
  method: string;
  target: string;
  headers: readonly (readonly [string, string])[];
  body: string | null;
}

export interface Answer {
  status: number;
  headers: Readonly<Record<string, string>>;
  /** Latin-1, cut off after a megabyte. */
  body: string;
}

export type Outcome = { answer: Answer } | { failure: string };

export interface Sender {
  send(sent: Sent): Promise<Outcome>;
  /** @returns the bytes received until the server closed, or within two seconds */
  sendRaw(octets: string): Promise<string>;
  close(): void;
}

/** A hanging server, however busy the machine is. */
const TIMEOUT_MS = WAIT_MS;
const MAX_READ = 1024 * 1024;

export function fuzzSender(origin: string): Sender {
  const { hostname, port } = new URL(origin);
  const agent = new Agent({ keepAlive: true, maxSockets: 16 });

  async function send(sent: Sent): Promise<Outcome> {
    return (await sendOn(agent, sent)) ?? (await sendOn(false, sent)) ?? { failure: 'no connection' };
  }

  /** @returns null if the server closed an idle connection just as this request reused it, as it may */
  function sendOn(used: Agent | false, sent: Sent): Promise<Outcome | null> {
    return new Promise((resolve) => {
      const headers: Record<string, string> = {};
      for (const [name, value] of sent.headers) headers[name] = value;
      if (sent.body !== null) headers['content-length'] = String(sent.body.length);
      const timer = setTimeout(() => finish({ failure: `no whole answer within ${TIMEOUT_MS} ms` }), TIMEOUT_MS);
      const request = httpRequest({ agent: used, hostname, port, method: sent.method, path: sent.target, headers });
      let isDone = false;
      function finish(outcome: Outcome | null): void {
        if (isDone) return;
        isDone = true;
        clearTimeout(timer);
        if (outcome === null || 'failure' in outcome) request.destroy();
        resolve(outcome);
      }
      request.on('error', (error) => {
        const isIdleClosed = request.reusedSocket && 'code' in error && error.code === 'ECONNRESET';
        finish(isIdleClosed ? null : { failure: String(error) });
      });
      request.on('response', (response) => {
        const answerWith = (body: string) =>
          finish({
            answer: {
              status: response.statusCode ?? 0,
              headers: Object.fromEntries(
                Object.entries(response.headers).map(([name, value]) => [name, String(value)]),
              ),
              body,
            },
          });
        let text = '';
        const isStream = response.headers['content-type']?.startsWith('text/event-stream') ?? false;
        response.on('error', (error) => finish({ failure: `broken off: ${String(error)}` }));
        response.on('data', (chunk: Buffer) => {
          if (text.length < MAX_READ) text += chunk.toString('latin1');
          // A stream of candles lasts a minute: the beginning is enough.
          if (!isStream) return;
          answerWith(text);
          request.destroy();
        });
        response.on('end', () => answerWith(text));
      });
      request.end(sent.body === null ? undefined : Buffer.from(sent.body, 'latin1'));
    });
  }

  function sendRaw(octets: string): Promise<string> {
    return new Promise((resolve) => {
      const socket = connect(Number(port), hostname);
      let text = '';
      const timer = setTimeout(() => socket.destroy(), 2000);
      socket.on('data', (chunk: Buffer) => {
        text += chunk.toString('latin1');
        // The answer is complete: closing a kept-alive connection is up to us.
        if (text.includes('\r\n\r\n')) setTimeout(() => socket.end(), 20);
      });
      socket.on('error', () => undefined);
      socket.on('close', () => {
        clearTimeout(timer);
        resolve(text);
      });
      socket.write(Buffer.from(octets, 'latin1'));
    });
  }

  return { send, sendRaw, close: () => agent.destroy() };
}
