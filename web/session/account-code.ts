/** The code that a signed-in page needs first, prefetched when a user is about to sign in. */
export async function loadAccountCode(): Promise<void> {
  await Promise.all([import('./profile.ts'), import('./subscription.ts')]);
}
