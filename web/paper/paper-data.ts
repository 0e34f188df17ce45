/** The paper's data: the models' manifests beside the networks, and the aims with their results. */
import * as z from 'zod/mini';
import { type GroupFigures, groupFiguresSchema } from '#domain/forecast/model-figures.ts';
import { MODEL_NAMES, type ModelName } from '#domain/forecast/models.ts';

const counts = z.record(z.string(), z.int());

export const paperModelSchema = z.object({
  model: z.enum(MODEL_NAMES),
  modelVersion: z.string(),
  parameters: z.int(),
  input: z.object({ lookbackBars: z.int(), minLookbackBars: z.int(), names: z.array(z.string()) }),
  output: z.object({ horizonBars: z.int(), quantileLevels: z.array(z.number()), paths: z.int() }),
  /** Time spans as text, by part: fit, validate, test, late, purge. */
  spans: z.object({ fit: z.string(), validate: z.string(), test: z.string(), late: z.string(), purge: z.string() }),
  /** Windows by part and asset class. */
  windows: z.object({ fit: counts, validate: counts }),
  training: z.object({ members: z.string(), fitting: z.record(z.string(), z.object({ seconds: z.number() })) }),
  data: z.array(z.object({ file: z.string(), firstS: z.int(), lastS: z.int(), rows: z.int() })),
  figures: z.array(groupFiguresSchema),
});
export type PaperModel = z.infer<typeof paperModelSchema>;

/** One aim that was set before measuring, and its result. */
export interface AimLine {
  target: string;
  reached: string;
  isMet: boolean;
}

export interface PaperData {
  models: readonly PaperModel[];
  aims: Readonly<Record<ModelName, readonly AimLine[]>>;
}

/** @throws Error if a model was not measured on the group */
export function groupFigures(model: PaperModel, group: string): GroupFigures {
  const found = model.figures.find((one) => one.group === group);
  if (found === undefined) throw new Error(`${model.model} was not measured on ${group}.`);
  return found;
}

export function modelNamed(models: readonly PaperModel[], name: ModelName): PaperModel {
  const found = models.find(({ model }) => model === name);
  if (found === undefined) throw new Error(`There is no manifest of ${name}.`);
  return found;
}

export function sum(numbers: Readonly<Record<string, number>>): number {
  return Object.values(numbers).reduce((total, one) => total + one, 0);
}
