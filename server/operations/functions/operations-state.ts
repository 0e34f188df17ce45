/** operations-state: the site's state and problems, for admins. The shape: domain/operations/operations-state.ts. */
import * as z from 'zod/mini';
import { attentionOf } from '#domain/operations/attention.ts';
import type { OperationsState } from '#domain/operations/operations-state.ts';
import { requireAdmin } from '../../billing/entitlements.ts';
import { type ServerFunction, serverFunction } from '../../platform/http/calls/server-function.ts';
import type { OperationsDeps } from '../operations-deps.ts';

export function operationsState({ entitlements, snapshot }: OperationsDeps): ServerFunction {
  return serverFunction({
    name: 'operations-state',
    body: z.unknown(),
    async handle({ caller }) {
      await requireAdmin(entitlements, caller);
      const facts = await snapshot();
      return { ok: true, ...facts, attention: attentionOf(facts) } satisfies OperationsState;
    },
  });
}
