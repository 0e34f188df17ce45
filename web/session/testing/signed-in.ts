import { renderHook, waitFor } from '@testing-library/react';
import { expect } from 'vitest';
import { storeSession } from '../../platform/testing/fake-backend.ts';
import { useSession } from '../session.ts';

/** Waits until the page knows the user, so that the first render shows it. Call `fakeBackend()` before. */
export async function signedIn(change: Parameters<typeof storeSession>[0] = {}): Promise<void> {
  storeSession(change);
  const { result, unmount } = renderHook(useSession);
  await waitFor(() => expect(result.current.user).not.toBeNull());
  unmount();
}
