/** Measures any number of models against the baselines and each other, on windows that none was fitted on. */
import type { Realism, SkillTable } from '../../domain/forecast/model-figures.ts';
import type { ModelName } from '../../domain/forecast/models.ts';
import type { MeasuredGroup, MeasuredSymbol } from './measured-symbols.ts';
import { RealismTally } from './realism.ts';
import { skillTables } from './skill-tables.ts';
import { suspectedLeaks } from './suspected-leak.ts';
import {
  type MeasuredCalendar,
  type MeasuredModel,
  type Observation,
  type ScoredSymbol,
  scoreSymbol,
} from './windows/score-windows.ts';

/** @returns one table per model, all of the same windows */
export async function measure(
  models: readonly MeasuredModel[],
  symbols: readonly MeasuredSymbol[],
): Promise<Map<ModelName, SkillTable>> {
  const names = namesOf(models);
  const scored: ScoredSymbol[] = [];
  for (const symbol of symbols) scored.push(await scoreSymbol(models, symbol));
  return skillTables(names, scored);
}

export interface ModelResult {
  skill: SkillTable;
  realism: Realism;
  /** Forecasts that this model's plausibility gate withheld. */
  withheld: number;
  /** Reasons to suspect future data among the inputs; empty if there are none. */
  suspectedLeak: string[];
}

export interface GroupResult {
  group: MeasuredGroup;
  models: Map<ModelName, ModelResult>;
  symbols: ScoredSymbol[];
}

export interface MeasureOptions {
  /** Sees every scored window once. */
  observe?: ((observation: Observation) => void) | undefined;
  batchWindows?: number | undefined;
  /** What models and baselines know of releases; absent: nothing. */
  calendar?: MeasuredCalendar | undefined;
  log?: ((line: string) => void) | undefined;
}

/** Skill and the realism of drawn candles, by group. A symbol in several groups is scored once. */
export async function measureGroups(
  models: readonly MeasuredModel[],
  groups: readonly MeasuredGroup[],
  options: MeasureOptions = {},
): Promise<GroupResult[]> {
  const names = namesOf(models);
  const scored = new Map<MeasuredSymbol, ScoredSymbol>();
  const tallies = groups.map((group) => ({ group, ofModels: models.map(() => new RealismTally()) }));
  for (const symbol of new Set(groups.flatMap((group) => group.symbols))) {
    const own = tallies.filter(({ group }) => group.symbols.includes(symbol));
    const observe = (observation: Observation): void => {
      for (const { ofModels } of own) {
        for (const [i, { path, brokenAt }] of observation.models.entries()) {
          if (brokenAt === null) ofModels[i]?.add(observation.window, path);
          else ofModels[i]?.addBroken();
        }
      }
      options.observe?.(observation);
    };
    const scores = await scoreSymbol(models, symbol, {
      observe,
      batchWindows: options.batchWindows,
      calendar: options.calendar,
    });
    scored.set(symbol, scores);
    options.log?.(
      `${scores.name}: ${scores.windows.length} windows scored, ${scores.withheld.length} forecasts withheld`,
    );
  }
  return tallies.map(({ group, ofModels }) => {
    const symbols = group.symbols.map((symbol) => scored.get(symbol)).filter((s) => s !== undefined);
    const windows = symbols.flatMap((symbol) => symbol.windows);
    // No figures if every forecast was withheld; the caller reports that.
    if (windows.length === 0) return { group, models: new Map(), symbols };
    const results = [...skillTables(names, symbols)].map(([name, skill], i): [ModelName, ModelResult] => {
      const tally = ofModels[i] ?? new RealismTally();
      const withheld = symbols.flatMap((symbol) => symbol.withheld.filter(({ model }) => model === name)).length;
      return [name, { skill, realism: tally.figures(), withheld, suspectedLeak: suspectedLeaks(skill, windows, i) }];
    });
    return { group, models: new Map(results), symbols };
  });
}

function namesOf(models: readonly MeasuredModel[]): ModelName[] {
  const names = models.map(({ name }) => name);
  if (names.length > 0 && new Set(names).size === names.length) return names;
  throw new Error(`models to measure need unique names: ${names.join(', ') || 'none given'}`);
}
