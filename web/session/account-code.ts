/** The code that a signed-in page asks for first: fetched ahead by whoever sees that somebody is about to sign in. */
export async function loadAccountCode(): Promise<void> {
  await Promise.all([import('./profile.ts'), import('./subscription.ts')]);
}
