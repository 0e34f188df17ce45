/** Detects secrets that anyone could guess: too short, a pattern, or published in documentation. */

/** From documentation and templates of software that is often deployed beside a server like this one. */
const PRINTED = new Set(
  [
    'your-super-secret-jwt-token-with-at-least-32-characters-long',
    'super-secret-jwt-token-with-at-least-32-characters-long',
    'this_password_is_insecure_and_should_be_updated',
    'your-super-secret-and-long-postgres-password',
    'wjalrxutnfemi/k7mdeng/bpxrficyexamplekey',
    'akiaiosfodnn7example',
    'minioadmin',
    'minio123',
    // From the payment provider's guides, without its prefix.
    '4ec39hqlyjwdarjtt1zdp7dc',
    // Captcha services accept any response with these.
    '1x0000000000000000000000000000000aa',
    '2x0000000000000000000000000000000aa',
    '3x0000000000000000000000000000000aa',
    '0x0000000000000000000000000000000000000000',
    '6leivcqsaaaaabfdtowlwskclf2qiyopvqzsrtiz',
  ].map((text) => text.toLowerCase()),
);
/** Two words or more after `my-`: a random secret may start like that, but it does not continue with words. */
const PLACEHOLDER =
  /^(<.*>|\[.*\]|\$\{.*\}|(your|my|the)([-_ ][a-z]{2,12}){2,}\d*|change[-_ ]?(me|this).*|example.*|.*example|placeholder.*|todo([-_ :].*)?)$/;
const COMMON =
  /^(password|passw0rd|secret|postgres|supabase|admin|root|test|kat|default|letmein|qwerty|123456)\d{0,4}!?$/;
/** A random secret of 16 characters or more has more distinct characters. */
const MIN_DISTINCT = 6;

/** @returns why a secret is weak; null for a good one */
export function weaknessOf(secret: string, minLength: number): string | null {
  const lower = secret.trim().toLowerCase();
  if (PRINTED.has(lower) || PLACEHOLDER.test(lower) || COMMON.test(lower)) return 'is an example that everybody knows';
  if (secret.length < minLength) return `is shorter than ${minLength} characters`;
  if (new Set(secret).size < Math.min(MIN_DISTINCT, minLength)) return 'repeats a few characters';
  if (isSequence(lower)) return 'is a sequence of characters';
  return null;
}

/** Detects abcdefgh... and 12345678...: most characters follow their neighbour. */
function isSequence(text: string): boolean {
  let steps = 0;
  for (let at = 1; at < text.length; at += 1) {
    const step = text.charCodeAt(at) - text.charCodeAt(at - 1);
    if (Math.abs(step) <= 1) steps += 1;
  }
  return steps > text.length / 2;
}
