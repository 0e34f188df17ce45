/** The faults that this machine can make. */

import { type FaultKind, faultsOf, type Target, type WorldKind } from '../schedule/schedule.ts';
import { openMovedClock } from './moved-clock.ts';

/** Thrown if a service cannot be started, or a fault cannot be made here: nothing was tested. */
export class MeansMissing extends Error {
  override readonly name = 'MeansMissing';
}

let impossible: ReadonlySet<FaultKind> | null = null;

export function possibleFaults(world: WorldKind): readonly (readonly [Target, FaultKind])[] {
  impossible ??= findImpossible();
  return faultsOf(world).filter(([, fault]) => impossible?.has(fault) !== true);
}

function findImpossible(): ReadonlySet<FaultKind> {
  const kinds = new Set<FaultKind>();
  if (process.getuid?.() !== 0) kinds.add('full-disk');
  const clock = openMovedClock();
  if ('skipped' in clock) kinds.add('clock-step');
  else clock.close();
  return kinds;
}
