/**
 * `npm run release -- image`: builds the Dockerfile and runs the image without a container engine. Debian's buildah
 * executes the file step by step; debootstrap makes the base images, so that no image registry is needed. The server
 * then runs as in a cluster: uid 10001, no capabilities and no way to gain any, a read-only root. Needs root, and
 * Debian's packages buildah, debootstrap and util-linux.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chownSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import * as z from 'zod/mini';
import { startSandboxMarket } from '../../sandbox/market/sandbox-market.ts';
import { ROOT } from '../site/site-cache.ts';

const UID = 10_001;
const BUILD_IMAGE = 'localhost/kat-try-builder';
const RUN_IMAGE = 'localhost/kat-try-base';
const IMAGE = 'localhost/kat-try';
const START_LIMIT_MS = 90_000;

const inspected = z.object({
  Docker: z.object({ config: z.object({ User: z.string(), Env: z.array(z.string()), Healthcheck: z.object({}) }) }),
});

const { values } = parseArgs({
  options: {
    /** Reused between runs: the base images and every unchanged step. */
    folder: { type: 'string', default: join(tmpdir(), 'kat-try-image') },
    port: { type: 'string', default: '4280' },
  },
});
const folder = values.folder;
const STORE = ['--root', join(folder, 'store'), '--runroot', join(folder, 'run'), '--storage-driver', 'overlay'];

/** @returns its output. @throws Error with its output if it fails */
function run(command: string, args: readonly string[], cwd = ROOT): string {
  const env = { ...process.env, BUILDAH_ISOLATION: 'chroot' };
  const result = spawnSync(command, args, { cwd, env, encoding: 'utf8', maxBuffer: 64 * 2 ** 20 });
  if (result.error) throw result.error;
  if (result.status !== 0) throw new Error(`${command} ${args.join(' ')}\n${result.stdout}${result.stderr}`);
  return result.stdout.trim();
}

const buildah = (...args: string[]): string => run('buildah', [args[0] ?? '', ...STORE, ...args.slice(1)]);

function print(line: string): void {
  console.log(line);
}

/** Debian's smallest system, once plain and once with this machine's npm, as the official images have them. */
function makeBases(): void {
  if (buildah('images', '--format', '{{.Name}}').includes(BUILD_IMAGE)) return;
  const debian = join(folder, 'debian');
  if (!existsSync(debian)) run('debootstrap', ['--variant=minbase', 'bookworm', debian]);
  const container = buildah('from', 'scratch');
  const mounted = buildah('mount', container);
  run('cp', ['-a', `${debian}/.`, mounted]);
  buildah('commit', '-q', container, RUN_IMAGE);
  copyFileSync(process.execPath, join(mounted, 'usr/local/bin/node'));
  mkdirSync(join(mounted, 'usr/local/lib/node_modules'), { recursive: true });
  run('cp', ['-aL', join(run('npm', ['root', '-g']), 'npm'), join(mounted, 'usr/local/lib/node_modules')]);
  run('ln', ['-sf', '../lib/node_modules/npm/bin/npm-cli.js', join(mounted, 'usr/local/bin/npm')]);
  // For a registry behind a proxy with a separate certificate.
  const certificates = process.env.NODE_EXTRA_CA_CERTS;
  if (certificates !== undefined) {
    copyFileSync(certificates, join(mounted, 'etc/extra-ca.pem'));
    buildah('config', '--env', 'NODE_EXTRA_CA_CERTS=/etc/extra-ca.pem', container);
  }
  buildah('commit', '-q', container, BUILD_IMAGE);
  buildah('rm', container);
}

/** Builds the committed files, as a release would, without half-written ones. */
function buildImage(): void {
  const context = join(folder, 'context');
  rmSync(context, { recursive: true, force: true });
  mkdirSync(context, { recursive: true });
  run('sh', ['-c', 'git archive HEAD | tar -x -C "$0"', context]);
  const npmrc = join(homedir(), '.npmrc');
  const secret = existsSync(npmrc) ? ['--secret', `id=npmrc,src=${npmrc}`] : [];
  const bases = ['--build-arg', `BUILD_IMAGE=${BUILD_IMAGE}`, '--build-arg', `RUN_IMAGE=${RUN_IMAGE}`];
  const options = ['--format', 'docker', '--pull-never', '--network', 'host', '--layers', ...secret, ...bases];
  buildah('bud', ...options, '-t', IMAGE, context);
}

/** In separate namespaces; the arguments are a command of the image. */
function inImage(root: string, data: string, env: readonly string[], command: readonly string[]): ChildProcess {
  const script = `
    mount --bind "$1" "$1"; mount -t proc proc "$1/proc"; mount --bind /dev "$1/dev"
    mount -t tmpfs tmpfs "$1/tmp"; mount --bind "$2" "$1/data"; mount -o remount,ro,bind "$1"
    root=$1; shift 2
    exec chroot "$root" /usr/bin/setpriv --reuid ${UID} --regid ${UID} --clear-groups --no-new-privs \\
      --bounding-set=-all --inh-caps=-all env -i -C /app "$@"`;
  const namespaces = ['--mount', '--pid', '--fork', '--kill-child', 'sh', '-ec', script, 'sh', root, data];
  return spawn('unshare', [...namespaces, ...env, ...command], { stdio: ['ignore', 'pipe', 'pipe'] });
}

interface Ended {
  code: unknown;
  text: string;
}

async function ended(child: ChildProcess): Promise<Ended> {
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (part: Buffer) => {
      text += part.toString('utf8');
    });
  const [code]: unknown[] = await once(child, 'exit');
  return { code, text };
}

function expectThat(isSo: boolean, expectation: string, shown: string): void {
  if (!isSo) throw new Error(`Failed: ${expectation}\n${shown}`);
  print(`ok  ${expectation}`);
}

async function tryImage(): Promise<void> {
  const container = buildah('from', '--pull-never', IMAGE);
  const root = buildah('mount', container);
  const data = mkdtempSync(join(folder, 'data-'));
  chownSync(data, UID, UID);
  const about = inspected.parse(JSON.parse(buildah('inspect', '--type', 'image', IMAGE))).Docker.config;
  const settings = [
    ...about.Env,
    'HOST=127.0.0.1',
    `PORT=${values.port}`,
    `PUBLIC_URL=http://localhost:${values.port}`,
  ];
  // The image has no sandbox, so one beside it answers as the real venues.
  const clock = { nowMs: () => Date.now() };
  const market = await startSandboxMarket({ clock, dataDir: null, speed: 1, seed: 'image', startMs: null });
  writeFileSync(join(data, 'addresses.json'), JSON.stringify(market.addresses));
  const live = ['MARKET=live', 'ADDRESSES_FILE=/data/addresses.json'];
  const offline = [...live, 'SMTP_URL=smtp://localhost:9', 'PAYMENTS=off', 'LOG_LEVEL=warn'];
  const command = (...args: string[]) => ended(inImage(root, data, [...settings, ...offline], args));
  try {
    expectThat(about.User === `${UID}:${UID}`, 'the image names its user and its health check', JSON.stringify(about));
    const writes = await command(
      'sh',
      '-c',
      'touch /app/x; touch /etc/x; touch /data/x /tmp/x && echo written; cat /proc/self/status',
    );
    expectThat(
      /Read-only.*Read-only/s.test(writes.text) && writes.text.includes('written'),
      'only /data and /tmp can be written',
      writes.text,
    );
    expectThat(
      /CapEff:\s0+\n/.test(writes.text) && /NoNewPrivs:\s1/.test(writes.text),
      'it has no capability and can get none',
      writes.text,
    );
    const tools = await command(
      'sh',
      '-c',
      'command -v npm gcc make git curl python3; ls node_modules | grep -xE "vite|typescript|vitest"; true',
    );
    expectThat(tools.text === '', 'it contains no build tools', tools.text);
    const trial = await command('env', 'ALLOW_SANDBOX_IN_PRODUCTION=1', 'node', 'scripts/start.ts');
    expectThat(
      trial.code === 1 && trial.text.includes('needs the sandbox'),
      'it does not contain the sandbox, and reports that when a setting needs it',
      trial.text,
    );
    const refused = await command('node', 'scripts/start.ts');
    expectThat(
      refused.code === 1 && refused.text.includes('npm run keys'),
      'without keys it refuses to start',
      refused.text,
    );
    const keys = await command('node', 'scripts/operator/keys.ts');
    expectThat(keys.code === 0, 'keys are created once, by a command in the image', keys.text);
    await tryServer(root, data, [...settings, ...offline]);
  } finally {
    await market.close();
    buildah('rm', container);
    rmSync(data, { recursive: true, force: true });
  }
}

async function tryServer(root: string, data: string, env: readonly string[]): Promise<void> {
  const beginMs = Date.now();
  const server = inImage(root, data, env, ['node', 'scripts/start.ts']);
  const end = ended(server);
  let isOver = false;
  void end.then(() => {
    isOver = true;
  });
  let health: Ended = { code: 1, text: '' };
  while (!isOver && health.code !== 0 && Date.now() - beginMs < START_LIMIT_MS) {
    await sleep(500);
    health = await ended(inImage(root, data, env, ['node', 'scripts/image/is-ready.mjs']));
  }
  expectThat(
    health.code === 0,
    `its own health check says that it is ready, after ${Date.now() - beginMs} ms`,
    isOver ? (await end).text : health.text,
  );
  const page = await fetch(`http://localhost:${values.port}/kat`);
  expectThat(
    page.status === 200 && (await page.text()).includes('data-page="/kat"'),
    'it serves the prerendered page',
    String(page.status),
  );
  const [node = ''] = readFileSync(`/proc/${server.pid}/task/${server.pid}/children`, 'utf8').split(' ');
  process.kill(Number(node), 'SIGTERM');
  const { code, text } = await end;
  expectThat(code === 0, 'it shuts down cleanly on SIGTERM', text);
}

mkdirSync(folder, { recursive: true });
makeBases();
buildImage();
await tryImage();
print(buildah('images', '--format', '{{.Name}} {{.Size}}', IMAGE));
