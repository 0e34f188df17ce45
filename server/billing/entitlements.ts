/** What a user may do now, read from the database: the only billing file that forecasting may import. */
import type { Entitlement } from '#domain/billing/entitlement.ts';
import { AppError } from '#domain/errors/app-error.ts';

export interface Entitlements {
  of(userId: string): Promise<Entitlement>;
}

/**
 * Doesn't check the second factor: that happened when the caller was admitted.
 * @throws AppError `auth/forbidden` for a caller who isn't an admin now
 */
export async function requireAdmin(entitlements: Entitlements, { userId }: { userId: string }): Promise<void> {
  const { isAdmin } = await entitlements.of(userId);
  if (!isAdmin) throw new AppError('auth/forbidden');
}
