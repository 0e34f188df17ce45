/** Sign-in, sign-up and password forms with the messages of specification 1, section 5. */
import * as z from 'zod/mini';

const email = z.string().check(z.trim(), z.maxLength(320), z.email('Please enter a valid email address'));

export const signInSchema = z.object({
  email,
  password: z.string().check(z.minLength(6, 'Password must be at least 6 characters')),
});

const STRONG = /^(?=.*[a-z])(?=.*[A-Z])(?=.*\d)/;

const newPassword = z
  .string()
  .check(
    z.minLength(8, 'Password must be at least 8 characters'),
    z.regex(STRONG, 'Password must contain at least one uppercase letter, one lowercase letter, and one number'),
  );

const isSameTwice = (form: { password: string; confirmPassword: string }) => form.password === form.confirmPassword;
const NOT_THE_SAME = { path: ['confirmPassword'], error: "Passwords don't match" };

export const signUpSchema = z
  .object({
    fullName: z.string().check(z.trim(), z.minLength(2, 'Full name must be at least 2 characters'), z.maxLength(200)),
    email,
    password: newPassword,
    confirmPassword: z.string(),
  })
  .check(z.refine(isSameTwice, NOT_THE_SAME));

export const mailAddressSchema = z.object({ email });

/** A new password keeps the rules of sign-up. */
export const newPasswordSchema = z
  .object({ password: newPassword, confirmPassword: z.string() })
  .check(z.refine(isSameTwice, NOT_THE_SAME));

/** The six digits of a mail, however they were copied. */
export const mailCodeSchema = z.object({
  code: z.pipe(
    z.pipe(
      z.string(),
      z.transform((text) => text.replaceAll(/\s/g, '')),
    ),
    z.string().check(z.regex(/^\d{6}$/, 'Please enter the 6 digits of the mail')),
  ),
});

export type SignInForm = z.infer<typeof signInSchema>;
export type SignUpForm = z.infer<typeof signUpSchema>;
