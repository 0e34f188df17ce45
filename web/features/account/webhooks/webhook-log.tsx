/** The last deliveries of a webhook: how each ended, what was sent, and buttons to send it again or to skip it. */
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ReportedProblem } from '#domain/account/second-factor-messages.ts';
import { zonedSecond } from '#domain/format/zoned-time.ts';
import { describeResult, eventLabel } from '#domain/webhooks/webhook-messages.ts';
import { queryClient } from '../../../platform/query-client.ts';
import { useTimeZone } from '../../../ui/browser/time-zone.ts';
import { Button } from '../../../ui/forms/button.tsx';
import { Badge, type BadgeTone } from '../../../ui/layout/badge.tsx';
import { Skeleton } from '../../../ui/status/loader.tsx';
import { ErrorState } from '../../../ui/status/state.tsx';
import { ProblemNotice } from '../two-factor/two-factor-failure.tsx';
import styles from './webhooks.module.css';
import { callWebhookAction, type Delivery, fetchDeliveries, type Webhook } from './webhooks-api.ts';

/** A test or a repetition arrives within seconds. */
const POLL_MS = 3000;

export const deliveriesKey = (endpointId: string) => ['webhook-deliveries', endpointId];

export function WebhookLog({ webhook }: { webhook: Webhook }) {
  const { data, isError, isFetching, refetch } = useQuery({
    queryKey: deliveriesKey(webhook.id),
    queryFn: ({ signal }) => fetchDeliveries(webhook.id, signal),
    refetchInterval: POLL_MS,
    networkMode: 'always',
  });
  const [problem, setProblem] = useState<ReportedProblem | null>(null);
  if (data === undefined && isError)
    return (
      <ErrorState
        title="We couldn’t load the log"
        text="Deliveries continue."
        onRetry={() => void refetch()}
        isRetrying={isFetching}
      />
    );
  if (data === undefined)
    return (
      <div role="status" aria-label="Loading the log">
        <Skeleton className={styles.waiting} />
      </div>
    );
  if (data.length === 0) return <p className="muted size-13">Nothing was sent yet.</p>;
  const act = async (name: 'resend-webhook-delivery' | 'skip-webhook-delivery', id: number) => {
    setProblem(await callWebhookAction({ name, body: { id } }));
    await queryClient.invalidateQueries({ queryKey: deliveriesKey(webhook.id) });
  };
  return (
    <div className={styles.log}>
      {problem !== null && <ProblemNotice problem={problem} />}
      <ul aria-label={`Deliveries to ${webhook.url}`}>
        {data.map((delivery) => (
          <Row
            key={delivery.id}
            delivery={delivery}
            isPaused={webhook.state === 'paused'}
            onResend={() => void act('resend-webhook-delivery', delivery.id)}
            onSkip={() => void act('skip-webhook-delivery', delivery.id)}
          />
        ))}
      </ul>
      <p className="muted size-12">The last 20 of seven days.</p>
    </div>
  );
}

interface RowProps {
  delivery: Delivery;
  isPaused: boolean;
  onResend: () => void;
  onSkip: () => void;
}

function Row({ delivery, isPaused, onResend, onSkip }: RowProps) {
  const { zone } = useTimeZone();
  const { event, state, attempts, tried_at: triedAt, answer_start: start, took_ms: tookMs } = delivery;
  const label = eventLabel(event);
  const result = describeResult({ status: delivery.answer_status, problem: delivery.problem });
  const { tone, text } = STATES[state === 'waiting' && attempts > 0 ? 'retrying' : state];
  const facts = [
    zonedSecond(Date.parse(triedAt ?? delivery.created_at), zone),
    result === null ? null : `answer: ${result}`,
    tookMs === null ? null : `${tookMs} ms`,
    attempts > 1 ? `${attempts} tries` : null,
  ];
  return (
    <li className={styles.delivery}>
      <div className={styles.head}>
        <p>
          {label} <Badge tone={tone}>{text}</Badge>
        </p>
        <div className={styles.buttons}>
          <Button size="small" disabled={isPaused} aria-label={`Resend ${label}, ${delivery.id}`} onClick={onResend}>
            {state === 'waiting' ? 'Send now' : 'Resend'}
          </Button>
          {state === 'waiting' && (
            <Button size="small" variant="quiet" aria-label={`Skip ${label}, ${delivery.id}`} onClick={onSkip}>
              Skip
            </Button>
          )}
        </div>
      </div>
      <p className="muted size-12">{facts.filter((fact) => fact !== null).join(' · ')}</p>
      <details className="size-13">
        <summary className="muted">Request and answer</summary>
        <pre>{delivery.body}</pre>
        {start !== null && <pre>{start}</pre>}
      </details>
    </li>
  );
}

const STATES: Readonly<Record<Delivery['state'] | 'retrying', { tone: BadgeTone; text: string }>> = {
  waiting: { tone: 'neutral', text: 'Waiting' },
  retrying: { tone: 'warning', text: 'Retrying' },
  delivered: { tone: 'up', text: 'Delivered' },
  skipped: { tone: 'neutral', text: 'Skipped' },
};
