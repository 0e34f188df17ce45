/** Only the browser that began a sign-in can complete it: RFC 7636 (PKCE). */
import { hash, timingSafeEqual } from 'node:crypto';
import { AuthError, validationFailed } from '../auth-error.ts';

/** The challenge that the starting browser must later prove. */
export interface CodeChallenge {
  challenge: string;
  method: 's256' | 'plain';
}

const CHALLENGE = /^[A-Za-z0-9._~-]{43,128}$/;

/** @returns null for the implicit flow, when neither is given. @throws AuthError 400 validation_failed */
export function readCodeChallenge(
  challenge: string | null | undefined,
  method: string | null | undefined,
): CodeChallenge | null {
  const isAbsent = (value: string | null | undefined) => value === null || value === undefined || value === '';
  if (isAbsent(challenge) && isAbsent(method)) return null;
  const named = method?.toLowerCase();
  if (typeof challenge !== 'string' || (named !== 's256' && named !== 'plain'))
    throw validationFailed('PKCE flow requires code_challenge_method and code_challenge');
  if (!CHALLENGE.test(challenge))
    throw validationFailed('code challenge has to be between 43 and 128 characters of letters, digits, -, ., _ and ~');
  return { challenge, method: named };
}

/** @throws AuthError 400 bad_code_verifier */
export function requireCodeVerifier(verifier: string, { challenge, method }: CodeChallenge): void {
  const derived = method === 's256' ? hash('sha256', verifier, 'base64url') : verifier;
  const isMatch =
    Buffer.byteLength(derived) === Buffer.byteLength(challenge) &&
    timingSafeEqual(Buffer.from(derived), Buffer.from(challenge));
  if (!isMatch)
    throw new AuthError(400, 'bad_code_verifier', 'code challenge does not match previously saved code verifier');
}
