import fc from 'fast-check';

export interface FuzzRoute {
  methods: readonly string[];
  /** Parts in braces are replaced by hostile values or by the names below. */
  path: string;
  query?: Readonly<Record<string, fc.Arbitrary<string>>>;
  body?: Readonly<Record<string, fc.Arbitrary<unknown>>>;
  /** Takes a file, in a form or as the raw body. */
  isUpload?: boolean;
  /** A forged bearer token must be refused here. */
  readsToken?: boolean;
  /** A bearer token that isn't a key of the read API must be refused here. */
  readsKey?: boolean;
  /** Default 3. Hashing a password takes a tenth of a second, so those routes are drawn less often. */
  weight?: number;
}

/** The sender fills it in, because it knows the accounts: `@victim.id` and the like. */
export const VICTIM_ID = '@victim.id@';
export const VICTIM_EMAIL = '@victim.email@';

export const choice = (...texts: string[]) => fc.constantFrom(...texts);
export const email = fc.oneof(choice(VICTIM_EMAIL, 'fuzz@example.com', 'nobody@example.com'), fc.emailAddress());
export const password = choice('Password1', 'Password2', 'short', 'x'.repeat(73));
export const redirect = choice(
  'http://127.0.0.1/',
  '/dashboard',
  'https://evil.example/',
  '//evil.example',
  'javascript:1',
);
export const token = choice('123456', '000000', 'abc', 'a'.repeat(56), '@attacker.refresh@');
export const challenge = choice('a'.repeat(43), 'x', 'b'.repeat(128));
export const proof = { code_challenge: challenge, code_challenge_method: choice('s256', 'plain') };
export const id = fc.oneof(choice(VICTIM_ID, '@attacker.id@'), fc.uuid());
export const otpType = choice(
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
