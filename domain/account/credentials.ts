import * as z from 'zod/mini';
import { utf8Bytes } from '../format/utf8-bytes.ts';
import { isPlainText } from './plain-text.ts';

const NO_EMAIL = 'Please enter a valid email address';
const email = z.string().check(z.trim(), z.maxLength(255, NO_EMAIL), z.email(NO_EMAIL));

export const signInSchema = z.object({
  email,
  password: z.string().check(z.minLength(6, 'Password must be at least 6 characters')),
});

const STRONG = /^(?=.*[a-z])(?=.*[A-Z])(?=.*\d)/s;
/** The server's password hash ignores bytes beyond this. */
const MAX_PASSWORD_BYTES = 72;

const newPassword = z.string().check(
  z.minLength(8, 'Password must be at least 8 characters'),
  z.regex(STRONG, 'Password must contain at least one uppercase letter, one lowercase letter, and one number'),
  z.refine(isPlainText, 'Password contains a character that can’t be used'),
  z.refine(
    (text) => utf8Bytes(text) <= MAX_PASSWORD_BYTES,
    'Password must be at most 72 characters, or fewer with accents or symbols',
  ),
);

const fullName = z
  .string()
  .check(
    z.trim(),
    z.minLength(2, 'Full name must be at least 2 characters'),
    z.maxLength(200, 'Full name must be at most 200 characters'),
    z.refine(isPlainText, 'Full name contains a character that can’t be stored'),
  );

const isSameTwice = (form: { password: string; confirmPassword: string }) => form.password === form.confirmPassword;
const NOT_THE_SAME = { path: ['confirmPassword'], error: "Passwords don't match" };

export const signUpSchema = z
  .object({ fullName, email, password: newPassword, confirmPassword: z.string() })
  .check(z.refine(isSameTwice, NOT_THE_SAME));

export const mailAddressSchema = z.object({ email });

/** A new password follows the rules of sign-up (R-AUTH-24). */
export const newPasswordSchema = z
  .object({ password: newPassword, confirmPassword: z.string() })
  .check(z.refine(isSameTwice, NOT_THE_SAME));

const sixDigits = (message: string) =>
  z.object({
    code: z.pipe(
      z.pipe(
        z.string(),
        z.transform((text) => text.replaceAll(/\s/g, '')),
      ),
      z.string().check(z.regex(/^\d{6}$/, message)),
    ),
  });

export const mailCodeSchema = sixDigits('Please enter the 6 digits from the email');

export const factorCodeSchema = sixDigits('Please enter the 6 digits from your app');

/** A recovery code as typed: in any case, with or without separators. */
export const recoveryCodeSchema = z.object({
  code: z.pipe(
    z.pipe(
      z.string(),
      z.transform((text) => text.toLowerCase().replaceAll(/[\s\p{Pd}]/gu, '')),
    ),
    z.string().check(z.regex(/^[a-z0-9]{12}$/, 'Please enter the 12 characters of a recovery code')),
  ),
});

export type SignInForm = z.infer<typeof signInSchema>;
export type SignUpForm = z.infer<typeof signUpSchema>;
