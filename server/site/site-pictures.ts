/** The operator's pictures of the simulator: files beside SITE_FILE, read and checked at start. */
import { readFile, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { simulatorPicturePath } from '#domain/site/sample-settings.ts';
import type { SiteFile } from '#domain/site/site-file.ts';
import { SettingsRefused } from '../platform/config/config.ts';

export interface SitePicture {
  bytes: Uint8Array<ArrayBuffer>;
  type: string;
}

/** All of them stay in memory while the server runs. */
const MAX_BYTES = 2 * 1024 * 1024;

const startsWith = (bytes: Uint8Array, text: string, at = 0) =>
  Buffer.from(bytes.subarray(at, at + text.length)).toString('latin1') === text;

/** The content decides the type: a browser must not take a renamed file for something else. */
const TYPES: readonly { type: string; isOf(bytes: Uint8Array): boolean }[] = [
  { type: 'image/png', isOf: (bytes) => startsWith(bytes, '\x89PNG\r\n\x1a\n') },
  { type: 'image/jpeg', isOf: (bytes) => startsWith(bytes, '\xff\xd8\xff') },
  { type: 'image/webp', isOf: (bytes) => startsWith(bytes, 'RIFF') && startsWith(bytes, 'WEBP', 8) },
];

/** @returns each picture by its path on our origin. @throws SettingsRefused naming the first unusable file */
export async function readSitePictures(sitePath: string, file: SiteFile): Promise<ReadonlyMap<string, SitePicture>> {
  const entries = (file.simulatorPictures ?? []).map(async ({ file: name }, index) => {
    const picture = await readPicture(join(dirname(sitePath), name), `simulatorPictures.${index}.file`);
    return [simulatorPicturePath(index), picture] as const;
  });
  return new Map(await Promise.all(entries));
}

async function readPicture(path: string, place: string): Promise<SitePicture> {
  const refused = (reason: string) => new SettingsRefused(`SITE_FILE: ${place} (${path}) ${reason}.`);
  try {
    if ((await stat(path)).size > MAX_BYTES) throw refused(`is larger than ${MAX_BYTES} bytes`);
    const bytes = new Uint8Array(await readFile(path));
    const found = TYPES.find(({ isOf }) => isOf(bytes));
    if (found === undefined) throw refused('is not a PNG, JPEG or WebP picture');
    return { bytes, type: found.type };
  } catch (error) {
    if (error instanceof SettingsRefused) throw error;
    const reason = error instanceof Error && 'code' in error ? String(error.code) : 'unreadable';
    throw refused(`cannot be read: ${reason}`);
  }
}
