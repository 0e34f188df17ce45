/** Tests that a few users of a host that is far too slow are served late, and never refused. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchChromium } from '../support/browser/chromium.ts';
import { isNight } from '../support/run/test-size.ts';
import { type KatServer, startKat } from '../support/servers/kat-server.ts';
import { type HeldSpeed, stopAndGo } from '../support/slow-host/held-speed.ts';
import { visitAs } from '../support/slow-host/visit.ts';
import { newSubscriber } from '../support/worlds/new-accounts.ts';

/** Of each 200 ms the server runs for 20, as on a tenth of a core. */
const [SHARE, PERIOD_MS] = [0.1, 200];
const TICKER_FAILED = 'Failed to load market data — fallback active.';

let kat: KatServer;
let browser: Browser;
let held: HeldSpeed | null = null;

beforeAll(async () => {
  [kat, browser] = await Promise.all([startKat({ env: { DEVELOPMENT: '' } }), launchChromium()]);
});

afterAll(async () => {
  held?.stop();
  await browser?.close();
  await kat?.dispose();
});

test('serves users of a host with a tenth of a core from the sign-in to the saved forecast', async () => {
  const users = await Promise.all(
    Array.from({ length: isNight ? 5 : 2 }, async () => (await newSubscriber(kat.url, 'lion')).email),
  );
  held = stopAndGo(SHARE, PERIOD_MS);
  held.hold(kat.pid);

  const visits = await Promise.all(users.map((email) => visitAs(browser, kat.url, email)));

  for (const { refused, messages: all, saved, failure } of visits) {
    // Where the browser is as slow as the host, the ticker's limit may pass first. It loads again by itself.
    const messages = all.filter((message) => message !== TICKER_FAILED);
    expect({ refused, messages, saved, failure }).toEqual({ refused: [], messages: [], saved: 1, failure: null });
  }
});
