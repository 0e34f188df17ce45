/** Addresses of which one has an account and the other has none: no one may learn which is which. */
import { authCalls } from './auth.ts';
import { mailCalls } from './auth-mail.ts';

/** @param server  that of the test, opened before the first call */
export function knownAddresses(server: Parameters<typeof authCalls>[0] & Parameters<typeof mailCalls>[0]) {
  const { post } = authCalls(server);
  const { mailTo } = mailCalls(server);
  let people = 0;

  /** A new account whose address is confirmed. */
  async function confirmed(): Promise<string> {
    people += 1;
    const email = `known${people}@example.com`;
    await post('/auth/v1/signup', { email, password: 'Password1' });
    const { code } = await mailTo(email, 'confirmation');
    await post('/auth/v1/verify', { email, token: code, type: 'signup' });
    return email;
  }

  /** An address that no one has used. */
  function unknownAddress(): string {
    people += 1;
    return `none${people}@example.com`;
  }

  return { post, confirmed, unknownAddress };
}
