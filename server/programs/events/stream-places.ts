/** Places of a process for open event streams: some are for accounts with a plan only, and no one may take most of them. */
import { AppError } from '#domain/errors/app-error.ts';

export interface StreamReader {
  userId: string;
  /** Null if unknown. */
  address: string | null;
  /** Read only when the reader could not get a place without a plan. */
  hasPlan(): Promise<boolean>;
}

export interface StreamPlaces {
  /** @returns a function that frees the place @throws AppError `request/too-many` */
  take(reader: StreamReader): Promise<() => void>;
}

export interface PlaceCounts {
  inAll: number;
  forPlansOnly: number;
  ofUser: number;
  /** Of accounts without a plan; an office or a school may share an address. */
  ofAddress: number;
}

const COUNTS: PlaceCounts = { inAll: 1000, forPlansOnly: 300, ofUser: 3, ofAddress: 30 };
const RETRY_S = 30;

export function streamPlaces({ inAll, forPlansOnly, ofUser, ofAddress }: PlaceCounts = COUNTS): StreamPlaces {
  const users = new Map<string, number>();
  /** Without a plan. */
  const addresses = new Map<string, number>();
  let withoutPlan = 0;
  let total = 0;

  const isFreeOf = (userId: string): boolean => total < inAll && (users.get(userId) ?? 0) < ofUser;

  function hasRoomWithoutPlan(address: string | null): boolean {
    return withoutPlan < inAll - forPlansOnly && (address === null || (addresses.get(address) ?? 0) < ofAddress);
  }

  function count({ userId, address }: StreamReader, hasPlan: boolean, change: 1 | -1): void {
    total += change;
    add(users, userId, change);
    if (hasPlan) return;
    withoutPlan += change;
    if (address !== null) add(addresses, address, change);
  }

  return {
    async take(reader) {
      const needsPlan = !hasRoomWithoutPlan(reader.address);
      const hasPlan = needsPlan && isFreeOf(reader.userId) && (await reader.hasPlan());
      // Others may have come meanwhile.
      if (!isFreeOf(reader.userId) || !(hasPlan || hasRoomWithoutPlan(reader.address)))
        throw new AppError('request/too-many', { details: { retryAfterS: RETRY_S, mostStreams: ofUser } });
      count(reader, hasPlan, 1);
      let isFreed = false;
      return () => {
        if (!isFreed) count(reader, hasPlan, -1);
        isFreed = true;
      };
    },
  };
}

function add(counts: Map<string, number>, name: string, change: 1 | -1): void {
  const left = (counts.get(name) ?? 0) + change;
  if (left === 0) counts.delete(name);
  else counts.set(name, left);
}
