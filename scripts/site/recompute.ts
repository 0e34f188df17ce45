/**
 * Recomputes the figures of Kat's public record from its raw rows. It needs no installation and calls no service.
 *
 *   node recompute.mjs [--baseline FILE]... [--from EPOCH_S] [--to EPOCH_S] DAY.ndjson ...        (Node 20 or newer)
 *
 * In a browser's console, on the site itself:
 *
 *   const { recompute } = await import('/record/recompute.mjs');
 *   await recompute([await (await fetch('/record/days/2026-01-31.ndjson')).text()]);
 *
 * With --from set to `fromS` of the page's answer, and the days since, it prints the page's figures. With the tables
 * that the records name (/record/baselines/VERSION.json) it recomputes each score too; without them it uses the
 * published scores. Whether the rows are the sealed ones is a separate check: `npm run verify:record`.
 */
import { recompute } from '#domain/record/figures/recompute.ts';

export { recompute };

async function main(): Promise<void> {
  const { readFileSync } = await import('node:fs');
  const { parseArgs } = await import('node:util');
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      baseline: { type: 'string', multiple: true, default: [] },
      from: { type: 'string' },
      to: { type: 'string' },
    },
  });
  if (positionals.length === 0) {
    console.error('usage: node recompute.mjs [--baseline FILE]... [--from EPOCH_S] [--to EPOCH_S] DAY.ndjson ...');
    process.exitCode = 2;
    return;
  }
  const read = (file: string): string => readFileSync(file, 'utf8');
  const result = await recompute(lazily(positionals, read), {
    baselines: values.baseline.map(read),
    ...(values.from === undefined ? {} : { fromS: Number(values.from) }),
    ...(values.to === undefined ? {} : { toS: Number(values.to) }),
  });
  console.log(JSON.stringify(result, null, 2));
  if (result.scores.differentCount + result.unreadable > 0) process.exitCode = 1;
}

/** One file in memory at a time. */
function* lazily(files: readonly string[], read: (file: string) => string): Generator<string> {
  for (const file of files) yield read(file);
}

/** True if this file is the main program, not an import. */
const isCalled = typeof process === 'object' && /recompute\.(mjs|ts)$/.test(process.argv?.[1] ?? '');
if (isCalled) await main();
