/** What a user may do now, read from the database: the only billing file that forecasting may import. */
import * as z from 'zod/mini';
import type { Entitlement } from '#domain/billing/entitlement.ts';
import { PLAN_NAMES } from '#domain/billing/plans.ts';
import { AppError } from '#domain/errors/app-error.ts';
import { modelOfBackendName } from '#domain/forecast/models.ts';
import { type Database, SERVICE } from '../platform/database/database.ts';

export interface Entitlements {
  of(userId: string): Promise<Entitlement>;
}

/** The second factor was checked on admission. @returns throws AppError `auth/forbidden` for a caller who isn't an admin now */
export function adminCheck(entitlements: Entitlements): (caller: { userId: string }) => Promise<void> {
  return async ({ userId }) => {
    const { isAdmin } = await entitlements.of(userId);
    if (!isAdmin) throw new AppError('auth/forbidden');
  };
}

const rowSchema = z.object({ plan: z.enum(PLAN_NAMES), is_admin: z.boolean(), models: z.array(z.string()) });

export function openEntitlements(deps: { database: Database }): Entitlements {
  async function of(userId: string): Promise<Entitlement> {
    const rows = await deps.database.query(
      SERVICE,
      'select private.plan_of($1) as plan, private.is_admin($1) as is_admin, private.allowed_models($1) as models',
      [userId],
    );
    const row = rowSchema.parse(rows[0]);
    const models = row.models.flatMap((backendName) => modelOfBackendName(backendName)?.name ?? []);
    return { plan: row.plan, isAdmin: row.is_admin, models };
  }

  return { of };
}
