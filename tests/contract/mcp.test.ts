/** The MCP server with the official client: every tool in both generations of the protocol, plans, and refusals. */
import { Socket } from 'node:net';
import type { Client } from '@modelcontextprotocol/client';
import { expect, test, vi } from 'vitest';
import * as z from 'zod/mini';
import { requestUnderName } from '../../sandbox/testing/request-under-name.ts';
import { asOwner } from '../../server/platform/database/database.ts';
import { HOSTILE_URLS, LOCAL_URLS } from '../../server/platform/outbound/testing/hostile-addresses.ts';
import { forecastByIdSchema, latestForecastSchema } from '../../server/programs/readings/forecast-shapes.ts';
import { insertRecords, makeRecords } from '../../server/record/testing/record-fixtures.ts';
import { describeOneDatabase } from '../support/database/each-database.ts';
import { openedForTests } from '../support/run/opened-for-tests.ts';
import { savePrediction } from './support/data/read-api.ts';
import { untilWindowLasts } from './support/market/clock-window.ts';
import { mcpClient, openProgramWorld, type Program } from './support/services/programs.ts';

const textSchema = z.object({ content: z.tuple([z.object({ type: z.literal('text'), text: z.string() })]) });
const BTC = 'BTCUSDT.P';

describeOneDatabase('the MCP server', (kind) => {
  const world = openedForTests(openWorld);
  const url = () => world().server.url;

  /** Public records of the market that runs here, the first of them revealed; Ada saved one prediction. */
  async function openWorld() {
    const opened = await openProgramWorld(kind);
    await insertRecords(opened.database, makeRecords({ slots: 1, market: 'simulated', syms: [BTC] }));
    const [ada, bob] = [await opened.program('lion'), await opened.program('lion')];
    const saved = await savePrediction(opened.database, { userId: ada.userId });
    await asOwner(opened.database).query(
      `insert into public.watched_pairs (user_id, sym, timeframe, place)
       values ($1::text::uuid, 'SOLUSDT.P', '5min', 1), ($1::text::uuid, 'MSFT', '1min', 2)`,
      [ada.userId],
    );
    return { ...opened, ada, bob, saved };
  }

  async function withClient<T>(program: Program, use: (client: Client) => Promise<T>, mode?: 'auto' | 'legacy') {
    const client = await mcpClient(url(), program.key, mode === undefined ? {} : { mode });
    try {
      return await use(client);
    } finally {
      await client.close();
    }
  }

  const call = async (program: Program, name: string, input: Record<string, unknown> = {}) => {
    const answer = await withClient(program, (client) => client.callTool({ name, arguments: input }));
    return {
      isError: answer.isError === true,
      text: textSchema.parse(answer).content[0].text,
      data: answer.structuredContent,
    };
  };

  /** A request that no client helped to write. */
  const post = (key: string | null, body: string, headers: Record<string, string> = {}) =>
    fetch(`${url()}/mcp`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...(key !== null && { authorization: `Bearer ${key}` }),
        ...headers,
      },
      body,
    });
  const message = (method: string, params: object = {}) => JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  const listTools = message('tools/list');

  const CALLS: [string, () => Record<string, unknown>][] = [
    ['list_markets', () => ({ query: 'BTC', limit: 3 })],
    ['get_latest_forecast', () => ({})],
    ['get_chances', () => ({ kind: 'window', minutes: 15 })],
    ['explain_band', () => ({ bar: 12 })],
    ['get_forecast', () => ({ id: '1' })],
    ['get_track_record', () => ({ period: '30d' })],
    ['list_my_predictions', () => ({ limit: 2 })],
    ['list_my_watchlist', () => ({})],
  ];

  test('lists tools that only read, each with the limits of its numbers', async () => {
    const { tools } = await withClient(world().ada, (client) => client.listTools());

    expect(tools.map(({ name }) => name)).toEqual(CALLS.map(([name]) => name));
    for (const { name, description, annotations, inputSchema, outputSchema } of tools) {
      expect([name, annotations]).toMatchObject([name, { readOnlyHint: true, destructiveHint: false }]);
      expect([name, description]).toEqual([
        name,
        expect.stringMatching(/no advice|no recommendation|nothing about what to trade/),
      ]);
      expect([name, inputSchema.additionalProperties, outputSchema?.type]).toEqual([name, false, 'object']);
    }
  });

  test.each(['auto', 'legacy'] as const)(
    'answers every tool as it describes, to a client of the protocol "%s"',
    async (mode) => {
      const { ada } = world();
      await untilWindowLasts(15);
      await withClient(
        ada,
        async (client) => {
          // The client checks each answer against the tool's own schema.
          await client.listTools();
          for (const [name, input] of CALLS) {
            const answer = await client.callTool({ name, arguments: input() });
            expect([name, answer.isError ?? false, textSchema.parse(answer).content[0].text]).toEqual([
              name,
              false,
              JSON.stringify(answer.structuredContent),
            ]);
          }
        },
        mode,
      );
    },
  );

  test('returns the public forecast to every plan, with bands that widen around the last close', async () => {
    const free = await world().program('free');
    const { data } = await call(free, 'get_latest_forecast');
    const { bands, lastClose, ...shown } = latestForecastSchema.parse(data);

    expect(shown).toMatchObject({
      symbol: BTC,
      model: 'bobcat',
      timeframe: '1min',
      access: 'public',
      market: 'simulated',
    });
    expect(bands.map(({ bar }) => bar)).toEqual([1, 2, 3, 5, 10, 15, 20, 30, 40, 50]);
    for (const { lower80, upper80, lower95, upper95 } of bands)
      expect([lower95, lower80, lastClose, upper80, upper95].toSorted((a, b) => a - b)).toEqual([
        ...[lower95, lower80, lastClose, upper80, upper95],
      ]);
    const { text, data: explained } = await call(free, 'explain_band', { bar: 15 });
    expect(text).toContain('with a probability of 80%');
    expect(explained).toMatchObject({ bar: 15, measured: null, upper80: bands.find(({ bar }) => bar === 15)?.upper80 });
  });

  test('answers every kind of chance with its baseline, and refuses one that has none with the reason', async () => {
    const free = await world().program('free');
    const { data: shown } = await call(free, 'get_latest_forecast');
    const { lastClose } = latestForecastSchema.parse(shown);
    const [near, far] = [Math.round(lastClose * 1.001), Math.round(lastClose * 0.999)];
    for (const input of [
      { kind: 'above', price: near, bar: 20 },
      { kind: 'below', price: near, bar: 20 },
      { kind: 'touch', price: Math.round(lastClose * 1.02), bar: 50 },
      { kind: 'outside', lower: far, upper: near, bar: 30 },
      { kind: 'first', target: Math.round(lastClose * 1.02), stop: Math.round(lastClose * 0.98), bar: 50 },
    ]) {
      const { data, text } = await call(free, 'get_chances', input);
      const { chance, baseline } = z.looseObject({ chance: z.number(), baseline: z.number() }).parse(data);
      expect([input.kind, chance > 0 && chance < 1, baseline > 0 && baseline < 1]).toEqual([input.kind, true, true]);
      expect(text).toContain('A simple random walk gives');
    }
    const refused = async (program: Program, input: Record<string, unknown>) =>
      (await call(program, 'get_chances', input)).text;
    expect(await refused(free, { kind: 'above', price: lastClose * 10_000_000, bar: 5 })).toContain('price-too-far');
    expect(await refused(free, { kind: 'above', bar: 5 })).toContain('parameter: price, problem: missing');
    expect(await refused(free, { kind: 'window', minutes: 5, bar: 1 })).toContain('parameter: bar, problem: unknown');
    expect(await refused(free, { kind: 'above', price: -1, bar: 5 })).toContain('Invalid arguments');
    expect(await refused(free, { kind: 'above', symbol: 'ETHUSDT.P', price: 3000, bar: 5 })).toContain(
      '(forecast/model-locked)',
    );
  });

  test('opens no forecast that the plan or the site has not opened, and uses up no prediction', async () => {
    const [free, bobcat, lion, admin] = await Promise.all(
      (['free', 'bobcat', 'lion', 'admin'] as const).map((plan) => world().program(plan)),
    );
    if (!free || !bobcat || !lion || !admin) throw new Error('no users');
    const eth = { symbol: 'ETHUSDT.P', model: 'bobcat' };
    const refused = async (program: Program, input: Record<string, unknown>) =>
      (await call(program, 'get_latest_forecast', input)).text;

    expect(await refused(free, eth)).toContain('(forecast/model-locked)');
    expect(await refused(bobcat, { ...eth, model: 'lion' })).toContain('(forecast/model-locked)');
    expect(await refused(bobcat, eth)).toContain('(forecast/not-opened; symbol: ETHUSDT.P, model: bobcat)');
    expect(await refused(lion, { model: 'lion', timeframe: '5min' })).toContain('(forecast/not-opened');
    expect((await call(admin, 'get_latest_forecast', eth)).data).toMatchObject({
      access: 'admin',
      symbol: 'ETHUSDT.P',
    });
    const spent = await asOwner(world().database).query('select 1 from private.prediction_reservations');
    expect(spent).toEqual([]);

    const band = Object.fromEntries(
      ['lower80', 'upper80', 'lower95', 'upper95'].map((edge) => [edge, Array(50).fill(2)]),
    );
    const id = await savePrediction(world().database, {
      userId: bobcat.userId,
      coin: 'ETH',
      savedAt: new Date().toISOString(),
    });
    await asOwner(world().database).query(
      'update public.user_predictions set band = $2::text::jsonb where id = $1::text::uuid',
      [id, JSON.stringify(band)],
    );
    const opened = await call(bobcat, 'get_latest_forecast', eth);
    expect(opened.data).toMatchObject({ access: 'opened', symbol: 'ETHUSDT.P', lastClose: 2, bands: { length: 10 } });
    expect(await refused(lion, eth)).toContain('(forecast/not-opened');
  });

  test("returns the owner's predictions and watchlist, and never another user's by any id", async () => {
    const { ada, bob, saved } = world();

    expect((await call(ada, 'list_my_predictions')).data).toMatchObject({
      predictions: [{ id: saved, owner: 'you' }],
      next: null,
    });
    expect((await call(ada, 'list_my_watchlist')).data).toEqual({
      pairs: [
        { sym: 'SOLUSDT.P', timeframe: '5min' },
        { sym: 'MSFT', timeframe: '1min' },
      ],
    });
    expect((await call(bob, 'list_my_predictions')).data).toEqual({ predictions: [], next: null });
    expect((await call(bob, 'list_my_watchlist')).data).toEqual({ pairs: [] });
    const unknown = '00000000-0000-4000-8000-000000000000';
    const [foreign, missing] = [
      await call(bob, 'get_forecast', { id: saved }),
      await call(bob, 'get_forecast', { id: unknown }),
    ];
    expect([foreign.isError, foreign.text]).toEqual([true, missing.text]);
    expect((await call(ada, 'get_forecast', { id: saved })).data).toMatchObject({
      id: saved,
      owner: 'you',
      // The server's own job may have judged it meanwhile.
      state: expect.stringMatching(/waiting|void/),
    });
  });

  test('returns a record with its bands, and of a sealed one only what is public', async () => {
    const { ada, database } = world();
    const [first] = makeRecords({ slots: 1, market: 'simulated', syms: [BTC] }).bodies;
    const { data } = await call(ada, 'get_forecast', { id: '1' });
    const found = forecastByIdSchema.parse(data);

    expect(found).toMatchObject({
      id: '1',
      owner: 'house',
      // The server's own job may have judged it meanwhile.
      state: expect.stringMatching(/waiting|void/),
      symbol: BTC,
      lastClose: Number(first?.close),
    });
    expect(found.bands.map(({ bar }) => bar)).toEqual([1, 5, 15, 30, 50]);
    for (const { lower80, upper80 } of found.bands)
      expect((lower80 * upper80) / (found.lastClose ?? 0) ** 2).toBeCloseTo(1, 6);

    const [last] = await asOwner(database).query<{ seq: number; hash: string }>(
      "select seq, encode(hash, 'hex') as hash from private.track_records order by seq desc limit 1",
    );
    const running = makeRecords({
      syms: [BTC],
      models: ['lion'],
      market: 'simulated',
      after: { seq: last?.seq ?? 0, hash: last?.hash ?? '' },
      firstSlotS: Math.floor(Date.now() / 300_000) * 300,
    });
    await insertRecords(database, running);
    const sealed = await call(ada, 'get_forecast', { id: String(running.bodies[0]?.seq) });
    expect(sealed.data).toMatchObject({
      state: 'sealed',
      bands: [],
      outcome: [],
      lastClose: null,
      hash: running.hashes[0],
    });
    expect(sealed.text).not.toContain(running.bodies[0]?.close);
    expect((await call(ada, 'get_forecast', { id: '999999' })).text).toContain('(request/not-found');
  });

  test.each([
    ['get_latest_forecast', { symbol: 'btc/usd' }, 'symbol'],
    ['get_latest_forecast', { model: 'tiger' }, 'model'],
    ['get_latest_forecast', { direction: 'up' }, 'direction'],
    ['explain_band', { bar: 51 }, 'bar'],
    ['explain_band', { bar: '5' }, 'bar'],
    ['get_forecast', {}, 'id'],
    ['get_forecast', { id: "1' or true" }, 'id'],
    ['list_markets', { query: 'x'.repeat(41) }, 'query'],
    ['list_my_predictions', { cursor: '1' }, 'cursor'],
    ['list_my_predictions', { user_id: '1' }, 'user_id'],
  ])('refuses %s with %o and names the parameter', async (name, input, parameter) => {
    const { isError, text } = await call(world().ada, name, input);

    expect([isError, text]).toEqual([true, expect.stringContaining(parameter)]);
    expect(text).toContain('Invalid arguments for tool');
  });

  test('connects to no address that a tool is given, and to none but its own database', async () => {
    const addresses = [...HOSTILE_URLS, ...LOCAL_URLS, 'https://example.com/', 'example.com'];
    const programs = await Promise.all(Array.from({ length: 7 }, () => world().program('lion')));
    const { targets, stop } = watchConnections();
    try {
      // The watch works: nothing listens there.
      await fetch('http://127.0.0.3:1234/').catch(() => undefined);
      expect(targets.splice(0)).toEqual(['127.0.0.3:1234']);
      for (const [i, address] of addresses.entries()) {
        const { key } = programs[i % programs.length] as Program;
        for (const [name, input] of [
          ['get_latest_forecast', { symbol: address.slice(0, 20) }],
          ['get_forecast', { id: address }],
          ['list_markets', { query: address.slice(0, 40) }],
        ] as const)
          expect((await post(key, message('tools/call', { name, arguments: input }))).status).toBe(200);
      }
      for (const [name, input] of CALLS) await call(programs[0] as Program, name, input());
    } finally {
      stop();
    }
    // The sandbox's services and the database are at high ports of this machine; no address above is.
    expect(targets.filter((one) => !/^127\.0\.0\.1:\d{4,5}$|^\//.test(one))).toEqual([]);
  });

  test('refuses requests without a valid key before it reads them', async () => {
    const { bob } = world();
    const revoked = await world().program('free');
    await world().revoke(revoked);

    for (const [key, code] of [
      [null, 'api/no-key'],
      [`kat_${'a'.repeat(40)}`, 'api/bad-key'],
      [revoked.key, 'api/key-revoked'],
    ] as const) {
      const answer = await post(key, listTools);
      expect([code, answer.status, answer.headers.get('www-authenticate')]).toEqual([code, 401, 'Bearer']);
      expect(await answer.json()).toMatchObject({ code });
    }
    const inAddress = await fetch(`${url()}/mcp?key=${bob.key}`, { method: 'POST', body: listTools });
    expect([inAddress.status, await inAddress.json()]).toMatchObject([400, { code: 'api/key-in-address' }]);
  });

  test('refuses pages of other origins and other host names, against DNS rebinding', async () => {
    const { bob } = world();
    const statusFrom = async (origin: string) => (await post(bob.key, listTools, { origin })).status;

    expect(await statusFrom('https://evil.example')).toBe(403);
    expect(await statusFrom('null')).toBe(403);
    expect(await statusFrom(new URL(url()).origin)).toBe(200);
    const { status } = await requestUnderName(`${url()}/mcp`, 'evil.example');
    expect(status).toBe(421);
  });

  test('refuses batches, other types, broken JSON and large bodies', async () => {
    const { bob } = world();
    const refusalOf = async (body: string, headers: Record<string, string> = {}) => {
      const answer = await post(bob.key, body, headers);
      return [answer.status, z.object({ error: z.object({ code: z.number() }) }).parse(await answer.json()).error.code];
    };

    expect(await refusalOf(`[${listTools},${listTools}]`)).toEqual([400, -32_600]);
    expect(await refusalOf(listTools, { 'content-type': 'text/plain' })).toEqual([415, -32_600]);
    expect(await refusalOf('{"jsonrpc"')).toEqual([400, -32_700]);
    expect(await refusalOf('['.repeat(200))).toEqual([400, -32_700]);
    expect(await refusalOf(`{"a":"${'x'.repeat(70_000)}"}`)).toEqual([413, -32_600]);
  });

  test.each([
    ['*/*', 'application/json'],
    ['application/json', 'application/json'],
    ['application/*;q=0.5, text/html', 'application/json'],
    ['application/json, text/event-stream', 'application/json'],
    ['text/event-stream', 'text/event-stream'],
    ['text/*', 'text/event-stream'],
  ])('answers a client that accepts %s with %s, in both generations of the protocol', async (accept, type) => {
    const { bob } = world();
    const meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    const modern = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/list' };
    for (const answer of [
      await post(bob.key, listTools, { accept }),
      await post(bob.key, message('tools/list', { _meta: meta }), { accept, ...modern }),
    ]) {
      const text = await answer.text();
      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, type]);
      const json = type === 'application/json' ? text : /^data: (.+)$/m.exec(text)?.[1];
      expect(JSON.parse(json ?? '')).toMatchObject({ id: 1, result: { tools: { length: CALLS.length } } });
    }
  });

  test('refuses a client that accepts neither JSON nor a stream', async () => {
    const answer = await post(world().bob.key, listTools, { accept: 'text/html, application/json;q=0' });

    expect([answer.status, await answer.json()]).toMatchObject([
      406,
      { error: { message: 'Accept must allow application/json or text/event-stream.' } },
    ]);
  });

  test('keeps no session: any process answers a call, and no stream stays open for a key to be revoked in', async () => {
    const { bob } = world();
    const direct = await post(bob.key, message('tools/call', { name: 'list_my_watchlist', arguments: {} }));
    expect([direct.status, direct.headers.get('mcp-session-id')]).toEqual([200, null]);
    expect(await direct.text()).toContain('"pairs":[]');
    for (const method of ['GET', 'DELETE']) {
      const answer = await fetch(`${url()}/mcp`, {
        method,
        headers: { authorization: `Bearer ${bob.key}`, accept: 'text/event-stream' },
      });
      expect([method, answer.status]).toEqual([method, 405]);
      await answer.body?.cancel();
    }
    const program = await world().program('free');
    const client = await mcpClient(url(), program.key);
    await client.listTools();
    await world().revoke(program);
    await expect(client.callTool({ name: 'list_my_watchlist', arguments: {} })).rejects.toThrow(
      /revoked|401|Unauthorized/,
    );
    await client.close();
  });

  test('counts each message as a call of the read API, by the same key', async () => {
    const program = await world().program('free');
    const leftOf = (answer: Response) => Number(answer.headers.get('ratelimit-remaining'));
    const me = await fetch(`${url()}/api/v1/me`, { headers: { authorization: `Bearer ${program.key}` } });
    const first = leftOf(me);

    expect(leftOf(await post(program.key, listTools))).toBe(first - 1);
    expect(leftOf(await post(program.key, listTools))).toBe(first - 2);
    let answer = await post(program.key, listTools);
    for (let i = 0; i < 60 && answer.status === 200; i++) answer = await post(program.key, listTools);
    expect(answer.status).toBe(429);
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
  });
});

/** Every connection that this process opens, by host and port, or by the path of a socket. */
function watchConnections(): { targets: string[]; stop(): void } {
  const targets: string[] = [];
  const { connect } = Socket.prototype;
  const spy = vi.spyOn(Socket.prototype, 'connect').mockImplementation(function (this: Socket, ...args: unknown[]) {
    const [options] = (Array.isArray(args[0]) ? args[0] : args) as { host?: string; port?: number; path?: string }[];
    targets.push(options?.path ?? `${options?.host}:${options?.port}`);
    return connect.apply(this, args as Parameters<typeof connect>);
  });
  return { targets, stop: () => spy.mockRestore() };
}
