/** The figures of an overload as a Markdown table, one column per stage, for lab/figures/overload.md. */
import { type Spread, type StageFigures, WORK_KINDS, type WorkKind } from '../stage-figures.ts';
import { KIND_NAMES } from './bounds.ts';
import type { OverloadReport } from './overload-report.ts';

type Row = readonly [title: string, cell: (stage: StageFigures) => string];

const ROWS: readonly Row[] = [
  ['load, in halves of everything', ({ factor }) => figure(factor, 2)],
  ['live sockets', ({ sockets }) => figure(sockets)],
  ...WORK_KINDS.flatMap((kind): Row[] => [
    [`${KIND_NAMES[kind]} due a minute`, ({ work }) => figure(work[kind].duePerMinute)],
    [`${KIND_NAMES[kind]} completed a minute`, ({ work }) => figure(work[kind].completedPerMinute)],
    [`${KIND_NAMES[kind]} of those due that completed at last`, ({ work }) => percent(work[kind].completedShare)],
  ]),
  ['clients that left a minute', ({ work }) => figure(total(work))],
  ['refused, by class', ({ refused }) => counts(refused)],
  ['refusal answered, p50 / p99 / worst', ({ refusals }) => times(refusals, true)],
  ['first candle, p50 / p99, of the try that was admitted', ({ firstCandle }) => times(firstCandle)],
  ['first candle, p50 / p99, from the first try', ({ firstCandleFromFirstTry }) => times(firstCandleFromFirstTry)],
  ['lateness of a candle, p50 / p99', ({ lateness }) => times(lateness)],
  ['calls, p50 / p99', ({ calls }) => times(calls)],
  ['calls, p50 / p99, from the first try', ({ callsFromFirstTry }) => times(callsFromFirstTry)],
  ['documents, p50 / p99', ({ documents }) => times(documents)],
  ['sign-ups, p50 / p99', ({ signUps }) => times(signUps)],
  ['sign-ups, p50 / p99, from the first try', ({ signUpsFromFirstTry }) => times(signUpsFromFirstTry)],
  ['age of a change on arrival, p50 / p99', ({ changes }) => times(changes)],
  ['frames a socket a second', ({ framesPerSocketAndSecond }) => figure(framesPerSocketAndSecond, 2)],
  ['streams cut', ({ cut }) => figure(cut)],
  ['other failures', ({ failures }) => counts(failures)],
  ['/readyz not 200', ({ host }) => counts(host.notReady)],
  [
    'cores: server / PostgreSQL / the rest',
    ({ host: { cores } }) => [cores.server, cores.database, cores.others].map((of) => figure(of, 2)).join(' / '),
  ],
  ['resident memory', ({ host }) => `${host.residentMib} MiB`],
  ['event loop delay, p99', ({ host }) => milliseconds(host.eventLoopP99Ms)],
  [
    'timers of the crowds late, p99 / worst',
    ({ crowdDelayP99Ms, crowdDelayWorstMs }) => `${milliseconds(crowdDelayP99Ms)} / ${milliseconds(crowdDelayWorstMs)}`,
  ],
];

const NONE = '–';

export function overloadTable(report: OverloadReport): string {
  const stages = [...report.stages, ...(report.rude === null ? [] : [report.rude])];
  const { scenario, speed, processes, stageS } = report.options;
  const capacity = report.capacity === null ? 'no load held' : `${figure(report.capacity, 3)} of half of everything`;
  const facts = [
    `Capacity: ${capacity}`,
    `${stageS} s a stage`,
    processes === 1 ? 'one process' : `${processes} processes`,
    ...(speed === null ? [] : [`each server held to ${percent(speed)} of a core by ${report.heldBy}`]),
    ...(scenario === null ? [] : [`scenario ${scenario}`]),
    `${report.openFilesLimit} open files a process`,
  ];
  const searched = report.searched.map(
    ({ factor, broken }) => `- Search, ${factor}: ${broken.length === 0 ? 'held' : broken.join('; ')}`,
  );
  const most = report.unit.sockets * Math.max(0, ...report.stages.map(({ factor }) => factor));
  const unreachable =
    most < report.openFilesLimit
      ? []
      : [`${figure(most)} sockets cannot all come: a process may open ${figure(report.openFilesLimit)} files.`];
  const { after } = report;
  const afterwards =
    after === null
      ? []
      : [
          `After the load and 60 s of rest: ${after.residentMib} MiB resident (${after.firstResidentMib} after the first ` +
            `stage), ${after.connections} connections of clients, ${after.openFiles.after} open files ` +
            `(${after.openFiles.before} before).`,
        ];
  const verdict =
    report.broken.length === 0 ? ['Every bound held.'] : report.broken.map((text) => `- **Not held**: ${text}`);
  const table = [
    `| times capacity | ${stages.map(({ name }) => name).join(' | ')} |`,
    `|${'---|'.repeat(stages.length + 1)}`,
    ...ROWS.map(([title, cell]) => `| ${title} | ${stages.map(cell).join(' | ')} |`),
  ];
  const parts = [
    [`${facts.join('; ')}.`],
    searched,
    unreachable,
    stages.length === 0 ? [] : table,
    afterwards,
    verdict,
  ];
  return parts
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n');
}

function total(work: StageFigures['work']): number {
  return WORK_KINDS.reduce((sum, kind: WorkKind) => sum + work[kind].leftPerMinute, 0);
}

function times({ p50Ms, p99Ms, worstMs }: Spread, hasWorst = false): string {
  if (p99Ms === null) return NONE;
  return [p50Ms, p99Ms, ...(hasWorst ? [worstMs] : [])].map(milliseconds).join(' / ');
}

function milliseconds(ms: number | null): string {
  if (ms === null) return NONE;
  return ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`;
}

function percent(share: number | null): string {
  return share === null ? NONE : `${(share * 100).toFixed(1)}%`;
}

function counts(of: Readonly<Record<string, number>>): string {
  const parts = Object.entries(of).sort(([, a], [, b]) => b - a);
  return parts.length === 0 ? NONE : parts.map(([what, count]) => `${what}: ${figure(count)}`).join(', ');
}

function figure(value: number | null, digits = 0): string {
  return value === null ? NONE : value.toLocaleString('en-US', { maximumFractionDigits: digits });
}
