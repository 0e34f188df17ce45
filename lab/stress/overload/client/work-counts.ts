/**
 * How much of one kind of work was due and completed, by stage of the load. A refused client comes back later, perhaps
 * in the next stage. So completed work is counted twice: for the stage in which it was due and for the one that ran
 * then.
 */

export interface WorkOfStage {
  /** Was to begin in this stage. */
  due: number;
  /** Of those, completed at any time. */
  completedOfDue: number;
  /** Completed while this stage ran, whenever it was due: the goodput. */
  completedMeanwhile: number;
  /** Clients that gave up while this stage ran, after the last refusal that they accept. */
  left: number;
}

export type StageWork = Record<string, WorkOfStage>;

export class WorkCounts {
  readonly #stages = new Map<string, WorkOfStage>();
  #stage = '';

  /** Work that is due from now on belongs to this stage. */
  enter(stage: string): void {
    this.#stage = stage;
  }

  /** @returns the stage, to be passed when the work completes */
  due(count = 1): string {
    this.#of(this.#stage).due += count;
    return this.#stage;
  }

  /** @param dueStage  returned by `due` */
  completed(dueStage: string, count = 1): void {
    this.#of(dueStage).completedOfDue += count;
    this.#of(this.#stage).completedMeanwhile += count;
  }

  left(count = 1): void {
    this.#of(this.#stage).left += count;
  }

  /** By stage, since the beginning. */
  figures(): StageWork {
    return Object.fromEntries([...this.#stages].map(([stage, work]) => [stage, { ...work }]));
  }

  #of(stage: string): WorkOfStage {
    let found = this.#stages.get(stage);
    if (found === undefined) {
      found = { due: 0, completedOfDue: 0, completedMeanwhile: 0, left: 0 };
      this.#stages.set(stage, found);
    }
    return found;
  }
}
