import WebhookIcon from 'lucide-react/icons/webhook';
import { useState } from 'react';
import type { ReportedProblem } from '#domain/account/second-factor-messages.ts';
import { queryClient } from '../../../platform/query-client.ts';
import { Button } from '../../../ui/forms/button.tsx';
import access from '../../../ui/layout/access-list.module.css';
import { ConfirmDialog } from '../../../ui/overlay/confirm-dialog.tsx';
import { toast } from '../../../ui/overlay/toast.ts';
import { ProblemNotice } from '../two-factor/two-factor-failure.tsx';
import { WebhookFacts, WebhookStateBadge } from './webhook-facts.tsx';
import { deliveriesKey, WebhookLog } from './webhook-log.tsx';
import styles from './webhooks.module.css';
import { callWebhookAction, rotateSecret, type Webhook } from './webhooks-api.ts';

interface WebhookRowProps {
  webhook: Webhook;
  onChange: () => void;
  onRotated: (secret: string) => void;
  reload: () => Promise<void>;
}

type Question = 'rotate' | 'delete';

export function WebhookRow({ webhook, onChange, onRotated, reload }: WebhookRowProps) {
  const { id, url, state } = webhook;
  const [showsLog, setShowsLog] = useState(false);
  const [question, setQuestion] = useState<Question | null>(null);
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<ReportedProblem | null>(null);

  /** @returns whether it succeeded */
  const run = async (call: () => Promise<ReportedProblem | null>, done: string): Promise<boolean> => {
    setBusy(true);
    const failure = await call();
    setProblem(failure);
    if (failure === null) toast.success(done);
    await Promise.all([reload(), queryClient.invalidateQueries({ queryKey: deliveriesKey(id) })]);
    setBusy(false);
    setQuestion(null);
    return failure === null;
  };
  const setState = (next: Webhook['state']) =>
    run(
      () => callWebhookAction({ name: 'set-webhook-state', body: { id, state: next } }),
      next === 'active' ? 'Webhook resumed' : 'Webhook paused',
    );
  const test = async () => {
    const isQueued = await run(() => callWebhookAction({ name: 'send-test-webhook', body: { id } }), 'Test queued');
    if (isQueued) setShowsLog(true);
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
          <WebhookStateBadge webhook={webhook} />
        </p>
        <WebhookFacts webhook={webhook} />
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
        <p>The current secret stays valid for 24 hours. A secret from an earlier change ends now.</p>
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
          Nothing more is sent to <strong className={styles.url}>{url}</strong>. Its waiting events and its log are
          deleted too. You can’t undo this.
        </p>
      </ConfirmDialog>
    </li>
  );
}
