import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { expect, test, vi } from 'vitest';
import { startBusyLoops } from './busy-loops.ts';
import { descendantsOf, listProcesses } from './child-processes.ts';
import { holdToHalfCores } from './half-cores.ts';

const childrenOfThis = () => descendantsOf(listProcesses(), process.pid);

test.runIf(process.platform === 'linux')('runs a busy loop per core until it is ended', async () => {
  const end = startBusyLoops(3);
  const loops = () => childrenOfThis().filter(({ command }) => command.includes('process.ppid'));
  await vi.waitFor(() => expect(loops()).toHaveLength(3));

  end();

  await vi.waitFor(() => expect(loops()).toEqual([]));
});

test.runIf(process.platform === 'linux')(
  'holds a child to half a core, where the user may create control groups, and releases it at the end',
  async (context) => {
    const end = holdToHalfCores() ?? context.skip('this user may create no control groups');
    const child = spawn('sleep', ['600']);
    const groups = () => readFileSync(`/proc/${child.pid}/cgroup`, 'utf8');
    await vi.waitFor(() => expect(groups()).toContain(`/kat-half-${process.pid}-${child.pid}`));

    end();

    expect(groups()).not.toContain('kat-half');
    child.kill('SIGKILL');
    await once(child, 'exit');
  },
);
