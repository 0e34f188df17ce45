/** A linked chat: which alerts it gets, whether it is paused and why, and how to test or unlink it. */
import MessageCircle from 'lucide-react/icons/message-circle';
import { useRef, useState } from 'react';
import type { ReportedProblem } from '#domain/account/second-factor-messages.ts';
import { ALERT_KINDS, type AlertKind } from '#domain/alerts/alert-rule.ts';
import { type ChatChannelRow, SERVICE_NAMES } from '#domain/chat/chat-channel.ts';
import { CHAT_ALERT_LABELS, PAUSE_LABELS } from '#domain/chat/chat-messages.ts';
import { zonedMinute } from '#domain/format/zoned-time.ts';
import { useTimeZone } from '../../../ui/browser/time-zone.ts';
import { Button } from '../../../ui/forms/button.tsx';
import { Checkbox } from '../../../ui/forms/field.tsx';
import access from '../../../ui/layout/access-list.module.css';
import { Badge } from '../../../ui/layout/badge.tsx';
import { ConfirmDialog } from '../../../ui/overlay/confirm-dialog.tsx';
import { toast } from '../../../ui/overlay/toast.ts';
import { ProblemNotice } from '../two-factor/two-factor-failure.tsx';
import styles from './chats.module.css';
import { type ChatAction, callChatAction } from './chats-api.ts';

export function ChatRow({ chat, reload }: { chat: ChatChannelRow; reload: () => Promise<void> }) {
  const { id, service, title, kinds, state, pause_reason: reason } = chat;
  const name = `${title} on ${SERVICE_NAMES[service]}`;
  const [busy, setBusy] = useState<ChatAction['name'] | null>(null);
  const [isUnlinking, setUnlinking] = useState(false);
  const [problem, setProblem] = useState<ReportedProblem | null>(null);

  const run = async (action: ChatAction, done: string) => {
    setBusy(action.name);
    const failure = await callChatAction(action);
    setProblem(failure);
    if (failure === null) toast.success(done);
    await reload();
    setBusy(null);
    setUnlinking(false);
  };
  const setState = (next: ChatChannelRow['state']) =>
    run(
      { name: 'update-chat-channel', body: { id, kinds, state: next } },
      next === 'active' ? 'Chat resumed' : 'Chat paused',
    );
  return (
    <li className={access.row}>
      <MessageCircle size={20} aria-hidden="true" className="muted" />
      <div className="grid gap-2 min-width-0">
        <p className={access.name}>
          <span className={styles.title}>{title}</span>
          <Badge tone="neutral">{SERVICE_NAMES[service]}</Badge>
          {state === 'paused' && <Badge tone="warning">Paused</Badge>}
        </p>
        {reason !== null && <p className="size-13 readable-width">{PAUSE_LABELS[reason]}</p>}
        <Kinds chat={chat} name={name} reload={reload} onProblem={setProblem} />
        <Facts chat={chat} />
        {problem !== null && <ProblemNotice problem={problem} />}
        <div className={styles.buttons}>
          {state === 'paused' ? (
            <Button
              size="small"
              variant="primary"
              aria-label={`Resume ${name}`}
              isBusy={busy === 'update-chat-channel'}
              onClick={() => void setState('active')}
            >
              Resume
            </Button>
          ) : (
            <>
              <Button
                size="small"
                aria-label={`Send a test to ${name}`}
                isBusy={busy === 'send-test-chat-message'}
                onClick={() => void run({ name: 'send-test-chat-message', body: { id } }, 'The test is on its way')}
              >
                Send a test
              </Button>
              <Button
                size="small"
                variant="quiet"
                aria-label={`Pause ${name}`}
                isBusy={busy === 'update-chat-channel'}
                onClick={() => void setState('paused')}
              >
                Pause
              </Button>
            </>
          )}
          <Button size="small" variant="quiet" aria-label={`Unlink ${name}`} onClick={() => setUnlinking(true)}>
            Unlink
          </Button>
        </div>
      </div>
      <ConfirmDialog
        isOpen={isUnlinking}
        heading="Unlink this chat?"
        verb="Unlink"
        isBusy={busy === 'unlink-chat-channel'}
        onClose={() => setUnlinking(false)}
        onConfirm={() => void run({ name: 'unlink-chat-channel', body: { id } }, 'Chat unlinked')}
      >
        <p>
          <strong className={styles.title}>{name}</strong> gets no more alerts, and messages that wait are deleted. You
          can link it again with a new code.
        </p>
      </ConfirmDialog>
    </li>
  );
}

interface KindsProps {
  chat: ChatChannelRow;
  name: string;
  reload: () => Promise<void>;
  onProblem: (problem: ReportedProblem | null) => void;
}

/** Saved immediately, one after the other; shown before the server has them, and undone if saving fails. */
function Kinds({ chat: { id, kinds: saved, state }, name, reload, onProblem }: KindsProps) {
  const [pending, setPending] = useState<readonly AlertKind[] | null>(null);
  const saving = useRef<Promise<void>>(Promise.resolve());
  const latest = useRef(0);
  const kinds = pending ?? saved;

  const toggle = (kind: AlertKind, isOn: boolean) => {
    const next = ALERT_KINDS.filter((one) => (one === kind ? isOn : kinds.includes(one)));
    if (next.length === 0) {
      onProblem({ message: 'Choose at least one alert. To get none, pause the chat.', needsSignIn: false });
      return;
    }
    latest.current += 1;
    const own = latest.current;
    setPending(next);
    saving.current = saving.current.then(async () => {
      onProblem(await callChatAction({ name: 'update-chat-channel', body: { id, kinds: next, state } }));
      await reload();
      if (own === latest.current) setPending(null);
    });
  };
  return (
    <fieldset className={styles.kinds} aria-label={`Alerts for ${name}`}>
      <legend className="size-13 muted">Alerts</legend>
      {ALERT_KINDS.map((kind) => (
        <Checkbox
          key={kind}
          label={CHAT_ALERT_LABELS[kind]}
          checked={kinds.includes(kind)}
          onChange={({ target }) => toggle(kind, target.checked)}
        />
      ))}
    </fieldset>
  );
}

function Facts({ chat: { linked_at: linkedAt, last_sent_at: lastAt } }: { chat: ChatChannelRow }) {
  const { zone } = useTimeZone();
  const when = (time: string) => zonedMinute(Date.parse(time), zone);
  return (
    <dl className={access.facts}>
      <div>
        <dt>Linked</dt>
        <dd>{when(linkedAt)}</dd>
      </div>
      <div>
        <dt>Last sent</dt>
        <dd>{lastAt === null ? 'never' : when(lastAt)}</dd>
      </div>
    </dl>
  );
}
