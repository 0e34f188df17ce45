/** How many uploads may be under way: each holds its whole body in memory, and a slow one holds it for long. */
import { AppError } from '#domain/errors/app-error.ts';
import { busy } from './storage-refusal.ts';

/** 16 bodies of 6 MiB at most. */
const MAX_AT_ONCE = 16;
const MAX_AT_ONCE_OF_ONE = 2;

export interface UploadSlots {
  /** @throws AppError `request/too-many` when this uploader has two already, StorageRefusal 503 when all are taken */
  hold<T>(uploader: string, work: () => Promise<T>): Promise<T>;
}

export function uploadSlots(limits = { all: MAX_AT_ONCE, ofOne: MAX_AT_ONCE_OF_ONE }): UploadSlots {
  const held = new Map<string, number>();
  let all = 0;
  return {
    async hold(uploader, work) {
      const own = held.get(uploader) ?? 0;
      if (own >= limits.ofOne) throw new AppError('request/too-many', { details: { retryAfterS: 1 } });
      if (all >= limits.all) throw busy();
      held.set(uploader, own + 1);
      all += 1;
      try {
        return await work();
      } finally {
        all -= 1;
        const left = (held.get(uploader) ?? 1) - 1;
        if (left === 0) held.delete(uploader);
        else held.set(uploader, left);
      }
    },
  };
}
