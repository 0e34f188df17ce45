/**
 * What is worth timing: a request, a statement, a call elsewhere. Whoever does it says so here and knows nothing of who
 * watches; with nobody watching it costs one comparison.
 */

export interface Step {
  /** `request`, `statement`, `feed` ... */
  readonly kind: string;
  /** One of few, and nothing of a visitor's: a pattern of a path, a model, a host of the settings. May be told late. */
  name: string;
  /** How it ended, in a word; by default `ok`, or `failed` for what rejects. */
  outcome?: string;
  /** W3C `traceparent` of whoever asked for it, where that is somebody we trust. */
  readonly parent?: string | undefined;
}

export interface StepWatcher {
  /** Runs `work` once and ends as it does. */
  watch<T>(step: Step, work: () => Promise<T>): Promise<T>;
  /** Of what is being done just now; undefined where nothing is traced. */
  traceId?(): string | undefined;
}

let watchers: readonly StepWatcher[] = [];

/** Of the whole process, like all that is measured. @returns its undo */
export function watchSteps(watcher: StepWatcher): () => void {
  watchers = [...watchers, watcher];
  return () => {
    watchers = watchers.filter((one) => one !== watcher);
  };
}

/** Does `work` under everybody's eyes. */
export function step<T>(one: Step, work: () => Promise<T>): Promise<T> {
  if (watchers.length === 0) return work();
  let watched = work;
  for (const watcher of watchers) {
    const inner = watched;
    watched = () => watcher.watch(one, inner);
  }
  return watched();
}

export function isWatched(): boolean {
  return watchers.length > 0;
}

/** Undefined where nothing is traced. */
export function currentTraceId(): string | undefined {
  for (const watcher of watchers) {
    const id = watcher.traceId?.();
    if (id !== undefined) return id;
  }
  return undefined;
}
