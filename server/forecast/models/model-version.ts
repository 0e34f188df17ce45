/** Identifies one state of a model: changes only with its weights and its tables. */
import { createHash } from 'node:crypto';
import type { ModelName } from '#domain/forecast/models.ts';

const DIGITS = 10;

/** `<name>-<first ten digits of the sha256 of model.onnx followed by paths.json>` */
export function modelVersionOf(name: ModelName, network: Uint8Array, paths: Uint8Array): string {
  const hash = createHash('sha256').update(network).update(paths).digest('hex');
  return `${name}-${hash.slice(0, DIGITS)}`;
}
