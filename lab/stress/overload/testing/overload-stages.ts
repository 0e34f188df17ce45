/** Overload stages as a server that sheds load well would produce, for tests of the figures computed from them. */
import type { OverloadReport } from '../report/overload-report.ts';
import type { Spread, StageFigures, WorkFigures, WorkKind } from '../stage-figures.ts';
import { loadOf, UNIT_LOAD } from '../unit-load.ts';

const CALLS_A_PAGE = 11;

/** @param ofCapacity  a multiple of capacity, which is factor 1 here */
export function stageAt(ofCapacity: number, changes: Partial<StageFigures> = {}): StageFigures {
  const { sockets, streamsPerMinute, pagesPerMinute, signUpsPerMinute } = loadOf(ofCapacity);
  const admitted = Math.min(1, 0.97 / ofCapacity);
  const of = (duePerMinute: number): WorkFigures => ({
    duePerMinute,
    completedPerMinute: duePerMinute * admitted,
    completedShare: ofCapacity > 1 ? admitted : 1,
    leftPerMinute: duePerMinute * (1 - admitted),
  });
  const isOver = ofCapacity > 1;
  return {
    tag: `${ofCapacity}`,
    name: `${ofCapacity}`,
    ofCapacity,
    factor: ofCapacity,
    seconds: 60,
    work: {
      forecasts: of(streamsPerMinute),
      calls: of(pagesPerMinute * CALLS_A_PAGE),
      signUps: of(signUpsPerMinute),
      pages: of(pagesPerMinute),
    },
    refused: isOver ? { stream: 2100, page: 2000 } : {},
    refusedShare: isOver ? 0.7 : 0,
    refusals: isOver ? spread(4, 40 * ofCapacity) : spread(null, null),
    failures: {},
    firstCandle: spread(300, 900),
    firstCandleFromFirstTry: spread(400, 4000),
    lateness: spread(5, 30 + 30 * ofCapacity),
    calls: spread(8, 60 + 80 * ofCapacity),
    callsFromFirstTry: spread(8, 2400),
    documents: spread(6, 70),
    signUps: spread(140, 800),
    signUpsFromFirstTry: spread(140, 3000),
    changes: spread(80, 220),
    sockets,
    framesPerSocketAndSecond: 2,
    cut: 0,
    crowdDelayP99Ms: 3,
    crowdDelayWorstMs: 40,
    host: {
      cores: { server: 0.9, database: 0.1, others: 0.5 },
      measuredS: 60,
      residentMib: 500,
      connections: sockets,
      openFiles: sockets + 60,
      eventLoopP99Ms: 20,
      notReady: {},
    },
    ...changes,
  };
}

/** The same stage with other figures for one kind of work. */
export function withWork(stage: StageFigures, kind: WorkKind, changes: Partial<WorkFigures>): StageFigures {
  return { ...stage, work: { ...stage.work, [kind]: { ...stage.work[kind], ...changes } } };
}

export function spread(p50Ms: number | null, p99Ms: number | null): Spread {
  return { p50Ms, p99Ms, worstMs: p99Ms === null ? null : p99Ms * 2 };
}

export function overloadReport(stages: readonly StageFigures[]): OverloadReport {
  return {
    options: {
      capacity: 1,
      search: [1],
      stageS: 60,
      scenario: null,
      speed: null,
      processes: 1,
      burst: 10_000,
      beside: null,
      turns: 3,
      out: null,
      picture: null,
    },
    capacity: 1,
    searched: [],
    heldBy: null,
    openFilesLimit: 20_000,
    unit: UNIT_LOAD,
    stages,
    rude: null,
    atCapacity: {
      forecasts: UNIT_LOAD.streamsPerMinute,
      pages: UNIT_LOAD.pagesPerMinute,
      calls: UNIT_LOAD.pagesPerMinute * CALLS_A_PAGE,
      signUps: UNIT_LOAD.signUpsPerMinute,
    },
    after: { firstResidentMib: 400, residentMib: 410, connections: 0, openFiles: { before: 60, after: 62 } },
    broken: [],
  };
}
