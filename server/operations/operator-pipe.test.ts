import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Database, Transaction } from '../platform/database/database.ts';
import { createLogger } from '../platform/telemetry/log.ts';
import {
  callOperatorCommand,
  callOperatorPipe,
  isPipeClosed,
  type OperatorPipe,
  openOperatorPipe,
  PIPE_NAME,
} from './operator-pipe.ts';

const ACCOUNT = { id: 'a1', email: 'chief@example.com', isConfirmed: true, role: 'user' };
let socketDir: string;
let pipe: OperatorPipe;
let changes: unknown[];
let lines: string[];
/** Rows that the account's query finds. */
let found: (typeof ACCOUNT)[];
let brokenWith: Error | null;

const query = async (text: string, params: readonly unknown[] = []) => {
  if (brokenWith !== null) throw brokenWith;
  if (text.startsWith('update')) changes.push(params);
  return text.startsWith('select u.id') ? found : [];
};
const database = {
  transaction: (_caller: unknown, work: (tx: Transaction) => Promise<unknown>) => work({ query } as Transaction),
} as Partial<Database> as Database;

beforeEach(async () => {
  socketDir = mkdtempSync(join(tmpdir(), 'kat-pipe-'));
  [changes, lines, found, brokenWith] = [[], [], [ACCOUNT], null];
  pipe = await openOperatorPipe({
    socketDir,
    database,
    log: createLogger('info', { write: (line) => void lines.push(line) }),
    commands: {
      '/echo': async (body) => ({ body }),
      '/fails': () => Promise.reject(new Error('the disk is full')),
      '/never': () => new Promise(() => undefined),
    },
  });
});

afterEach(async () => {
  await pipe.close();
  rmSync(socketDir, { recursive: true, force: true });
});

test('changes a role for the command, and logs it without the account', async () => {
  const change = { account: 'chief@example.com', role: 'admin' } as const;
  expect(await callOperatorPipe(socketDir, change)).toEqual({
    kind: 'changed',
    id: 'a1',
    email: 'chief@example.com',
    isConfirmed: true,
  });
  expect(changes).toEqual([['a1', 'admin']]);
  expect(lines.join()).toContain('changed a role');
  expect(lines.join()).not.toContain('chief@example.com');
});

test('returns the outcome of an address that no account, or several have', async () => {
  const change = { account: 'chief@example.com', role: 'admin' } as const;
  found = [];
  expect(await callOperatorPipe(socketDir, change)).toEqual({ kind: 'unknown' });
  found = [ACCOUNT, { ...ACCOUNT, id: 'b2' }];
  expect(await callOperatorPipe(socketDir, change)).toEqual({ kind: 'several', ids: ['a1', 'b2'] });
  expect(changes).toEqual([]);
});

test.each([
  ['an unknown path', '/roles', { account: 'a1', role: 'admin' }],
  ['an unknown role', '/role', { account: 'a1', role: 'owner' }],
  ['no account', '/role', { account: '', role: 'admin' }],
  ['an account longer than any address', '/role', { account: 'a'.repeat(321), role: 'admin' }],
] as const)('refuses %s, and changes nothing', async (_what, path, body) => {
  await expect(callOperatorCommand(socketDir, path, body)).rejects.toThrow(
    'The running server could not do this (400). See its log for the reason.',
  );
  expect(changes).toEqual([]);
});

test('refuses a body of more than 4 KB before it runs any command', async () => {
  const body = { account: 'a'.repeat(4096), role: 'admin' };
  await expect(callOperatorCommand(socketDir, '/echo', body)).rejects.toThrow('could not do this (413)');
});

test("passes another command's body on as it came, and returns its answer", async () => {
  expect(await callOperatorCommand(socketDir, '/echo', { folder: '/backups' })).toEqual({
    body: { folder: '/backups' },
  });
});

test('logs why a command failed, and sends the operator to the log', async () => {
  await expect(callOperatorCommand(socketDir, '/fails', {})).rejects.toThrow('could not do this (500)');
  expect(lines.join()).toContain('the disk is full');
  brokenWith = new Error('the database is away');
  await expect(callOperatorPipe(socketDir, { account: 'a1', role: 'user' })).rejects.toThrow('(500)');
  expect(lines.join()).toContain('the database is away');
});

test('gives up on a server that does not answer in time', async () => {
  await expect(callOperatorCommand(socketDir, '/never', {}, 1)).rejects.toThrow(
    'The running server did not answer in time.',
  );
});

test('distinguishes a closed pipe from a refusal, and leaves no socket behind', async () => {
  const refusal = await callOperatorCommand(socketDir, '/fails', {}).catch((error: unknown) => error);
  expect(isPipeClosed(refusal)).toBe(false);
  await pipe.close();
  expect(existsSync(join(socketDir, PIPE_NAME))).toBe(false);
  expect(isPipeClosed(await callOperatorCommand(socketDir, '/echo', {}).catch((error: unknown) => error))).toBe(true);
});

test('rejects a folder that another server listens in', async () => {
  await expect(openOperatorPipe({ socketDir, database, log: createLogger('silent') })).rejects.toThrow('EADDRINUSE');
});
