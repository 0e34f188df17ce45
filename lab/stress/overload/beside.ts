/** An ordinary crowd alone, then beside each bad client, in turns: how much longer do its 99th percentiles get? */
import { setTimeout as sleep } from 'node:timers/promises';
import { startCrowd } from '../crowds/crowd-messages.ts';
import { BAD_CLIENT_NAMES, BAD_CLIENTS, type BadClientName } from './bad-clients.ts';
import { PRODUCT_IDS } from './crowd-group.ts';
import { type Running, runStage } from './stage.ts';
import type { StageFigures } from './stage-figures.ts';
import { loadOf } from './unit-load.ts';

export interface BesideOptions {
  running: Running;
  /** Of the ordinary crowd, in units of `UNIT_LOAD`. */
  factor: number;
  stageS: number;
  turns: number;
  /** Null: each in turn. */
  only: BadClientName | null;
  crowdCores: string | null;
  /** Reports each stage as it ends. */
  report(stage: StageFigures): void;
}

/** One bad client in one turn. */
export interface BesidePair {
  client: BadClientName;
  alone: StageFigures;
  beside: StageFigures;
  /** What the bad client was answered, by kind. */
  answered: Record<string, number>;
}

/** Until the connections of a stopped bad client are closed. */
const REST_S = 3;

export async function measureBeside(options: BesideOptions): Promise<BesidePair[]> {
  const { only, turns, stageS } = options;
  const names = only === null ? BAD_CLIENT_NAMES : [only];
  const pairs: BesidePair[] = [];
  // The first stage compiles the server's code.
  await measure(options, { name: 'first', leadS: stageS / 3 });
  for (let turn = 1; turn <= turns; turn += 1)
    for (const client of names) {
      const alone = await measure(options, { name: `${turn}: alone`, leadS: REST_S });
      pairs.push({ client, alone, ...(await measureWith(options, client, turn)) });
    }
  return pairs;
}

async function measureWith(
  options: BesideOptions,
  client: BadClientName,
  turn: number,
): Promise<Pick<BesidePair, 'beside' | 'answered'>> {
  const { ports, anonKey } = options.running.site;
  const { clients } = BAD_CLIENTS[client];
  const what = { port: ports[0] ?? 0, anonKey, productIds: PRODUCT_IDS, kind: client, clients };
  const crowd = startCrowd('bad-crowd.ts', what, options.crowdCores);
  try {
    await crowd.ready;
    const beside = await measure(options, { name: `${turn}: ${client}`, leadS: REST_S });
    return { beside, answered: (await crowd.figures()).failures };
  } finally {
    crowd.stop();
    await sleep(REST_S * 1000);
  }
}

async function measure(
  { running, factor, stageS, report }: BesideOptions,
  { name, leadS }: { name: string; leadS: number },
): Promise<StageFigures> {
  const plan = { tag: name, name, ofCapacity: null, factor, seconds: stageS };
  const gatherMs = leadS * 1000;
  const stage = await runStage(running, { plan, load: loadOf(factor), leadS, settleS: 0, gatherMs });
  report(stage);
  return stage;
}
