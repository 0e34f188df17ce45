/** Models, coins and windows of a benchmark of chances, opened by its arguments. */
import { BadInput } from '../../../scripts/bad-input.ts';
import { listCandleFiles, readCandleFile } from '../../measure/candle-files.ts';
import { type MeasuredSymbol, spanGroups, standardGroups, type WindowCut } from '../../measure/measured-symbols.ts';
import { seenInTraining } from '../../measure/seen-in-training.ts';
import { openShippedModels, type ShippedModel } from '../../measure/shipped-models.ts';
import { strideFault } from '../../measure/windows/sampling.ts';
import { isUsed } from '../../measure/windows/splits.ts';
import { type ChancesOptions, chancesOptions } from './chances-options.ts';

/** BTC and ETH spot and three perpetuals, on months that no network has seen. */
const STANDARD_GROUP = 'crypto-test';

export interface ChancesRun {
  options: ChancesOptions;
  models: readonly ShippedModel[];
  symbols: readonly MeasuredSymbol[];
  warnings: readonly string[];
  log(line: string): void;
  close(): Promise<void>;
}

/** @param cut  chooses the windows. @throws BadInput naming a wrong argument or file */
export async function openChancesRun(args: readonly string[], cut: WindowCut): Promise<ChancesRun> {
  const options = chancesOptions(args);
  const { span, strideMinutes } = options;
  const opened = await openShippedModels(options.modelsDir);
  const models = opened.filter(({ name }) => options.models.includes(name));
  if (models.length === 0) throw new BadInput(`${options.modelsDir} holds no trained ${options.models.join(' or ')}`);
  const files = listCandleFiles(options.dataDir)
    .filter((name) => span !== null || isUsed(name))
    .map((name) => readCandleFile(options.dataDir, name))
    .filter(({ assetClass }) => assetClass === 'crypto');
  log(`${files.length} files read`);
  const groups =
    span === null
      ? standardGroups(files, strideMinutes, cut).filter(({ name }) => name === STANDARD_GROUP)
      : spanGroups(files, span, strideMinutes, cut);
  const symbols = groups.flatMap((group) => group.symbols);
  if (symbols.length === 0) throw new BadInput('no unbroken 450 candles of a coin and 50 more lie in the span');
  const fault = strideFault(strideMinutes, '1min');
  const warnings = [...(fault === null ? [] : [fault]), ...describeSeen(models, symbols)];
  for (const warning of warnings) log(`WARNING ${warning}`);
  return {
    options,
    models,
    symbols,
    warnings,
    log,
    close: async () => {
      for (const { network } of opened) await network.release();
    },
  };
}

function log(line: string): void {
  console.error(`${(performance.now() / 1000).toFixed(1)} s  ${line}`);
}

function describeSeen(models: readonly ShippedModel[], symbols: readonly MeasuredSymbol[]): string[] {
  return seenInTraining(models, new Set(symbols)).map(
    ({ file, part, windows }) => `${file}: ${windows} moments lie in the span of '${part}' that a model has seen`,
  );
}
