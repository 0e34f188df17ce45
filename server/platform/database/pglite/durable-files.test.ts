/** Before anything else of the database changes on the disk, the log that explains the change must be there. */
import { closeSync, mkdtempSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { addSyncs, type NodeFiles } from './durable-files.ts';
import { isSynced, requestedOf, segmentOf, walProgress } from './wal-progress.ts';

type Stream = Parameters<NodeFiles['stream_ops']['close']>[0];

const SEGMENT = '000000010000000000000001';
const PAGE = Int8Array.from({ length: 8192 }, () => 7);
const folderNamed = (name: string): Stream['node'] => {
  const node = { name } as Stream['node'];
  node.parent = node;
  return node;
};

let dir: string;
let opened: number[];
let progress = walProgress();
let files: NodeFiles;
let failures: unknown[];
let isComplete: boolean;

function open(folder: string, name: string): Stream {
  const nfd = openSync(join(dir, `${folder}-${name}`), 'a');
  opened.push(nfd);
  return { node: { name, parent: folderNamed(folder) }, nfd };
}

function commit(segment: Stream): void {
  files.stream_ops.write(segment, PAGE, 0, PAGE.length, 0);
  files.stream_ops.fsync?.(segment);
}

const isPending = () => !isSynced(progress, requestedOf(progress));

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'kat-files-'));
  opened = [];
  failures = [];
  progress = walProgress();
  const nothing = () => {};
  files = {
    stream_ops: { close: nothing, write: (_stream, _buffer, _offset, length) => length, setattr: nothing },
    node_ops: { setattr: nothing, rename: nothing, unlink: nothing, rmdir: nothing },
  };
  isComplete = true;
  addSyncs(
    files,
    progress,
    (error) => failures.push(error),
    () => isComplete,
  );
});
afterEach(() => {
  for (const file of opened) closeSync(file);
  rmSync(dir, { recursive: true });
});

test('leaves the sync of a commit to the main thread', () => {
  commit(open('pg_wal', SEGMENT));

  expect(isPending()).toBe(true);
  expect(segmentOf(progress)).toBe(SEGMENT);
});

test.each<[string, (table: Stream) => void]>([
  ['writes a page', (table) => files.stream_ops.write(table, PAGE, 0, PAGE.length, 0)],
  ['syncs a table', (table) => files.stream_ops.fsync?.(table)],
  ['shortens an open file', (table) => files.stream_ops.setattr(table, { size: 0 })],
  ['shortens a file', (table) => files.node_ops.setattr(table.node, { size: 0 })],
  ['renames a file', (table) => files.node_ops.rename(table.node, table.node.parent, 'other')],
  ['removes a file', (table) => files.node_ops.unlink(table.node.parent, table.node.name)],
  ['removes a folder', (table) => files.node_ops.rmdir(table.node.parent, table.node.name)],
])('syncs the log before it %s', (_what, change) => {
  const table = open('5', '16384');
  commit(open('pg_wal', SEGMENT));

  change(table);

  expect(isPending()).toBe(false);
});

test('syncs no log for an empty page, for other attributes, and for the log itself', () => {
  const segment = open('pg_wal', SEGMENT);
  const table = open('5', '16384');
  commit(segment);

  files.stream_ops.write(table, new Int8Array(8192), 0, 8192, 0);
  files.node_ops.setattr(table.node, {});
  files.stream_ops.write(segment, PAGE, 0, PAGE.length, 8192);

  expect(isPending()).toBe(true);
});

test('syncs a segment before it closes it or goes on in the next', () => {
  const first = open('pg_wal', SEGMENT);
  commit(first);
  files.stream_ops.close(first);
  const afterClose = isPending();
  const second = open('pg_wal', '000000010000000000000002');
  commit(second);
  commit(open('pg_wal', '000000010000000000000003'));

  expect(afterClose).toBe(false);
  // Of three commits, the last is pending.
  expect(isSynced(progress, requestedOf(progress) - 1)).toBe(true);
  expect(isPending()).toBe(true);
});

test('syncs nothing while the folder is incomplete', () => {
  isComplete = false;
  commit(open('pg_wal', SEGMENT));

  expect(isPending()).toBe(false);
});

test('reports a sync that fails, and leaves the commit pending', () => {
  const segment = open('pg_wal', SEGMENT);
  commit({ ...segment, nfd: 1_000_000 });

  expect(() => files.stream_ops.write(open('5', '16384'), PAGE, 0, PAGE.length, 0)).toThrow('EBADF');
  expect(failures).toHaveLength(1);
  expect(isPending()).toBe(true);
});
