/** How an ordinary crowd fared beside each bad client, as a Markdown table for lab/figures/overload.md. */
import { BAD_CLIENTS, type BadClientName } from '../bad-clients.ts';
import type { BesidePair } from '../beside.ts';
import type { Spread, StageFigures } from '../stage-figures.ts';

/** Issue: the others' p99 moves by less than 20%. */
const MOST = 1.2;

const MEASURES = {
  'calls, p99': ({ calls }) => calls,
  'documents, p99': ({ documents }) => documents,
  'sign-ups, p99': ({ signUps }) => signUps,
  'first candle, p99': ({ firstCandle }) => firstCandle,
  'lateness of a candle, p99': ({ lateness }) => lateness,
  'age of a change, p99': ({ changes }) => changes,
} satisfies Record<string, (stage: StageFigures) => Spread>;
type Measure = keyof typeof MEASURES;
const NAMES = Object.keys(MEASURES).filter((name): name is Measure => Object.hasOwn(MEASURES, name));

interface Compared {
  /** The median of all stages without a bad client. */
  aloneMs: number;
  besideMs: number;
  ratio: number;
}

function compared(all: readonly BesidePair[], own: readonly BesidePair[], measure: Measure): Compared | null {
  const known = (stages: readonly StageFigures[]): number[] =>
    stages.flatMap((stage) => MEASURES[measure](stage).p99Ms ?? []);
  const [alone, beside] = [known(all.map((pair) => pair.alone)), known(own.map((pair) => pair.beside))];
  if (alone.length === 0 || beside.length === 0) return null;
  const [aloneMs, besideMs] = [median(alone), median(beside)];
  return { aloneMs, besideMs, ratio: besideMs / aloneMs };
}

/** @returns the bounds that were broken, as text */
export function brokenBeside(pairs: readonly BesidePair[]): string[] {
  return byClient(pairs).flatMap(([client, own]) =>
    NAMES.flatMap((name) => {
      const ratio = compared(pairs, own, name)?.ratio ?? 1;
      return ratio > MOST ? [`${BAD_CLIENTS[client].title}: ${name} is ${ratio.toFixed(2)} times that alone`] : [];
    }),
  );
}

export function besideTable(pairs: readonly BesidePair[]): string {
  const clients = byClient(pairs);
  const cell = (own: readonly BesidePair[], name: Measure): string => {
    const found = compared(pairs, own, name);
    return found === null ? '–' : `${ms(found.aloneMs)} → ${ms(found.besideMs)} (${found.ratio.toFixed(2)})`;
  };
  const cores = (own: readonly BesidePair[]): string => {
    const of = (which: 'alone' | 'beside') => median(own.map((pair) => pair[which].host.cores.server)).toFixed(2);
    return `${of('alone')} → ${of('beside')}`;
  };
  const answered = (own: readonly BesidePair[]): string => {
    const sums = new Map<string, number>();
    for (const pair of own)
      for (const [what, count] of Object.entries(pair.answered)) sums.set(what, (sums.get(what) ?? 0) + count);
    return [...sums].map(([what, count]) => `${what}: ${count}`).join(', ');
  };
  const row = (title: string, of: (own: readonly BesidePair[]) => string): string =>
    `| ${title} | ${clients.map(([, own]) => of(own)).join(' | ')} |`;
  return [
    `| alone → beside (ratio) | ${clients.map(([client]) => BAD_CLIENTS[client].title).join(' | ')} |`,
    `|${'---|'.repeat(clients.length + 1)}`,
    ...NAMES.map((name) => row(name, (own) => cell(own, name))),
    row('cores of the server', cores),
    row('answers to the bad client', answered),
  ].join('\n');
}

function byClient(pairs: readonly BesidePair[]): [BadClientName, BesidePair[]][] {
  return [...Map.groupBy(pairs, ({ client }) => client)];
}

function ms(value: number): string {
  return value < 10 ? `${value.toFixed(1)} ms` : `${Math.round(value)} ms`;
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const half = Math.floor(sorted.length / 2);
  const [low = 0, high = 0] = [sorted[Math.max(0, sorted.length % 2 === 0 ? half - 1 : half)], sorted[half]];
  return (low + high) / 2;
}
