import { cleanReport } from '#domain/errors/error-report.ts';
import { isPlainObject } from '../platform/http/calls/request-body.ts';
import type { ByteBudget, Payer } from './byte-budget.ts';
import type { RateLimits } from './limits.ts';

export interface ReportLimits {
  limits: Pick<RateLimits, 'reportRowsPerAddress' | 'reportRowsPerUser'>;
  reports: ByteBudget;
}

/**
 * @param payer null for the service role, which isn't counted. @param bytes of the rows as they arrived
 * @throws AppError `request/too-many`
 */
export async function countReports(
  table: string,
  { rows, bytes }: { rows: number; bytes: number },
  payer: Payer | null,
  { limits, reports }: ReportLimits,
): Promise<void> {
  if (payer === null || !REPORT_TABLES.includes(table)) return;
  if (payer.userId === null) await limits.reportRowsPerAddress.consume(payer.address, rows);
  else await limits.reportRowsPerUser.consume(payer.userId, rows);
  // Even an empty report takes a row.
  if (table === ERROR_REPORTS) await reports.spend(payer, Math.max(bytes, rows * LEAST_ROW_BYTES));
}

/** A row without texts, including its entries in three indexes. */
const LEAST_ROW_BYTES = 512;

/** @param rows  for `error_logs`, JSON objects. @param columns  the written columns; null: each row's own */
export function cleanReports(rows: readonly unknown[], columns: readonly string[] | null): string {
  return JSON.stringify(rows.map((row) => (isPlainObject(row) ? cleanReport(row, columns ?? Object.keys(row)) : row)));
}

export const ERROR_REPORTS = 'error_logs';
export const REPORT_TABLES: readonly string[] = [ERROR_REPORTS, 'user_activity'];
