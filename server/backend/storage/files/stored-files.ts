import { join } from 'node:path';
import type { Config } from '../../../platform/config/config.ts';
import { diskFiles } from './disk-files.ts';
import type { ObjectFiles } from './object-files.ts';
import { s3Files } from './s3-files.ts';

export function openStoredFiles({ s3, dataDir }: Pick<Config, 's3' | 'dataDir'>): ObjectFiles {
  return s3 === null ? diskFiles(join(dataDir, 'storage')) : s3Files(s3);
}
