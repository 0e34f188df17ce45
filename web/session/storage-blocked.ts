/** If storage is blocked, a session lasts only as long as its page. */
import { useEffect, useState } from 'react';
import { isStorageOpen } from '../platform/account/session-storage.ts';

/** False until known. */
export function useStorageBlocked(): boolean {
  const [isBlocked, setBlocked] = useState(false);
  useEffect(() => setBlocked(!isStorageOpen()), []);
  return isBlocked;
}
