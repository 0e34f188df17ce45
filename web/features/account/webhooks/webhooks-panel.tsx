import { useQuery } from '@tanstack/react-query';
import WebhookIcon from 'lucide-react/icons/webhook';
import { useState } from 'react';
import type { ReportedProblem } from '#domain/account/second-factor-messages.ts';
import { counted } from '#domain/format/count.ts';
import { zonedMinute } from '#domain/format/zoned-time.ts';
import { MOST_WEBHOOKS } from '#domain/webhooks/webhook-endpoint.ts';
import { queryClient } from '../../../platform/query-client.ts';
import { useTimeZone } from '../../../ui/browser/time-zone.ts';
import { Button } from '../../../ui/forms/button.tsx';
import access from '../../../ui/layout/access-list.module.css';
import { Badge } from '../../../ui/layout/badge.tsx';
import { Panel } from '../../../ui/layout/panel.tsx';
import { ConfirmDialog } from '../../../ui/overlay/confirm-dialog.tsx';
import { toast } from '../../../ui/overlay/toast.ts';
import { Skeleton } from '../../../ui/status/loader.tsx';
import { EmptyState, ErrorState } from '../../../ui/status/state.tsx';
import { ProblemNotice } from '../two-factor/two-factor-failure.tsx';
import { SecretDialog, WebhookDialog, type WebhookDialogProps } from './webhook-dialog.tsx';
import { deliveriesKey, WebhookLog } from './webhook-log.tsx';
import styles from './webhooks.module.css';
import { callWebhookAction, fetchWebhooks, rotateSecret, type Webhook } from './webhooks-api.ts';

const webhooksKey = (userId: string) => ['webhooks', userId];
/** A failing webhook may be paused while the page is open. */
const POLL_MS = 10_000;

export function WebhooksPanel({ userId }: { userId: string }) {
  const { data, isError, isFetching, refetch } = useQuery({
    queryKey: webhooksKey(userId),
    queryFn: ({ signal }) => fetchWebhooks(userId, signal),
    refetchOnWindowFocus: 'always',
    refetchInterval: POLL_MS,
    networkMode: 'always',
  });
  const [editing, setEditing] = useState<WebhookDialogProps['shown']>(null);
  const [secret, setSecret] = useState<{ secret: string; isRotated: boolean } | null>(null);
  const reload = () => queryClient.invalidateQueries({ queryKey: webhooksKey(userId) });
  const count = data?.length ?? 0;
  const add = (
    <Button size="small" disabled={count >= MOST_WEBHOOKS} onClick={() => setEditing({ webhook: null })}>
      Add webhook
    </Button>
  );
  return (
    <Panel heading="Webhooks" id="webhooks" actions={count > 0 && add}>
      <div className={access.content}>
        <p className="muted size-13 readable-width">
          Kat sends signed requests to a program of yours when something happens, in order, and tries again for a day if
          your program doesn’t answer. <a href="/docs/guides/webhooks">What is sent and how to check it</a>
        </p>
        {data === undefined && isError ? (
          <ErrorState
            title="We couldn’t load your webhooks"
            text="They still work."
            onRetry={() => void refetch()}
            isRetrying={isFetching}
          />
        ) : data === undefined ? (
          <div role="status" aria-label="Loading your webhooks">
            <Skeleton className={styles.waiting} />
          </div>
        ) : data.length === 0 ? (
          <EmptyState title="No webhook yet" action={add} />
        ) : (
          <ul className="grid" aria-label="Your webhooks">
            {data.map((webhook) => (
              <Row
                key={webhook.id}
                webhook={webhook}
                onChange={() => setEditing({ webhook })}
                onRotated={(value) => setSecret({ secret: value, isRotated: true })}
                reload={reload}
              />
            ))}
          </ul>
        )}
        {count >= MOST_WEBHOOKS && (
          <p className="muted size-13 readable-width">
            You have {MOST_WEBHOOKS} webhooks, the most you can have. Delete one to add another.
          </p>
        )}
      </div>
      <WebhookDialog
        shown={editing}
        onClose={() => setEditing(null)}
        onSaved={(value) => {
          setEditing(null);
          if (value === null) toast.success('Webhook saved');
          else setSecret({ secret: value, isRotated: false });
          void reload();
        }}
      />
      <SecretDialog shown={secret} onClose={() => setSecret(null)} />
    </Panel>
  );
}

interface RowProps {
  webhook: Webhook;
  onChange: () => void;
  onRotated: (secret: string) => void;
  reload: () => Promise<void>;
}

type Question = 'rotate' | 'delete';

function Row({ webhook, onChange, onRotated, reload }: RowProps) {
  const { id, url, state } = webhook;
  const [showsLog, setShowsLog] = useState(false);
  const [question, setQuestion] = useState<Question | null>(null);
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<ReportedProblem | null>(null);

  const run = async (call: () => Promise<ReportedProblem | null>, done: string) => {
    setBusy(true);
    const failure = await call();
    setProblem(failure);
    if (failure === null) toast.success(done);
    await Promise.all([reload(), queryClient.invalidateQueries({ queryKey: deliveriesKey(id) })]);
    setBusy(false);
    setQuestion(null);
  };
  const setState = (next: Webhook['state']) =>
    run(
      () => callWebhookAction({ name: 'set-webhook-state', body: { id, state: next } }),
      next === 'active' ? 'Webhook resumed' : 'Webhook paused',
    );
  const test = async () => {
    await run(() => callWebhookAction({ name: 'send-test-webhook', body: { id } }), 'Test queued');
    setShowsLog(true);
  };
  const rotate = () =>
    run(async () => {
      const answer = await rotateSecret(id);
      if ('message' in answer) return answer;
      onRotated(answer.secret);
      return null;
    }, 'New secret created');
  return (
    <li className={access.row}>
      <WebhookIcon size={20} aria-hidden="true" className="muted" />
      <div className="grid gap-2 min-width-0">
        <p className={access.name}>
          <span className={styles.url}>{url}</span>
          <StateBadge webhook={webhook} />
        </p>
        <Facts webhook={webhook} />
        {problem !== null && <ProblemNotice problem={problem} />}
        <div className={styles.buttons}>
          {state === 'paused' ? (
            <Button size="small" variant="primary" isBusy={isBusy} onClick={() => void setState('active')}>
              Resume
            </Button>
          ) : (
            <>
              <Button size="small" isBusy={isBusy} onClick={() => void test()}>
                Send test
              </Button>
              <Button size="small" variant="quiet" onClick={() => void setState('paused')}>
                Pause
              </Button>
            </>
          )}
          <Button size="small" variant="quiet" aria-expanded={showsLog} onClick={() => setShowsLog(!showsLog)}>
            {showsLog ? 'Hide log' : 'Show log'}
          </Button>
          <Button size="small" variant="quiet" aria-label={`Change ${url}`} onClick={onChange}>
            Change
          </Button>
          <Button
            size="small"
            variant="quiet"
            aria-label={`New secret for ${url}`}
            onClick={() => setQuestion('rotate')}
          >
            New secret
          </Button>
          <Button size="small" variant="quiet" aria-label={`Delete ${url}`} onClick={() => setQuestion('delete')}>
            Delete
          </Button>
        </div>
        {showsLog && <WebhookLog webhook={webhook} />}
      </div>
      <ConfirmDialog
        isOpen={question === 'rotate'}
        heading="Create a new secret?"
        verb="Create secret"
        isHarmless
        isBusy={isBusy}
        onClose={() => setQuestion(null)}
        onConfirm={() => void rotate()}
      >
        <p>The present secret stays valid for 24 hours. A secret from an earlier change ends now.</p>
      </ConfirmDialog>
      <ConfirmDialog
        isOpen={question === 'delete'}
        heading="Delete this webhook?"
        verb="Delete"
        isBusy={isBusy}
        onClose={() => setQuestion(null)}
        onConfirm={() => void run(() => callWebhookAction({ name: 'remove-webhook', body: { id } }), 'Webhook deleted')}
      >
        <p>
          Nothing more is sent to <strong className={styles.url}>{url}</strong>. Events that wait and the log are
          deleted too. You can’t undo this.
        </p>
      </ConfirmDialog>
    </li>
  );
}

function StateBadge({ webhook: { state, failing_since: failingSince } }: { webhook: Webhook }) {
  if (state === 'paused') return <Badge tone="warning">Paused</Badge>;
  return failingSince === null ? null : <Badge tone="down">Failing</Badge>;
}

const PAUSED: Readonly<Record<NonNullable<Webhook['pause_reason']>, string>> = {
  owner: 'You paused it. Events wait for seven days.',
  failing: 'Your program accepted nothing for 24 hours. Check it, then resume: events that wait are sent in order.',
  closed: 'Your program answered 410: this address no longer exists. Change it, or resume if that was a mistake.',
};

function Facts({ webhook }: { webhook: Webhook }) {
  const { zone } = useTimeZone();
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
        {until !== null && Date.parse(until) > Date.now() && (
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
