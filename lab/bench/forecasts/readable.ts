/** One JSON object, with lists of plain values on one line each. */
export function readable(table: Record<string, unknown>): string {
  const text = JSON.stringify(table, null, 1);
  return text.replace(/\[\n\s+([^[\]{}]*?)\n\s+\]/g, (_, list: string) => `[${list.replace(/\n\s+/g, ' ')}]`);
}
