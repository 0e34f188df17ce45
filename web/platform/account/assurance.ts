/** Whether a session may be used yet: every session of an account with a second factor must show it. */

interface Factor {
  id: string;
  factor_type: string;
  status: string;
  friendly_name?: string;
}

/** The part of the client library's session that is used here. */
export interface ProvenSession {
  access_token: string;
  user: { factors?: Factor[] };
}

export interface SecondFactor {
  id: string;
  /** Empty if its owner gave it no name. */
  name: string;
}

/** The verified authenticator apps of the session's account; empty for most accounts. */
export function secondFactorsOf({ user }: ProvenSession): SecondFactor[] {
  const verified = (user.factors ?? []).filter((f) => f.status === 'verified' && f.factor_type === 'totp');
  return verified.map((factor) => ({ id: factor.id, name: factor.friendly_name ?? '' }));
}

/** True while the account has a second factor and this session has not shown it. */
export function waitsForSecondFactor(session: ProvenSession): boolean {
  return secondFactorsOf(session).length > 0 && claimOf(session.access_token, 'aal') !== 'aal2';
}

/** A claim of an unverified token; null if it isn't a token or has no such claim. */
export function claimOf(token: string, name: string): unknown {
  try {
    const [, payload = ''] = token.split('.');
    const claims: unknown = JSON.parse(atob(payload.replaceAll('-', '+').replaceAll('_', '/')));
    return typeof claims === 'object' && claims !== null && name in claims ? Reflect.get(claims, name) : null;
  } catch {
    return null;
  }
}
