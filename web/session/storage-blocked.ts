/** Whether this browser keeps anything for the site: without that a session lasts as long as its page. */
import { useEffect, useState } from 'react';
import { isStorageOpen } from '../platform/account/session-storage.ts';

/** False until it is known. */
export function useStorageBlocked(): boolean {
  const [isBlocked, setBlocked] = useState(false);
  useEffect(() => setBlocked(!isStorageOpen()), []);
  return isBlocked;
}
