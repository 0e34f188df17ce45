import type { Context } from 'hono';
import type { Core } from '../../core.ts';
import type { Caller } from '../../platform/http/calls/caller.ts';
import type { ByteBudgets } from '../byte-budget.ts';
import type { RateLimits } from '../limits.ts';
import type { ObjectFiles } from './files/object-files.ts';
import type { PictureConverter } from './images.ts';
import type { UploadSlots } from './upload-slots.ts';

export interface StorageDeps extends Pick<Core, 'database' | 'log'> {
  files: ObjectFiles;
  limits: Pick<RateLimits, 'uploadsPerUser'>;
  budgets: Pick<ByteBudgets, 'pictures' | 'verifiedPictures'>;
  /** The address that per-address budgets count. */
  addressOf: (c: Context) => string;
  /** @throws StorageRefusal and AppError for a request without a valid token */
  callerOf: (request: Request) => Promise<Caller>;
}

export interface StorageParts extends StorageDeps {
  pictures: PictureConverter;
  slots: UploadSlots;
}
