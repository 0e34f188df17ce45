/** Chances through the read API, on the whole server: by key and plan, as documented, and live. */
import { expect, test, vi } from 'vitest';
import { chanceAnswerSchema, lineAnswerSchema, liveChancesSchema } from '#domain/chances/chance-messages.ts';
import { describeOneDatabase } from '../support/database/each-database.ts';
import { openedForTests } from '../support/run/opened-for-tests.ts';
import { untilWindowLasts } from './support/market/clock-window.ts';
import { openProgramWorld } from './support/services/programs.ts';

describeOneDatabase('chances through the read API', (kind) => {
  const world = openedForTests(async () => {
    const opened = await openProgramWorld(kind);
    const [free, lion] = [await opened.program('free'), await opened.program('lion')];
    return { ...opened, free, lion };
  });

  async function request(path: string, key: string) {
    const answer = await fetch(`${world().server.url}/api/v1${path}`, { headers: { authorization: `Bearer ${key}` } });
    return { status: answer.status, body: await answer.json(), headers: answer.headers };
  }

  test('answers about Bitcoin for every key, by quantiles and by paths', async () => {
    const { free } = world();
    await untilWindowLasts(60);
    const window = chanceAnswerSchema.parse((await request('/chances?kind=window&minutes=60', free.key)).body);
    const { body, headers } = await request(`/chances?kind=touch&price=${window.price * 1.001}&bar=20`, free.key);
    const touch = chanceAnswerSchema.parse(body);
    const line = lineAnswerSchema.parse((await request(`/chances?kind=line&price=${window.price}`, free.key)).body);

    expect(window).toMatchObject({ symbol: 'BTCUSDT.P', model: 'bobcat', question: { kind: 'window', minutes: 60 } });
    expect(touch.by).toBe('paths');
    expect(line.above[30]).toBeGreaterThan(0);
    expect(Number(headers.get('ratelimit-remaining'))).toBeLessThan(60);
  });

  test('refuses by key and plan, and bad questions with a reason', async () => {
    const { free, lion } = world();
    const codeOf = async (query: string, key: string) => {
      const { status, body } = await request(`/chances?${query}`, key);
      return [status, body.code, body.details?.reason];
    };
    const eth = 'sym=ETHUSDT.P&model=lion&kind=window&minutes=60';
    expect(await codeOf('kind=window&minutes=60', 'kat_none')).toEqual([401, 'api/bad-key', undefined]);
    expect(await codeOf(eth, free.key)).toEqual([403, 'forecast/model-locked', undefined]);
    const bobcat = await world().program('bobcat');
    expect(await codeOf(eth, bobcat.key)).toEqual([403, 'forecast/model-locked', undefined]);
    expect(await codeOf(eth.replace('window&minutes=60', 'line&price=3000'), free.key)).toEqual([
      ...[403, 'forecast/model-locked', undefined],
    ]);
    const live = { headers: { authorization: `Bearer ${bobcat.key}` } };
    expect((await fetch(`${world().server.url}/api/v1/chances/live?model=lion`, live)).status).toBe(403);
    expect((await request(`/chances?${eth}`, lion.key)).status).toBe(200);
    expect(await codeOf('kind=above&price=0&bar=5', free.key)).toEqual([400, 'request/invalid', 'price-invalid']);
    expect(await codeOf('kind=above&price=1e300&bar=5', free.key)).toEqual([400, 'request/invalid', 'price-too-far']);
    expect(await codeOf('kind=window&minutes=7', free.key)).toEqual([400, 'request/invalid', undefined]);
    expect(await codeOf('kind=window&price=1', free.key)).toEqual([400, 'request/invalid', undefined]);
  });

  test('streams live windows until the key is revoked', async () => {
    const { server, program, revoke } = world();
    const own = await program('free');
    const stream = () =>
      fetch(`${server.url}/api/v1/chances/live`, { headers: { authorization: `Bearer ${own.key}` } });
    const response = await stream();
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    let text = '';
    while (!text.includes('\n\n')) text += (await reader?.read())?.value ?? '';
    const frame = liveChancesSchema.parse(JSON.parse(text.slice(text.indexOf('{'), text.indexOf('\n\n'))));
    expect(frame).toMatchObject({ symbol: 'BTCUSDT.P', windows: [{ minutes: 5 }, { minutes: 15 }, { minutes: 60 }] });

    const others = await Promise.all([stream(), stream()]);
    expect((await stream()).status).toBe(429);
    await revoke(own);
    await vi.waitFor(async () => expect((await reader?.read())?.done).toBe(true));
    await Promise.all(others.map(({ body }) => body?.cancel()));
  });
});
