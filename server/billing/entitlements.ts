/** What a user may do now, read from the database: the only billing file that forecasting may import. */
import type { Entitlement } from '#domain/billing/entitlement.ts';

export interface Entitlements {
  of(userId: string): Promise<Entitlement>;
}
