import { formatSpan } from './progress.ts';
import type { KindResult } from './run-vitest.ts';

const SLOWEST = 10;

export function summaryLines(results: readonly KindResult[]): string[] {
  return [...timeLines(results), ...slowestLines(results), ...failureLines(results)];
}

function timeLines(results: readonly KindResult[]): string[] {
  return results.map(({ kind, wallMs, cpuMs, passed, failed }) => {
    const cpu = cpuMs === null ? '' : `, ${formatSpan(cpuMs)} of processor time`;
    return `${kind}: ${formatSpan(wallMs)}${cpu}, ${passed} passed, ${failed} failed`;
  });
}

function slowestLines(results: readonly KindResult[]): string[] {
  const files = results.flatMap((result) => result.files);
  if (files.length <= SLOWEST) return [];
  const slowest = files.toSorted((a, b) => b.durationMs - a.durationMs).slice(0, SLOWEST);
  return ['slowest files:', ...slowest.map(({ path, durationMs }) => `  ${(durationMs / 1000).toFixed(1)} s  ${path}`)];
}

/** Repeated at the end, because thousands of lines may separate a failure from it. */
function failureLines(results: readonly KindResult[]): string[] {
  return results.flatMap(({ failures }) => failures.map((failure) => `failed: ${failure}`));
}
