/** The demo accounts. Never in production. */
import type { PlanName } from '#domain/billing/plans.ts';

export const DEMO_PASSWORD = 'Password1';

export interface DemoAccount {
  email: string;
  fullName: string;
  role: 'admin' | 'user';
  plan: PlanName;
}

export const DEMO_ACCOUNTS: readonly DemoAccount[] = [
  { email: 'admin@example.com', fullName: 'Demo Admin', role: 'admin', plan: 'free' },
  { email: 'free@example.com', fullName: 'Demo Free', role: 'user', plan: 'free' },
  { email: 'bobcat@example.com', fullName: 'Demo Bobcat', role: 'user', plan: 'bobcat' },
  { email: 'lion@example.com', fullName: 'Demo Lion', role: 'user', plan: 'lion' },
];
