/** CSV (RFC 4180) that is safe to open in a spreadsheet, which would run formulas. */

export function csv(rows: readonly (readonly string[])[]): string {
  return rows.map((cells) => `${cells.map(cell).join(',')}\r\n`).join('');
}

const NUMBER = /^-?\d+(\.\d+)?(e[+-]?\d+)?$/i;

/** Quotes where CSV requires it; prefixes an apostrophe to what a spreadsheet would read as a formula. */
function cell(text: string): string {
  const isFormula = /^[=+\-@\t\r\n]/.test(text) && !NUMBER.test(text);
  const safe = isFormula ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
