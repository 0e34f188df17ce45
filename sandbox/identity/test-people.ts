/** Users who can sign in at the simulated providers: a few invented ones, or one typed into the form. */
import { createHash } from 'node:crypto';
import * as z from 'zod/mini';

export interface TestPerson {
  name: string;
  email: string;
  isEmailVerified: boolean;
}

export const TEST_PEOPLE: readonly TestPerson[] = [
  { name: 'Ada Test', email: 'ada.test@example.com', isEmailVerified: true },
  { name: 'Ben Test', email: 'ben.test@example.com', isEmailVerified: true },
  { name: 'Cleo Unproven', email: 'cleo.unproven@example.com', isEmailVerified: false },
];

export type SignInChoice = { kind: 'cancel' } | { kind: 'person'; person: TestPerson };

const formSchema = z.object({
  action: z.enum(['continue', 'cancel']),
  person: z.optional(z.string()),
  name: z.optional(z.string().check(z.trim(), z.maxLength(2000))),
  email: z.optional(z.string().check(z.trim(), z.maxLength(320))),
  verified: z.optional(z.literal('yes')),
});

/** Reads the page's form: `person` is a listed user's address, or `own` with name, email and verified. */
export function readChoice(form: URLSearchParams): SignInChoice | null {
  const parsed = formSchema.safeParse(Object.fromEntries(form));
  if (!parsed.success) return null;
  const { action, person, name = '', email = '', verified } = parsed.data;
  if (action === 'cancel') return { kind: 'cancel' };
  const known = TEST_PEOPLE.find((one) => one.email === person);
  if (known !== undefined) return { kind: 'person', person: known };
  if (!/^[^@\s]+@[^@\s]+$/.test(email)) return null;
  return { kind: 'person', person: { name: name || email, email, isEmailVerified: verified === 'yes' } };
}

/** The same for the same address, so that a returning user is recognized. */
export function accountNumber({ email }: TestPerson): number {
  return createHash('sha256').update(email.toLowerCase()).digest().readUInt32BE(0) + 1;
}

/** In the provider's format: 21 digits. */
export function googleSubject(person: TestPerson): string {
  return `1${String(accountNumber(person)).padStart(20, '0')}`;
}
