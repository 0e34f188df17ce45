/** Events as they are listed and sent. The object in them has its state at that time. */
import type { StoredEvent } from '../model/records.ts';

export const API_VERSION = '2026-10-28.endive';

export function eventView({ id, created, type, object, previous, idempotencyKey }: StoredEvent) {
  return {
    id,
    object: 'event',
    api_version: API_VERSION,
    created,
    data: previous === null ? { object } : { object, previous_attributes: previous },
    livemode: false,
    pending_webhooks: 1,
    request: { id: null, idempotency_key: idempotencyKey },
    type,
  };
}
