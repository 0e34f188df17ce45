/** Tables without rows share a line. */
export function printTables(tables: readonly { name: string; rows: number; hash: string }[]): void {
  const filled = tables.filter(({ rows }) => rows > 0);
  for (const { name, rows, hash } of filled)
    console.log(`same  ${name.padEnd(34)} ${String(rows).padStart(10)} rows  ${hash.slice(0, 16)}`);
  const all = filled.reduce((sum, { rows }) => sum + rows, 0);
  console.log(`same  ${tables.length - filled.length} empty tables; ${all} rows in total, compared by content.`);
}
