/** What a page's arrival costs, from the events of Chromium's trace: processor time of the main thread, not the clock. */
import * as z from 'zod/mini';

/** Categories of the trace that hold these events. */
export const TRACE_CATEGORIES = [
  'devtools.timeline',
  'disabled-by-default-devtools.timeline',
  'blink.user_timing',
  '__metadata',
];

/** Every task of a thread; tasks do not nest. */
const TASK = 'RunTask';
/** The main thread hands a drawn state to the compositor: one for each frame that it takes part in. */
const FRAME = 'Commit';
const NAVIGATION = 'navigationStart';
const REQUEST = 'ResourceSendRequest';
const ANSWERED = 'ResourceFinish';

const eventSchema = z.object({
  name: z.string(),
  pid: z.number(),
  tid: z.number(),
  ts: z.number(),
  tdur: z.optional(z.number()),
  args: z.optional(
    z.looseObject({
      name: z.optional(z.string()),
      data: z.optional(
        z.looseObject({
          documentLoaderURL: z.optional(z.string()),
          isOutermostMainFrame: z.optional(z.boolean()),
          encodedDataLength: z.optional(z.number()),
          url: z.optional(z.string()),
        }),
      ),
    }),
  ),
});
type TraceEvent = z.infer<typeof eventSchema>;

export interface ArrivalFigures {
  /** Processor time of the main thread's tasks. */
  cpuMs: number;
  /** The longest one. */
  longestMs: number;
  tasks: number;
  frames: number;
  requests: number;
  kilobytes: number;
}

/**
 * Counts from the last navigation of the page's main frame to the end of the trace.
 * @throws Error if the trace has none of the address, or the browser reports no processor time
 */
export function arrivalFigures(trace: readonly unknown[], url: string): ArrivalFigures {
  const events = trace.flatMap((entry) => eventSchema.safeParse(entry).data ?? []);
  const start = events.find((event) => event.name === NAVIGATION && event.args?.data?.documentLoaderURL === url);
  if (start === undefined) throw new Error(`The trace has no navigation to ${url}.`);
  const own = events.filter(({ pid, tid, ts }) => pid === start.pid && tid === start.tid && ts >= start.ts);
  const named = (name: string): TraceEvent[] => own.filter((event) => event.name === name);
  // The task during which the trace ends has no duration.
  const tasks = named(TASK).filter(({ tdur }) => tdur !== undefined);
  if (tasks.length === 0) throw new Error('The trace has no processor time.');
  const cpuMs = tasks.map(({ tdur = 0 }) => tdur / 1000);
  const bytes = named(ANSWERED).reduce((sum, event) => sum + (event.args?.data?.encodedDataLength ?? 0), 0);
  return {
    cpuMs: cpuMs.reduce((sum, ms) => sum + ms, 0),
    longestMs: Math.max(...cpuMs),
    tasks: tasks.length,
    frames: named(FRAME).length,
    requests: named(REQUEST).length,
    kilobytes: bytes / 1024,
  };
}
