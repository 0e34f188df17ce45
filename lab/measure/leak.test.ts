/**
 * No forecast may depend on data after t0, and the measurement must notice if one did. Runs on a simple forecaster and
 * on the shipped models.
 */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { HORIZON_BARS } from '../../domain/forecast/window.ts';
import { UPPER_LEVELS } from '../../server/forecast/models/manifest.ts';
import { buildModelInputs } from '../../server/forecast/network/model-inputs.ts';
import type { NetworkOutput } from '../../server/forecast/network/network-forecast.ts';
import { seededRandom } from '../../server/forecast/paths/random.ts';
import { isNight } from '../../tests/support/run/test-size.ts';
import { measure, measureGroups } from './measure.ts';
import type { MeasuredSymbol } from './measured-symbols.ts';
import { openShippedModels } from './shipped-models.ts';
import { suspectedLeaks } from './suspected-leak.ts';
import { fixtureModel, gaussianNetwork, generatedFile, measuredLastThird } from './testing/measure-fixtures.ts';
import type { MeasuredModel, MeasuredNetwork, Observation } from './windows/score-windows.ts';
import { lookbackOf, type Window } from './windows/windows.ts';

const shipped = await openShippedModels(join(import.meta.dirname, '../../models'));
const bobcat = fixtureModel('bobcat', gaussianNetwork());
/** By day only one shipped model: all are measured by the same code, and each takes seconds. */
const measured = isNight ? shipped : shipped.filter(({ name }) => name === 'lion');
const named = (list: readonly (MeasuredModel & { modelVersion: string })[]) =>
  list.map((model) => [model.modelVersion, model] as const);
const fixture = { ...bobcat, modelVersion: 'fixture' };
const models = named([fixture, ...measured]);
/** Whether a shipped model is suspected changes only with its files or the measuring code, so it is tested at night. */
const suspects = named(isNight ? [fixture, ...shipped] : [fixture]);

const market = generatedFile('leak', 12);
const symbol = measuredLastThird(market, 13);

test.each(models)(
  '%s: gives the same inputs, forecasts and baselines for another future, byte for byte',
  async (_, model) => {
    const some = { ...symbol, windows: symbol.windows.filter((_, i) => i % 20 === 0) };
    const cut = some.windows[Math.floor(some.windows.length / 2)];
    const cutS = cut?.t0 ?? 0;
    const changed = market.candles.map((c) =>
      c.time <= cutS
        ? c
        : { ...c, open: 2 * c.open, high: 3 * c.high, low: c.low / 2, close: 2.5 * c.close, volume: 7 },
    );
    const other = { ...some, ...measuredLastThird({ ...market, candles: changed }, 13), prior: some.prior };
    const otherSome = { ...other, windows: other.windows.filter((_, i) => i % 20 === 0) };

    const [before, after] = [await resultsOf(model, some), await resultsOf(model, otherSome)];

    const isPast = (text: string, i: number): boolean => text !== '' && (some.windows[i]?.t0 ?? 0) <= cutS;
    expect(after.filter(isPast)).toEqual(before.filter(isPast));
    expect(after.filter(isPast).length).toBeGreaterThan(5);
    expect(after.at(-1)).not.toBe(before.at(-1));
  },
);

/** All results for each window, and the bytes of its inputs. */
async function resultsOf(model: MeasuredModel, of: MeasuredSymbol): Promise<string[]> {
  const seen: string[] = [];
  const observe = ({ window, models: ofModels, baselines }: Observation): void => {
    const { statics, minutes, ahead } = buildModelInputs(lookbackOf(window.file, window.index), 'crypto');
    const bytes = [statics, minutes, ahead, ...[...ofModels, ...baselines].map((f) => f.forecast.quantiles)].map((a) =>
      Buffer.from(a.buffer).toString('base64'),
    );
    const [own] = ofModels;
    seen.push(JSON.stringify([window.t0, bytes, own?.path, own?.forecast.rv50, own?.forecast.range50]));
  };
  await measureGroups([model], [{ name: 'leak', title: '', symbols: [of] }], { observe });
  return seen;
}

test('catches an oracle that peeks at the final close', async () => {
  const placeOf = new Map(market.candles.map((c, i) => [c.time, i]));
  const oracle: MeasuredNetwork = {
    run: async (inputs) =>
      inputs.map(({ features: { t0, lastClose, scale } }) => {
        const later = market.candles.slice((placeOf.get(t0) ?? 0) + 1).slice(0, HORIZON_BARS);
        const moves = later.map((c) => Math.abs(Math.log(c.close / lastClose)) / scale);
        const upperQuantiles = moves.flatMap((move) => UPPER_LEVELS.map((level) => move * (level + 0.1)));
        return { ...still(), upperQuantiles: Float32Array.from(upperQuantiles) };
      }),
    release: async () => undefined,
  };

  expect(await suspicionsOf(oracle)).toHaveLength(5);
});

test('catches one that peeks only at the volatility of the 50 minutes', async () => {
  const rvOf = new Map(symbol.windows.map((w) => [w.t0, w.future.rv50]));
  const oracle = gaussianNetwork(
    ({ features: { t0, scale } }) => (rvOf.get(t0) ?? 0) / Math.sqrt(HORIZON_BARS) / scale,
  );

  expect((await suspicionsOf(oracle)).length).toBeGreaterThan(0);
});

test('catches one that peeks at the next minute alone', async () => {
  const moveOf = new Map(symbol.windows.map((w) => [w.t0, Math.abs(w.future.change[0] ?? 0)]));
  const oracle = gaussianNetwork(({ features: { t0, scale } }, h) =>
    h === 1 ? Math.max(0.1, Math.min(2, (moveOf.get(t0) ?? 0) / scale)) : 1,
  );

  expect(await suspicionsOf(oracle)).toEqual([expect.stringContaining('over log-HAR at h1 is')]);
});

test.each(suspects)('suspects no %s', async (_, model) => {
  expect(await suspicionsOf(model.network)).toEqual([]);
});

test('suspects a median with the right direction more often than chance allows', async () => {
  const [table] = (await measure([bobcat], [symbol])).values();
  const scored = (hits: number) =>
    Array.from({ length: 40 }, () => ({
      t0: 0,
      weight: 1,
      scores: [
        {
          crps: [],
          inside80: [],
          inside95: [],
          width80: 0,
          rvError: 0,
          rangeError: 0,
          medianError: 0,
          lastCloseError: 0,
        },
      ].map((score) => ({ ...score, calls: 50, hits })),
    }));

  expect(table && suspectedLeaks(table, scored(26), 0)).toEqual([]);
  expect(table && suspectedLeaks(table, scored(27), 0)).toEqual([
    "the median's direction is right in 54.0% of 2000 closes",
  ]);
});

test.each(suspects)(
  '%s: gives shuffled targets forecasts worth no more than those of other windows',
  async (_, model) => {
    const network = remembering(model.network);
    const rivals = [
      { ...model, name: 'bobcat', network },
      { ...model, name: 'panther', network: misplaced(network, symbol.windows) },
    ] as const;
    const targets = shuffled(symbol.windows, 'targets');
    const blind = {
      ...symbol,
      windows: symbol.windows.map((w, i) => ({ ...w, future: targets[i]?.future ?? w.future })),
    };

    const [seeing] = (await measure(rivals, [symbol])).values();
    const [unseeing] = (await measure(rivals, [blind])).values();

    expect(seeing?.pairedSkillPercent.panther?.all[1]).toBeGreaterThan(0);
    const [skill = Number.NaN, low = 0, high = 0] = unseeing?.pairedSkillPercent.panther?.all ?? [];
    // Twice the interval: by chance, an honest model falls outside the single one in one of twenty trainings.
    expect(Math.abs(skill)).toBeLessThan(high - low);
    expect(unseeing?.crpsSkillPercent.constant.all[1]).toBeLessThan(0);
  },
);

async function suspicionsOf(network: MeasuredNetwork): Promise<string[]> {
  const [result] = await measureGroups([fixtureModel('lion', network)], [{ name: '', title: '', symbols: [symbol] }]);
  return result?.models.get('lion')?.suspectedLeak ?? ['nothing was measured'];
}

/** Answers every window with the network's output for another one. */
function misplaced(network: MeasuredNetwork, windows: readonly Window[]): MeasuredNetwork {
  const others = shuffled(windows, 'forecasts');
  const otherOf = new Map(windows.map((w, i) => [w.t0, others[i] ?? w]));
  return {
    ...network,
    run: async (inputs) => {
      const swapped = inputs.map(({ features }) => {
        const w = otherOf.get(features.t0);
        if (w === undefined) throw new Error('a window without a partner');
        return buildModelInputs(lookbackOf(w.file, w.index), w.file.assetClass);
      });
      const outputs = await network.run(swapped);
      return outputs.map((output, i) => {
        const ratio = (swapped[i]?.features.scale ?? 1) / (inputs[i]?.features.scale ?? 1);
        return {
          logVariance: output.logVariance.map((value) => value + 2 * Math.log(ratio)),
          upperQuantiles: output.upperQuantiles.map((value) => value * ratio),
          logRv50: output.logRv50 + Math.log(ratio),
          logRange50: output.logRange50 + Math.log(ratio),
        };
      });
    },
  };
}

/** Runs the network only once per window and caches the output. */
function remembering(network: MeasuredNetwork): MeasuredNetwork {
  const known = new Map<number, NetworkOutput>();
  return {
    ...network,
    run: async (inputs) => {
      const fresh = inputs.filter(({ features }) => !known.has(features.t0));
      const outputs = fresh.length === 0 ? [] : await network.run(fresh);
      for (const [i, output] of outputs.entries()) known.set(fresh[i]?.features.t0 ?? 0, output);
      return inputs.map(({ features }) => known.get(features.t0) ?? still());
    },
  };
}

function still(): NetworkOutput {
  return {
    logVariance: new Float32Array(HORIZON_BARS),
    upperQuantiles: new Float32Array(HORIZON_BARS * UPPER_LEVELS.length),
    logRv50: 2,
    logRange50: 2,
  };
}

function shuffled(windows: readonly Window[], seed: string): Window[] {
  const random = seededRandom('shuffle', seed);
  return windows
    .map((window) => ({ window, key: random() }))
    .sort((a, b) => a.key - b.key)
    .map(({ window }) => window);
}
