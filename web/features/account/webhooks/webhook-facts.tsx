import { counted } from '#domain/format/count.ts';
import { zonedMinute } from '#domain/format/zoned-time.ts';
import { useTimeZone } from '../../../ui/browser/time-zone.ts';
import { useNow } from '../../../ui/browser/use-now.ts';
import access from '../../../ui/layout/access-list.module.css';
import { Badge } from '../../../ui/layout/badge.tsx';
import type { Webhook } from './webhooks-api.ts';

/** Interval of the check for former secrets that expire while the page is open. */
const EXPIRY_CHECK_MS = 60_000;

export function WebhookStateBadge({ webhook: { state, failing_since: failingSince } }: { webhook: Webhook }) {
  if (state === 'paused') return <Badge tone="warning">Paused</Badge>;
  return failingSince === null ? null : <Badge tone="down">Failing</Badge>;
}

const PAUSED: Readonly<Record<NonNullable<Webhook['pause_reason']>, string>> = {
  owner: 'You paused it. Events wait for seven days.',
  failing: 'Your program accepted nothing for 24 hours. Check it, then resume: waiting events are sent in order.',
  closed: 'Your program answered 410: this address no longer exists. Change it, or resume if that was a mistake.',
};

export function WebhookFacts({ webhook }: { webhook: Webhook }) {
  const { zone } = useTimeZone();
  const nowMs = useNow(EXPIRY_CHECK_MS);
  const { pause_reason: reason, failing_since: failingSince, last_delivered_at: lastAt, former_until: until } = webhook;
  const when = (time: string) => zonedMinute(Date.parse(time), zone);
  return (
    <>
      {reason !== null && <p className="size-13 readable-width">{PAUSED[reason]}</p>}
      <dl className={access.facts}>
        <div>
          <dt>Events</dt>
          <dd>{webhook.events.join(', ')}</dd>
        </div>
        <div>
          <dt>Last delivered</dt>
          <dd>{lastAt === null ? 'never' : when(lastAt)}</dd>
        </div>
        {failingSince !== null && reason === null && (
          <div>
            <dt>Failing since</dt>
            <dd>{when(failingSince)}</dd>
          </div>
        )}
        {until !== null && Date.parse(until) > nowMs && (
          <div>
            <dt>Former secret until</dt>
            <dd>{when(until)}</dd>
          </div>
        )}
        {webhook.dropped > 0 && (
          <div>
            <dt>Dropped</dt>
            <dd>{counted(webhook.dropped, 'event')}</dd>
          </div>
        )}
      </dl>
    </>
  );
}
