import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as z from 'zod/mini';
import { type ReleaseTable, releaseTableSchema } from '#domain/forecast/releases/release-table.ts';

export const RELEASE_TABLE_FILE = 'releases.json';
const SHIPPED_DIR = fileURLToPath(new URL('../../../models/', import.meta.url));
const VERSION_DIGITS = 10;

/** Of the shipped models, also where an operator's own are served. @throws Error for a missing or altered file */
export function readReleaseTable(folder: string = SHIPPED_DIR): ReleaseTable {
  const text = readFileSync(join(folder, RELEASE_TABLE_FILE), 'utf8');
  const { version, ...content } = z.record(z.string(), z.unknown()).parse(JSON.parse(text));
  if (version !== releaseTableVersion(content)) throw new Error(`${RELEASE_TABLE_FILE} does not match its version.`);
  return releaseTableSchema.parse({ version, ...content });
}

export function releaseTableVersion(content: object): string {
  return `releases-${hash('sha256', JSON.stringify(content)).slice(0, VERSION_DIGITS)}`;
}
