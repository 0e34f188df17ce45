/** What people read when sign-in or sign-up fails, by the server's words. Specification 1, section 8. */
export function signInMessage(serverMessage: string): string {
  if (serverMessage.includes('Invalid login credentials'))
    return 'Invalid email or password. Please check your credentials and try again.';
  if (serverMessage.includes('Email not confirmed'))
    return 'Please check your email and click the confirmation link before signing in.';
  if (serverMessage.includes('Too many requests'))
    return 'Too many sign-in attempts. Please wait a moment before trying again.';
  return 'An error occurred during sign-in. Please try again.';
}

export function signUpMessage(serverMessage: string): string {
  if (serverMessage.includes('User already registered'))
    return 'An account with this email already exists. Please sign in instead.';
  if (serverMessage.includes('Password should be at least')) return 'Password must be at least 6 characters long.';
  if (serverMessage.includes('Invalid email')) return 'Please enter a valid email address.';
  return 'Failed to create account. Please try again.';
}

/** @param provider  as people write it: Google, GitHub */
export function providerMessage(provider: string): string {
  return `Failed to sign in with ${provider}. Please try again.`;
}

export const NO_SESSION_AFTER_SIGN_UP = 'Account created but failed to sign in automatically. Please sign in manually.';
/** The way back from a provider brought nobody. */
export const AUTHENTICATION_FAILED = 'Authentication failed. Please try again.';
export const SIGN_UP_EXCEPTION = 'An unexpected error occurred. Please try again.';
