/**
 * `npm run lab -- stress slow-host`: a few users on a host that is far too slow for the product: a tenth of a core, a server
 * that stops for half of each 200 ms, and a server in its first seconds. Nothing may be refused or lost.
 */
import { parseArgs } from 'node:util';
import { SERVER_FLAGS, serverEnvironment } from '../../scripts/start/process-options.mjs';
import { ROOT } from '../../scripts/steps.ts';
import { launchChromium } from '../../tests/support/browser/chromium.ts';
import { startKat } from '../../tests/support/servers/kat-server.ts';
import { type HeldSpeed, holdSpeed, stopAndGo } from '../../tests/support/slow-host/held-speed.ts';
import { type Visit, visitAs } from '../../tests/support/slow-host/visit.ts';
import { type Account, newSubscriber } from '../../tests/support/worlds/new-accounts.ts';

const HOSTS: Readonly<Record<string, (nth: number) => HeldSpeed | null>> = {
  tenth: (nth) => holdSpeed(0.1, nth),
  paused: () => stopAndGo(0.5, 200),
  fresh: () => null,
};
const MAX_USERS = 20;

const { values } = parseArgs({
  options: { host: { type: 'string', multiple: true }, users: { type: 'string', multiple: true } },
});
const hosts = values.host ?? Object.keys(HOSTS);
const crowds = (values.users ?? ['1', '5']).map(Number);
if (!hosts.every((name) => Object.hasOwn(HOSTS, name)) || !crowds.every((users) => users >= 1 && users <= MAX_USERS)) {
  console.error(
    `--host takes ${Object.keys(HOSTS).join(', ')}; --users takes 1 to ${MAX_USERS}. Both may be repeated.`,
  );
  process.exit(2);
}

const settings = {
  flags: SERVER_FLAGS,
  env: { ...definedOf(serverEnvironment(ROOT, {})), DEVELOPMENT: '', HOUSE_FORECASTS: 'on' },
};
let nth = 0;
process.exitCode = 0;
for (const host of hosts) for (const users of crowds) await tryHost(host, users);

async function tryHost(host: string, users: number): Promise<void> {
  const first = await startKat(settings);
  const undo: (() => unknown)[] = [];
  try {
    const accounts: Account[] = [];
    for (let i = 0; i < users; i++) accounts.push(await newSubscriber(first.url, 'lion'));
    await first.stop();
    const browser = await launchChromium();
    undo.push(() => browser.close());
    // The same data in a new process, whose code is cold.
    const kat = await startKat({ ...settings, dataDir: first.dataDir });
    nth += 1;
    const held = HOSTS[host]?.(nth) ?? null;
    if (held !== null) undo.push(() => held.stop());
    undo.push(() => kat.dispose());
    held?.hold(kat.pid);
    const visits = await Promise.all(accounts.map(({ email }) => visitAs(browser, kat.url, email)));
    console.log(`\n${host}, ${users} ${users === 1 ? 'user' : 'users'} (${held?.means ?? 'at full speed'})`);
    report(visits);
  } finally {
    for (const step of undo.reverse()) await step();
  }
}

function report(visits: readonly Visit[]): void {
  for (const step of Object.keys(visits[0]?.steps ?? {})) {
    const slowestMs = Math.max(...visits.map(({ steps }) => steps[step] ?? Number.NaN));
    console.log(`  ${step}: ${(slowestMs / 1000).toFixed(1)} s for the slowest`);
  }
  const refused = visits.flatMap((visit) => visit.refused);
  const failures = visits.flatMap(({ failure }) => failure ?? []);
  const saved = visits.reduce((sum, visit) => sum + visit.saved, 0);
  console.log(`  refused: ${refused.length}; saved: ${saved} of ${visits.length}`);
  for (const line of [...refused, ...visits.flatMap(({ messages }) => messages), ...failures])
    console.log(`  ! ${line}`);
  if (refused.length + failures.length > 0 || saved !== visits.length) process.exitCode = 1;
}

function definedOf(env: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}
