/**
 * Readable by their owner only, and written completely or not at all: docs/decisions/010-keys-and-rotation.md. They are on
 * the disk before anyone uses them: what a lost key encrypted could not be read any more.
 */

import { randomUUID } from 'node:crypto';
import { chmod, link, mkdir, open, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { hasErrorCode, nullIfMissing } from './error-code.ts';

/** Removes other users' access if there is any. @returns null when there is no file */
export async function readSecretFile(path: string): Promise<string | null> {
  const text = await readFile(path, 'utf8').catch(nullIfMissing);
  if (text === null) return null;
  const { mode } = await stat(path);
  if ((mode & 0o077) !== 0) await chmod(path, 0o600);
  return text;
}

/** Writes a draft beside the file and renames it, so that neither a crash nor a reader sees half a file. */
export async function writeSecretFile(path: string, text: string): Promise<void> {
  await withDraft(path, text, (draft) => rename(draft, path));
}

/** @returns false if the file exists. When two processes create it at the same moment, the first one's file stays */
export async function makeSecretFile(path: string, text: string): Promise<boolean> {
  try {
    await withDraft(path, text, (draft) => link(draft, path));
    return true;
  } catch (error) {
    if (hasErrorCode(error, 'EEXIST')) return false;
    throw error;
  }
}

async function withDraft(path: string, text: string, place: (draft: string) => Promise<void>): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const draft = `${path}.${randomUUID()}.tmp`;
  try {
    await writeFile(draft, text, { mode: 0o600, flush: true });
    await place(draft);
    await syncFolder(dirname(path));
  } finally {
    await rm(draft, { force: true });
  }
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
