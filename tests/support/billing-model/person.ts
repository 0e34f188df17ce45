/** A person in a history: what they hold, what they remember, and their random choices. */
import * as z from 'zod/mini';
import type { PlanName } from '#domain/billing/plans.ts';
import { subscriptionRecordSchema } from '#domain/billing/subscription-record.ts';
import type { Random } from '../../../server/forecast/paths/random.ts';
import type { Person } from '../worlds/billing-world.ts';

export type PaidPlan = Exclude<PlanName, 'free'>;

export interface ModelPerson extends Person {
  /** Position in the batch; with the batch's seed it reproduces the history. */
  index: number;
  random: Random;
  /** Their actions and outcomes, oldest first. */
  log: string[];
  /** Every later charge will succeed, with the card used last. */
  paysReliably: boolean;
}

/** The columns that the page reads, with the person's own rights. */
export const rowsSchema = z.array(subscriptionRecordSchema);

export function pick<T>(random: Random, choices: readonly T[]): T {
  const chosen = choices[Math.floor(random() * choices.length)];
  if (chosen === undefined) throw new Error('There is nothing to choose from.');
  return chosen;
}

/** @param choices  each with its weight */
export function weighted<T>(random: Random, choices: readonly (readonly [number, T])[]): T {
  let left = random() * choices.reduce((sum, [weight]) => sum + weight, 0);
  for (const [weight, choice] of choices) {
    left -= weight;
    if (left < 0) return choice;
  }
  return pick(random, choices)[1];
}
