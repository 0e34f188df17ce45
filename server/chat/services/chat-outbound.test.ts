/** The guard of outgoing requests as chats use it: addresses, redirects, large and slow answers, and the secrecy of tokens. */
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import { type GuardedCall, guardedCall } from '../../platform/outbound/guarded-call.ts';
import { publicLookup } from '../../platform/outbound/public-address.ts';
import { ChatNotSent, type ChatSource } from './chat-service.ts';
import { DISCORD_API, discordApi } from './discord-api.ts';
import { TELEGRAM_API, telegramApi } from './telegram-api.ts';

const never = new AbortController().signal;
const TOKEN = `123456:${'secretToken'.repeat(3)}`;
const PICTURE = new Uint8Array(2000);
const SERVICES = ['telegram', 'discord'] as const;
const live: ChatSource = { kind: 'live', token: TOKEN };

async function loopbackServer(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const senderOf = (service: (typeof SERVICES)[number], source: ChatSource, call: GuardedCall) =>
  service === 'telegram' ? telegramApi({ source, call }).send : discordApi({ source, call }).send;

/** Sends with a picture through a service at `url`. @returns how it failed; null if it arrived */
async function failureAt(service: (typeof SERVICES)[number], url: string, timeoutMs = 5000) {
  const guarded = guardedCall({ sandboxUrl: url });
  const call: GuardedCall = (address, request) => guarded(address, { ...request, timeoutMs });
  const send = senderOf(service, { kind: 'sandbox', token: TOKEN, url }, call);
  return failureOf(send({ chatId: '1', text: 'text', picture: PICTURE, nonce: 'n' }, never));
}

async function failureOf(sending: Promise<void>): Promise<ChatNotSent | null> {
  return sending.then(
    () => null,
    (error: unknown) => {
      if (!(error instanceof ChatNotSent)) throw error;
      expect(`${error.message} ${error.stack} ${String(error.cause)}`).not.toContain('secretToken');
      return error;
    },
  );
}

test('lets the services’ addresses through, and looks them up at each call', async () => {
  const names: string[] = [];
  const lookup = publicLookup((name, _options, callback) => {
    names.push(name);
    callback(null, [{ address: '10.0.0.1', family: 4 }]);
  });
  for (const service of SERVICES) {
    const send = senderOf(service, live, guardedCall({ sandboxUrl: null, lookup }));
    const failure = await failureOf(send({ chatId: '1', text: 'text', picture: null, nonce: 'n' }, never));
    expect(failure).toMatchObject({ message: 'private address', failure: 'later' });
  }
  expect(names.map((name) => `https://${name}`)).toEqual([TELEGRAM_API, DISCORD_API]);
});

test.each(SERVICES)(
  'sends nothing to this machine when the name of %s leads here at the second call',
  async (service) => {
    const received = vi.fn();
    const url = await loopbackServer((_, response) => {
      received();
      response.end();
    });
    const answers = ['192.0.43.8', '127.0.0.1'];
    let lookups = 0;
    const lookup = publicLookup((_name, _options, callback) => {
      const address = answers[Math.min(lookups++, 1)] ?? '';
      callback(null, [{ address, family: 4 }]);
    });
    const guarded = guardedCall({ sandboxUrl: null, lookup });
    const send = senderOf(service, live, (address, request) => guarded(address, { ...request, timeoutMs: 300 }));
    const message = { chatId: '1', text: 'text', picture: null, nonce: 'n' };

    expect((await failureOf(send(message, never)))?.message).not.toBe('private address');
    expect((await failureOf(send(message, never)))?.message).toBe('private address');
    expect([lookups, url.startsWith('http://127.0.0.1')]).toEqual([2, true]);
    expect(received).not.toHaveBeenCalled();
  },
);

test.each(SERVICES)('follows no redirect of %s, and lets the message wait', async (service) => {
  const paths: string[] = [];
  const url = await loopbackServer((request, response) => {
    paths.push(request.url ?? '');
    request.resume();
    response.writeHead(302, { location: 'http://169.254.169.254/latest/meta-data/' }).end();
  });

  expect(await failureAt(service, url)).toMatchObject({ message: '302', failure: 'later' });
  expect(paths).toHaveLength(1);
});

test.each(SERVICES)('stops reading megabytes of %s, whatever their status', async (service) => {
  for (const status of [200, 400]) {
    const url = await loopbackServer((request, response) => {
      request.resume();
      response.writeHead(status, { 'content-type': 'application/json' });
      const write = () => {
        while (!response.destroyed) if (!response.write(' '.repeat(65_536))) return void response.once('drain', write);
      };
      write();
    });
    expect(await failureAt(service, url)).toMatchObject({ message: 'too large', failure: 'later' });
  }
});

test.each(SERVICES)('ends a slow answer of %s at the time limit', async (service) => {
  const url = await loopbackServer((request, response) => {
    request.resume();
    response.write('{');
  });

  expect(await failureAt(service, url, 200)).toMatchObject({ message: 'timeout', failure: 'later' });
});

test.each([
  ['telegram', 400, { description: 'Bad Request: chat not found' }, { failure: 'not-found' }],
  [
    'telegram',
    400,
    { description: 'Bad Request: not enough rights to send photos to the chat' },
    { failure: 'blocked' },
  ],
  [
    'telegram',
    400,
    { description: 'Bad Request', parameters: { migrate_to_chat_id: -1009 } },
    { failure: 'moved', movedTo: '-1009' },
  ],
  ['telegram', 400, { description: 'Bad Request: PHOTO_INVALID_DIMENSIONS' }, { failure: 'refused' }],
  ...(
    [
      'TOPIC_CLOSED',
      'TOPIC_DELETED',
      'message thread not found',
      'CHAT_RESTRICTED',
      'CHAT_WRITE_FORBIDDEN',
      'CHAT_SEND_PLAIN_FORBIDDEN',
      'CHAT_ADMIN_REQUIRED',
      'need administrator rights in the channel chat',
      'CHANNEL_PRIVATE',
      'USER_IS_BLOCKED',
    ] as const
  ).map((code) => ['telegram', 400, { description: `Bad Request: ${code}` }, { failure: 'blocked' }] as const),
  ['telegram', 400, { description: 'Bad Request: TOPIC_CLOSED' }, { message: '400 TOPIC_CLOSED' }],
  ['telegram', 400, { description: 'Bad Request: MADE_UP_NOW' }, { failure: 'refused', message: '400 MADE_UP_NOW' }],
  ['telegram', 400, { description: 'Bad Request: see https://a.b/?key=secret' }, { message: '400' }],
  ['telegram', 401, { description: 'Unauthorized' }, { failure: 'token' }],
  ['telegram', 404, { description: 'Not Found' }, { failure: 'token' }],
  ['telegram', 403, { description: 'Forbidden: bot was kicked' }, { failure: 'blocked' }],
  ['telegram', 429, { parameters: { retry_after: 35 } }, { failure: 'later', retryAfterMs: 35_000 }],
  ['telegram', 502, '<html>', { failure: 'later', retryAfterMs: null }],
  ['telegram', 200, { ok: false }, { failure: 'later' }],
  ['discord', 401, { code: 0 }, { failure: 'token' }],
  ['discord', 403, { code: 50_013 }, { failure: 'blocked' }],
  ...([50_007, 50_008, 50_024, 50_083, 160_005] as const).map(
    (code) => ['discord', 400, { code }, { failure: 'blocked', message: `400 ${code}` }] as const,
  ),
  ['discord', 404, { code: 10_003 }, { failure: 'not-found' }],
  ['discord', 400, { code: 50_035 }, { failure: 'refused' }],
  ['discord', 429, { retry_after: 0.65, global: true }, { failure: 'later', retryAfterMs: 650, isGlobal: true }],
  ['discord', 429, { retry_after: 2, global: false }, { failure: 'later', retryAfterMs: 2000, isGlobal: false }],
  ['discord', 429, 'error code: 1015', { failure: 'later', retryAfterMs: 9000 }],
  ['discord', 500, {}, { failure: 'later' }],
] as const)('reports a failure of %s as documented: %d %j', async (service, status, body, failure) => {
  const url = await loopbackServer((request, response) => {
    request.resume();
    const isLimited = status === 429 && typeof body === 'string';
    response.writeHead(status, isLimited ? { 'retry-after': '9' } : {});
    response.end(typeof body === 'string' ? body : JSON.stringify({ ok: false, ...body }));
  });

  expect(await failureAt(service, url)).toMatchObject(failure);
});
