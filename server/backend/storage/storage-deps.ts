import type { Caller } from '../../platform/caller.ts';
import type { Database } from '../../platform/database.ts';
import type { Logger } from '../../platform/log.ts';
import type { RateLimits } from '../limits.ts';
import type { Pictures } from './images.ts';
import type { ObjectFiles } from './object-files.ts';
import type { UploadSlots } from './upload-slots.ts';

/** What the storage routes work with. */
export interface StorageDeps {
  database: Database;
  log: Logger;
  files: ObjectFiles;
  limits: Pick<RateLimits, 'uploadsPerUser'>;
  /** @throws StorageRefusal and AppError for a request without a valid token */
  callerOf: (request: Request) => Promise<Caller>;
}

export interface StorageParts extends StorageDeps {
  pictures: Pictures;
  slots: UploadSlots;
}
