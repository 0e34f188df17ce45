/**
 * Limits what users can store in a hosted project through us. Reports and pictures are counted before they are
 * forwarded, because the project sees one address for everyone. Error reports are also redacted and cut.
 */

import type { Context } from 'hono';
import { isAppError } from '#domain/errors/app-error.ts';
import { parsedJson } from '#domain/format/parsed-json.ts';
import type { Database } from '../../platform/database/database.ts';
import { bearerOf, type TokenVerifier } from '../../platform/http/calls/caller.ts';
import { parseJson, readText } from '../../platform/http/calls/request-body.ts';
import { type ByteBudgets, byteBudgets, type Payer } from '../byte-budget.ts';
import type { RateLimits } from '../limits.ts';
import { cleanReports, countReports, ERROR_REPORTS, REPORT_TABLES } from '../reports.ts';
import { RestError } from '../rest/rest-error.ts';
import { isVerifiedAccount } from '../storage/object-store.ts';
import { callOf } from './limits.ts';

export interface HostedBudgetDeps {
  limits: RateLimits;
  verifier: TokenVerifier;
  database: Database;
  addressOf(c: Context): string;
}

export interface HostedBudgets {
  /**
   * @returns the body to forward; null, with the body unread, for a call that isn't a report
   * @throws AppError `request/too-many`, `request/too-large`, `request/invalid`
   */
  admitReport(c: Context, maxBodyBytes: number): Promise<string | null>;
  /** Charges an upload before it is forwarded; other calls cost nothing. @throws AppError `request/too-many` */
  admitUpload(c: Context, maxBodyBytes: number): Promise<void>;
}

const REPORT_CALLS = new Map(REPORT_TABLES.map((table) => [`POST /rest/v1/${table}`, table]));
/** Matches calls that store bytes, not those that list, sign, move or remove. */
const UPLOAD =
  /^(?:(?:POST|PUT) \/storage\/v1\/object\/(?!(?:list|list-v2|sign|info)\/|(?:copy|move)$)|(?:POST|PUT|PATCH) \/storage\/v1\/upload\/)/;

export function hostedBudgets(deps: HostedBudgetDeps): HostedBudgets {
  const budgets = byteBudgets(deps.limits);
  return {
    async admitReport(c, maxBodyBytes) {
      const table = REPORT_CALLS.get(callOf(c));
      if (table === undefined) return null;
      const text = await readText(c.req.raw, maxBodyBytes);
      const payer = await payerOf(c, deps);
      const counted = { limits: deps.limits, reports: budgets.reports };
      const bytes = Buffer.byteLength(text);
      if (table !== ERROR_REPORTS) {
        await countReports(table, { rows: rowsIn(text), bytes }, payer, counted);
        return text;
      }
      requireJson(c);
      const parsed = parseJson(text);
      const rows: unknown[] = Array.isArray(parsed) ? parsed : [parsed];
      await countReports(table, { rows: Math.max(1, rows.length), bytes }, payer, counted);
      return cleanReports(rows, null);
    },
    async admitUpload(c, maxBodyBytes) {
      if (!UPLOAD.test(callOf(c))) return;
      // A body without a stated length counts as the largest allowed.
      const bytes = Number(c.req.header('content-length') ?? maxBodyBytes);
      // Will be refused when forwarded, and stored nowhere.
      if (!(bytes <= maxBodyBytes)) return;
      const payer = await payerOf(c, deps);
      const budget = await pictureBudget(budgets, payer, deps.database);
      await budget.spend(payer, bytes);
    },
  };
}

async function pictureBudget(budgets: ByteBudgets, { userId }: Payer, database: Database) {
  const isVerified = userId !== null && (await isVerifiedAccount(database, userId));
  return isVerified ? budgets.verifiedPictures : budgets.pictures;
}

/** CSV bodies would bypass the cleaning of reports. */
function requireJson(c: Context): void {
  const type = c.req.header('content-type')?.split(';')[0]?.trim().toLowerCase() ?? 'application/json';
  if (type !== 'application/json')
    throw new RestError(415, 'PGRST102', 'Content-Type not acceptable: only application/json is accepted');
}

/** Counts lines if it isn't JSON, because the project accepts CSV too. */
function rowsIn(text: string): number {
  const parsed = parsedJson(text);
  if (parsed === undefined) return text.split('\n').length;
  return Array.isArray(parsed) ? Math.max(1, parsed.length) : 1;
}

async function payerOf(c: Context, { verifier, addressOf }: HostedBudgetDeps): Promise<Payer> {
  return { userId: await userOf(c, verifier), address: addressOf(c) };
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

async function userOf(c: Context, verifier: TokenVerifier): Promise<string | null> {
  const token = bearerOf(c.req.raw);
  if (token === null) return null;
  try {
    const { sub } = await verifier.verify(token);
    return typeof sub === 'string' && UUID.test(sub) ? sub : null;
  } catch (error) {
    // An unknown caller: counted by address, and refused by the project.
    if (isAppError(error)) return null;
    throw error;
  }
}
