/** Sign-in and sign-up forms with the messages of specification 1, section 5. */
import * as z from 'zod/mini';

const email = z.string().check(z.trim(), z.maxLength(320), z.email('Please enter a valid email address'));

export const signInSchema = z.object({
  email,
  password: z.string().check(z.minLength(6, 'Password must be at least 6 characters')),
});

const STRONG = /^(?=.*[a-z])(?=.*[A-Z])(?=.*\d)/;

export const signUpSchema = z
  .object({
    fullName: z.string().check(z.trim(), z.minLength(2, 'Full name must be at least 2 characters'), z.maxLength(200)),
    email,
    password: z
      .string()
      .check(
        z.minLength(8, 'Password must be at least 8 characters'),
        z.regex(STRONG, 'Password must contain at least one uppercase letter, one lowercase letter, and one number'),
      ),
    confirmPassword: z.string(),
  })
  .check(
    z.refine((form) => form.password === form.confirmPassword, {
      path: ['confirmPassword'],
      error: "Passwords don't match",
    }),
  );

export type SignInForm = z.infer<typeof signInSchema>;
export type SignUpForm = z.infer<typeof signUpSchema>;
