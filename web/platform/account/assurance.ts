/** Whether a session may be used yet: an account with a second factor asks each session for it. */

interface Factor {
  id: string;
  factor_type: string;
  status: string;
  friendly_name?: string;
}

/** What the client library's session has of it. */
export interface ProvenSession {
  access_token: string;
  user: { factors?: Factor[] };
}

export interface SecondFactor {
  id: string;
  /** Empty when its owner gave it no name. */
  name: string;
}

/** The authenticator apps of the session's account that are set up; none for most accounts. */
export function secondFactorsOf({ user }: ProvenSession): SecondFactor[] {
  const verified = (user.factors ?? []).filter((f) => f.status === 'verified' && f.factor_type === 'totp');
  return verified.map((factor) => ({ id: factor.id, name: factor.friendly_name ?? '' }));
}

/** True while the account has a second factor and this session has not shown it. */
export function waitsForSecondFactor(session: ProvenSession): boolean {
  return secondFactorsOf(session).length > 0 && claimOf(session.access_token, 'aal') !== 'aal2';
}

/** A claim of a token, unproven; null for whatever is no token, or does not say. */
export function claimOf(token: string, name: string): unknown {
  try {
    const [, payload = ''] = token.split('.');
    const claims: unknown = JSON.parse(atob(payload.replaceAll('-', '+').replaceAll('_', '/')));
    return typeof claims === 'object' && claims !== null && name in claims ? Reflect.get(claims, name) : null;
  } catch {
    return null;
  }
}
