/** A plan's picture. */
import type { PlanName } from '#domain/billing/plans.ts';
import { BobcatMark, KatMark, LionMark } from '../../../brand/marks.tsx';

export const PLAN_MARKS = { free: KatMark, bobcat: BobcatMark, lion: LionMark } as const satisfies Record<
  PlanName,
  unknown
>;
