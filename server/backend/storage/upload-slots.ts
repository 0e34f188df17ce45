/** Limits the uploads in progress: each holds its whole body in memory, and a slow one holds it for long. */
import { AppError } from '#domain/errors/app-error.ts';
import { busy } from './storage-refusal.ts';

/** 24 bodies of at most 6 MiB. */
const MAX_CONCURRENT = 24;
const MAX_CONCURRENT_OF_USER = 6;

export interface UploadSlots {
  /**
   * @param uploader null for the service role, which may use all free slots
   * @throws AppError `request/too-many` when this uploader has six already, StorageRefusal 503 when all are taken
   */
  hold<T>(uploader: string | null, work: () => Promise<T>): Promise<T>;
}

export function uploadSlots(limits = { all: MAX_CONCURRENT, ofOne: MAX_CONCURRENT_OF_USER }): UploadSlots {
  const held = new Map<string | symbol, number>();
  let all = 0;
  return {
    async hold(uploaderOrService, work) {
      const uploader = uploaderOrService ?? Symbol('service');
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
