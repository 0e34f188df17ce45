import type { OperationsFacts } from '#domain/operations/operations-state.ts';
import type { Database } from '../platform/database/database.ts';

export interface OperationsDeps {
  database: Database;
  snapshot(): Promise<OperationsFacts>;
}
