/** `npm run dev -- --demo` as the guide for contributors shows it: it needs a built site, so it runs at night. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, test, vi } from 'vitest';
import { freePort } from '../support/servers/free-port.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const COMMAND = 'npm run dev -- --demo';
const START_MS = 300_000;

test(
  'serves the pages of the sources, and the server behind them, with the demo accounts',
  async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'kat-dev-'));
    const port = String(await freePort());
    const { PATH = '', HOME = '' } = process.env;
    const env = { PATH, HOME, PORT: port, DATA_DIR: dataDir, MARKET: 'sandbox', HOUSE_FORECASTS: 'off' };
    const [program = '', ...args] = COMMAND.split(' ');
    const dev = spawn(program, args, { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [dev.stdout, dev.stderr]) stream.on('data', (part) => (output += String(part)));
    const closed = once(dev, 'close');
    try {
      const ready = () => fetch(`http://127.0.0.1:${port}/readyz`);
      await vi.waitFor(async () => expect((await ready()).status).toBe(200), { timeout: START_MS, interval: 500 });
      const pages = /Pages: +(http:\/\/\S+?),/.exec(output)?.[1];

      expect(await (await fetch(`${pages}/about`)).text()).toContain('/main.tsx');
    } finally {
      // npm forwards SIGINT only to the shell between it and the command; the launcher notices when npm has ended.
      dev.kill('SIGTERM');
      await closed;
      rmSync(dataDir, { recursive: true, force: true });
    }
  },
  START_MS + 30_000,
);
