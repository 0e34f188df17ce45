import type { OperationsFacts } from '#domain/operations/operations-state.ts';
import type { Entitlements } from '../billing/entitlements.ts';
import type { Database } from '../platform/database/database.ts';

export interface OperationsDeps {
  database: Database;
  entitlements: Entitlements;
  snapshot(): Promise<OperationsFacts>;
}
