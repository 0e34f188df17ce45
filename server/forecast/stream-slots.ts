/** How many streams each user has open in this process. A few tabs are welcome; hundreds are somebody's script. */
import { AppError } from '#domain/errors/app-error.ts';

export const MAX_OPEN_STREAMS = 3;

export interface StreamSlots {
  /** @returns gives the slot back; calling it again does nothing. @throws AppError `request/too-many` */
  take(userId: string): () => void;
}

export function streamSlots(maxPerUser = MAX_OPEN_STREAMS): StreamSlots {
  const open = new Map<string, number>();

  function take(userId: string): () => void {
    const count = open.get(userId) ?? 0;
    if (count >= maxPerUser) {
      throw new AppError('request/too-many', { details: { openStreams: maxPerUser, retryAfterS: 5 } });
    }
    open.set(userId, count + 1);
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      const left = (open.get(userId) ?? 1) - 1;
      if (left === 0) open.delete(userId);
      else open.set(userId, left);
    };
  }

  return { take };
}
