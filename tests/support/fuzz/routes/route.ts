/** What a route is to the fuzzer, and the words that several of them take. */
import fc from 'fast-check';

export interface FuzzRoute {
  methods: readonly string[];
  /** Parts in braces are filled with hostile values, or with the names below. */
  path: string;
  query?: Readonly<Record<string, fc.Arbitrary<string>>>;
  body?: Readonly<Record<string, fc.Arbitrary<unknown>>>;
  /** A file, in a form or bare. */
  isUpload?: boolean;
  /** A bearer token that is forged must be refused here. */
  readsToken?: boolean;
  /** A bearer token that is no key of the read API must be refused here. */
  readsKey?: boolean;
  /** Default 3. Hashing a password takes a tenth of a second: those routes come less often. */
  weight?: number;
}

/** Filled in by the sender, who knows the accounts: `@victim.id` and the like. */
export const VICTIM_ID = '@victim.id@';
export const VICTIM_EMAIL = '@victim.email@';

export const words = (...texts: string[]) => fc.constantFrom(...texts);
export const email = fc.oneof(words(VICTIM_EMAIL, 'fuzz@example.com', 'nobody@example.com'), fc.emailAddress());
export const password = words('Password1', 'Password2', 'short', 'x'.repeat(73));
export const redirect = words(
  'http://127.0.0.1/',
  '/dashboard',
  'https://evil.example/',
  '//evil.example',
  'javascript:1',
);
export const token = words('123456', '000000', 'abc', 'a'.repeat(56), '@attacker.refresh@');
export const challenge = words('a'.repeat(43), 'x', 'b'.repeat(128));
export const proof = { code_challenge: challenge, code_challenge_method: words('s256', 'plain') };
export const id = fc.oneof(words(VICTIM_ID, '@attacker.id@'), fc.uuid());
export const otpType = words(
  'signup',
  'magiclink',
  'recovery',
  'invite',
  'email',
  'email_change',
  'sms',
  'phone_change',
);
export const metadata = fc.oneof(fc.constant({ full_name: 'Fuzz' }), fc.constant({ role: 'admin' }), fc.constant(null));
export const captcha = fc.constantFrom<unknown>({}, { captcha_token: 'x' }, null);
