/** A page that knows who is here before anything is rendered. */
import { renderHook, waitFor } from '@testing-library/react';
import { expect } from 'vitest';
import { storeSession } from '../../platform/testing/fake-backend.ts';
import { useSession } from '../session.ts';

/**
 * Signs the user in and waits until the page knows it, so that the first render shows it. Call `fakeBackend()` before.
 *
 * @param change  of the user
 */
export async function signedIn(change: Parameters<typeof storeSession>[0] = {}): Promise<void> {
  storeSession(change);
  const { result, unmount } = renderHook(useSession);
  await waitFor(() => expect(result.current.user).not.toBeNull());
  unmount();
}
