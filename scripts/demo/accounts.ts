/** The demo accounts. Never in production. */
import type { PlanName } from '#domain/billing/plans.ts';

export const DEMO_PASSWORD = 'Password1';

export interface DemoAccount {
  email: string;
  fullName: string;
  role: 'admin' | 'user';
  plan: PlanName;
  /** Exactly one account is not: it shows the banner and the first steps. */
  isVerified: boolean;
}

export const DEMO_ACCOUNTS: readonly DemoAccount[] = [
  { email: 'admin@example.com', fullName: 'Demo Admin', role: 'admin', plan: 'free', isVerified: true },
  { email: 'free@example.com', fullName: 'Demo Free', role: 'user', plan: 'free', isVerified: true },
  { email: 'bobcat@example.com', fullName: 'Demo Bobcat', role: 'user', plan: 'bobcat', isVerified: true },
  { email: 'lion@example.com', fullName: 'Demo Lion', role: 'user', plan: 'lion', isVerified: true },
  { email: 'new@example.com', fullName: 'Demo Newcomer', role: 'user', plan: 'free', isVerified: false },
];
