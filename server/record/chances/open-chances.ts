import type { Hono } from 'hono';
import { jobStore } from '../../platform/processes/job-store.ts';
import { type Job, startJob } from '../../platform/processes/schedule.ts';
import type { FiguresDeps } from '../figures/record-figures.ts';
import { chanceBlockStore } from './chance-block-store.ts';
import { makeChanceFigures } from './chance-figures-job.ts';
import { type ChanceFigureRouteDeps, chanceRoutes } from './chance-routes.ts';
import { chanceSummaryStore } from './chance-summary-store.ts';

export interface RecordedChances {
  routes: Hono;
  close(): Promise<void>;
}

/** Figures, rows and routes of recorded chances. They are issued, scored and sealed with the forecasts. */
export function openRecordedChances(deps: ChanceFigureRouteDeps & FiguresDeps): RecordedChances {
  const job = startChanceFigures(deps);
  return { routes: chanceRoutes(deps), close: () => job.close() };
}

const PERIOD_MS = 60_000;
/** Building a year from nothing takes minutes; an aborted run keeps its finished part. */
const LIMIT_MS = 10 * 60_000;

function startChanceFigures(deps: FiguresDeps & Pick<ChanceFigureRouteDeps, 'database'>): Job {
  const stores = { blocks: chanceBlockStore(deps.database), summaries: chanceSummaryStore(deps.database) };
  return startJob({
    name: 'record-chance-figures',
    periodMs: PERIOD_MS,
    limitMs: LIMIT_MS,
    store: jobStore(deps.database),
    log: deps.log,
    async run(signal) {
      await makeChanceFigures(stores, deps, signal);
      return undefined;
    },
  });
}
