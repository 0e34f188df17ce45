/** What this server does not offer says so; nothing pretends to have worked. */
import { AuthError } from './auth-error.ts';

export function notAvailable(): AuthError {
  return new AuthError(501, 'not_available', 'This is not available yet');
}
