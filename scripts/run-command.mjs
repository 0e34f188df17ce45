/**
 * Installs exactly the locked dependencies if they are missing or stale, then runs a command on the Node 24 that they
 * include. Plain JavaScript, because it runs on whichever Node started npm (20.19 or newer).
 */
import { spawn } from 'node:child_process';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensureInstalled, requireNode } from './install/ensure-installed.mjs';
import { whenParentEnds } from './parent-watch.mjs';
import { resolveCommand } from './resolve-command.mjs';
import { SERVER_FLAGS, serverEnvironment } from './start/process-options.mjs';
import { STARTED_AT } from './start/progress-line.mjs';

requireNode();
const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');

/**
 * Ends this process with the command's exit status, or with 2 and a sentence if there is no such command.
 *
 * @param {string | undefined} name
 * @param {readonly string[]} input  what was given after the name
 * @param {import('./resolve-command.mjs').Commands} commands
 */
export async function launch(name, input, commands) {
  const command = resolveCommand(name, input, commands);
  if ('error' in command) {
    console.error(command.error);
    process.exit(2);
  }

  process.env[STARTED_AT] = String(Date.now());
  await ensureInstalled(root);

  const isServer = command.file === 'scripts/start.ts';
  const flags = isServer ? SERVER_FLAGS : [];
  const child = spawn(
    join(root, 'node_modules', '.bin', 'node'),
    [...flags, join(root, command.file), ...command.args],
    {
      cwd: root,
      env: isServer ? serverEnvironment(root, process.env) : process.env,
      // The channel carries no messages: it closes whenever this process ends, and the child notices.
      stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    },
  );
  // A signal to npm alone is not forwarded, and npm may be killed. No one waits for a drained stop then.
  if (process.env.npm_lifecycle_event !== undefined) whenParentEnds(() => child.kill('SIGINT'));
  // Ctrl-C reaches the whole process group; the child stops in order and this process only waits for it.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('error', (error) => {
    console.error(`Could not start the bundled Node: ${error.message}`);
    process.exit(1);
  });
  child.on('exit', (code, signal) => process.exit(code ?? (signal === 'SIGINT' ? 130 : 143)));
}
