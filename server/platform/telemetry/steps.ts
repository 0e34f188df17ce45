/** Code reports its work here without knowing the watchers. Without watchers a step costs one comparison. */

export interface Step {
  /** `request`, `statement`, `feed` ... */
  readonly kind: string;
  /** One of few values, without visitor data: a path pattern, a model, a host from the settings. May be set late. */
  name: string;
  /** How it ended, as one value; by default `ok`, or `failed` if it rejects. */
  outcome?: string;
  /** The caller's W3C `traceparent`, if the caller is trusted. */
  readonly parent?: string | undefined;
}

export interface StepWatcher {
  /** Runs `work` once and ends as it does. */
  watch<T>(step: Step, work: () => Promise<T>): Promise<T>;
  /** The current trace id; undefined if nothing is traced. */
  traceId?(): string | undefined;
}

let watchers: readonly StepWatcher[] = [];

/** Watches the whole process. @returns a function that stops it */
export function watchSteps(watcher: StepWatcher): () => void {
  watchers = [...watchers, watcher];
  return () => {
    watchers = watchers.filter((one) => one !== watcher);
  };
}

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

export function currentTraceId(): string | undefined {
  for (const watcher of watchers) {
    const id = watcher.traceId?.();
    if (id !== undefined) return id;
  }
  return undefined;
}
