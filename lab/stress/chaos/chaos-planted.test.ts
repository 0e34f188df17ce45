/** The planted bugs of `npm run lab -- chaos` exist only in servers that a chaos run starts. */
import { spawnSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { PLANTED_BUGS, plantInto } from './planted/planted-bugs.ts';
import { CHAOS_PLANTED, plantedEnv } from './planted/planted-env.ts';

const ROOT = resolve(import.meta.dirname, '../../..');
const changes = Object.values(PLANTED_BUGS).flatMap((bug) => [...bug.changes]);

test.each(changes)('finds its place in $file exactly once', ({ file, find, replace }) => {
  const source = readFileSync(join(ROOT, file), 'utf8');

  expect(source.split(find)).toHaveLength(2);
  expect(plantInto(join(ROOT, file), source, changes)).toContain(replace);
  expect(plantInto(join(ROOT, 'another.ts'), source, changes)).toBe(source);
});

const CREATED = /create (?:or replace )?(?:unique )?(?:function|index) ([\w.]+)/g;

test.each(changes.filter(({ file }) => file.endsWith('.sql')))(
  'plants in the newest form of what $file creates',
  ({ file, find }) => {
    const source = readFileSync(join(ROOT, file), 'utf8');
    const [, name = ''] = [...source.slice(0, source.indexOf(find) + find.length).matchAll(CREATED)].at(-1) ?? [];
    const later = globSync('supabase/migrations/*.sql', { cwd: ROOT }).filter((one) => one > file);
    const creating = later.filter((one) =>
      [...readFileSync(join(ROOT, one), 'utf8').matchAll(CREATED)].some(([, other]) => other === name),
    );

    expect(name).not.toBe('');
    expect(creating).toEqual([]);
  },
);

test('keeps the switch and the planted bugs out of everything that is shipped', () => {
  const files = globSync('{domain,server,web,sandbox,scripts,supabase}/**/*.{ts,tsx,mjs,sql}', { cwd: ROOT });
  const naming = files.filter((file) => {
    const text = readFileSync(join(ROOT, file), 'utf8');
    return text.includes(CHAOS_PLANTED) || text.includes('chaos/planted');
  });

  expect(files.length).toBeGreaterThan(1000);
  expect(naming).toEqual([]);
});

/** @returns whether a message of an earlier leader is accepted in a process with this environment, or why it ended */
function acceptsOldTerm(env: Readonly<Record<string, string>>): string {
  const script = `const { NewestTerm } = await import('${join(ROOT, 'server/market/sharing/sharing.ts')}');
    const terms = new NewestTerm(); terms.accepts(2); console.log(terms.accepts(1));`;
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
    env: { PATH: process.env.PATH ?? '', ...env },
    encoding: 'utf8',
  });
  return stdout.trim() === '' ? stderr : stdout.trim();
}

test('plants a bug only where its switch is set, and never in production', () => {
  const planted = plantedEnv('stale-leader');

  expect(acceptsOldTerm({})).toBe('false');
  expect(acceptsOldTerm({ [CHAOS_PLANTED]: 'stale-leader' })).toBe('false');
  expect(acceptsOldTerm(planted)).toBe('true');
  expect(acceptsOldTerm({ ...planted, NODE_ENV: 'production' })).toContain('refused in production');
  expect(acceptsOldTerm({ ...planted, [CHAOS_PLANTED]: 'unknown' })).toContain('There is no planted bug');
});
