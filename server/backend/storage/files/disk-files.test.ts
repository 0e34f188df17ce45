import { randomUUID } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { diskFiles } from './disk-files.ts';
import { FilesUnavailable } from './object-files.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kat-disk-files-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test('reads back what was stored, and nothing after it was removed', async () => {
  const files = diskFiles(join(folder, 'new', 'storage'));
  const name = randomUUID();
  const bytes = Buffer.alloc(300_000, 'kat');

  await files.put(name, bytes, 'image/png');
  const file = await files.open(name);
  const read = Buffer.from(await new Response(file?.bytes ?? null).arrayBuffer());
  await files.remove(name);
  await files.remove(name);

  expect([file?.sizeBytes, read.equals(bytes), await files.open(name)]).toEqual([300_000, true, null]);
});

test('closes the file when a reader disconnects', async () => {
  const files = diskFiles(folder);
  const name = randomUUID();
  await files.put(name, Buffer.alloc(2_000_000), 'image/png');

  const openBefore = readdirSync('/dev/fd').length;

  for (let turn = 0; turn < 50; turn += 1) await (await files.open(name))?.bytes.cancel();
  await vi.waitFor(() => expect(readdirSync('/dev/fd').length).toBeLessThan(openBefore + 10));
});

test.each(['../secret', 'a', '', `${randomUUID()}/../x`])('refuses %j as a file name', async (name) => {
  const files = diskFiles(folder);

  await expect(files.put(name, Buffer.alloc(1), 'image/png')).rejects.toThrow(TypeError);
  await expect(files.open(name)).rejects.toThrow(TypeError);
});

test('reports a folder that cannot be written to as unavailable', async () => {
  const blocked = join(folder, 'blocked');
  await writeFile(blocked, 'a file in the folder’s place');

  await expect(diskFiles(blocked).put(randomUUID(), Buffer.alloc(1), 'image/png')).rejects.toThrow(FilesUnavailable);
});

test("lists nothing for a folder that doesn't exist yet", async () => {
  const listed = diskFiles(join(folder, 'none')).list()[Symbol.asyncIterator]();

  expect(await listed.next()).toEqual({ done: true, value: undefined });
});
