import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { MOST_WEBHOOKS } from '#domain/webhooks/webhook-endpoint.ts';
import { queryClient } from '../../../platform/query-client.ts';
import { Button } from '../../../ui/forms/button.tsx';
import access from '../../../ui/layout/access-list.module.css';
import { Panel } from '../../../ui/layout/panel.tsx';
import { toast } from '../../../ui/overlay/toast.ts';
import { Skeleton } from '../../../ui/status/loader.tsx';
import { EmptyState, ErrorState } from '../../../ui/status/state.tsx';
import { SecretDialog, WebhookDialog, type WebhookDialogProps } from './webhook-dialog.tsx';
import { WebhookRow } from './webhook-row.tsx';
import styles from './webhooks.module.css';
import { fetchWebhooks } from './webhooks-api.ts';

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
          Kat sends signed requests to your program when something happens. They arrive in order, and Kat retries for a
          day if your program doesn’t answer. <a href="/docs/guides/webhooks">What is sent and how to check it</a>
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
              <WebhookRow
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
