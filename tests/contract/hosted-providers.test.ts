/** The sign-in buttons of exactly the providers that a hosted project has enabled. */
import { afterEach, describe, expect, test } from 'vitest';
import { hostedProviders } from '../../server/backend/hosted/providers.ts';
import { POSTGRES_SKIPPED, testDatabaseKinds, testLog } from '../support/database/database.ts';
import { openedForTests } from '../support/run/opened-for-tests.ts';
import { openHostedWorld } from './support/hosted.ts';

const isHere = testDatabaseKinds().includes('postgres');
const OFF = { google: 'off', github: 'off' };

describe.skipIf(!isHere)(`providers of a hosted project${isHere ? '' : ` (${POSTGRES_SKIPPED})`}`, () => {
  const world = openedForTests(() => openHostedWorld());
  afterEach(() => world().project.answerWith(null));

  const requestSettings = () => {
    let nowMs = 0;
    const kinds = hostedProviders(world().project, testLog, () => nowMs);
    return { kinds, pass: (ms: number) => (nowMs += ms) };
  };
  const answerWith = (external: unknown) => world().project.answerWith(async () => Response.json({ external }));

  test('shows every provider as off while the project has none', async () => {
    const config = await (await world().request('/config.json')).json();

    expect(config.providers).toEqual(OFF);
  });

  test("follows the project's settings and requests them once in two minutes", async () => {
    answerWith({ google: true, github: false, apple: true });
    const { kinds, pass } = requestSettings();
    const before = world().project.requests.length;

    const first = await Promise.all([kinds(), kinds()]);
    answerWith({ google: true, github: true });
    pass(100_000);
    const remembered = await kinds();
    const requests = world().project.requests.slice(before);
    pass(30_000);
    await kinds();

    expect(first).toEqual([
      { google: 'live', github: 'off' },
      { google: 'live', github: 'off' },
    ]);
    expect(remembered).toEqual(first[0]);
    expect(requests.map(({ method, path }) => `${method} ${path}`)).toEqual(['GET /auth/v1/settings']);
    await expect.poll(kinds).toEqual({ google: 'live', github: 'live' });
  });

  test.each([
    ['an error', async () => new Response(null, { status: 500 })],
    ['a page', async () => new Response('<html>')],
    ['no providers', async () => Response.json({})],
    ['too much', async () => Response.json({ external: { google: true }, more: 'x'.repeat(70_000) })],
    ['silence', () => new Promise<Response>(() => undefined)],
  ])('shows providers as off when the project answers with %s, and retries after 6 s', async (_, answer) => {
    world().project.answerWith(answer);
    const { kinds, pass } = requestSettings();

    const first = await kinds();
    answerWith({ google: true });
    const soon = await kinds();
    pass(6000);

    expect([first, soon]).toEqual([OFF, OFF]);
    expect(await kinds()).toEqual({ google: 'live', github: 'off' });
  });

  test('keeps the last known providers while the project is unavailable', async () => {
    answerWith({ google: true });
    const { kinds, pass } = requestSettings();
    const known = await kinds();
    world().project.answerWith(async () => new Response(null, { status: 503 }));
    pass(200_000);

    const later = [await kinds(), await kinds()];

    expect(later).toEqual([known, known]);
  });
});
