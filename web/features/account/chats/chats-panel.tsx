/** Telegram and Discord: the chats that get this user's alerts, and how to link another. */
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { ReportedProblem } from '#domain/account/second-factor-messages.ts';
import {
  CHAT_SERVICES,
  type ChatChannelRow,
  type ChatService,
  MOST_CHATS,
  SERVICE_NAMES,
} from '#domain/chat/chat-channel.ts';
import type { ChatConfig } from '#domain/chat/chat-config.ts';
import { queryClient } from '../../../platform/query-client.ts';
import { Button } from '../../../ui/forms/button.tsx';
import access from '../../../ui/layout/access-list.module.css';
import { Badge } from '../../../ui/layout/badge.tsx';
import { Panel } from '../../../ui/layout/panel.tsx';
import { Skeleton } from '../../../ui/status/loader.tsx';
import { ErrorState } from '../../../ui/status/state.tsx';
import { classNames } from '../../../ui/styles/class-names.ts';
import { ProblemNotice } from '../two-factor/two-factor-failure.tsx';
import { ChatCode, type ShownCode } from './chat-code.tsx';
import { ChatRow } from './chat-row.tsx';
import styles from './chats.module.css';
import { createChatCode, fetchChatConfig, fetchChats } from './chats-api.ts';

const chatsKey = (userId: string) => ['chats', userId];
/** A service may pause a chat while the page is open. */
const POLL_MS = 10_000;
/** The user enters the code in another window and looks back here. */
const WAITING_POLL_MS = 2000;

export function ChatsPanel({ userId }: { userId: string }) {
  const [isWaiting, setWaiting] = useState(false);
  const config = useQuery({
    queryKey: ['chat-config'],
    queryFn: ({ signal }) => fetchChatConfig(signal),
    networkMode: 'always',
  });
  const chats = useQuery({
    queryKey: chatsKey(userId),
    queryFn: ({ signal }) => fetchChats(userId, signal),
    refetchOnWindowFocus: 'always',
    refetchInterval: isWaiting ? WAITING_POLL_MS : POLL_MS,
    networkMode: 'always',
  });
  const isLoaded = config.data !== undefined && chats.data !== undefined;
  const retry = () => {
    if (config.isError) void config.refetch();
    if (chats.isError) void chats.refetch();
  };
  return (
    <Panel heading="Telegram and Discord" id="chats">
      {isLoaded ? (
        <Content
          config={config.data}
          chats={chats.data}
          setWaiting={setWaiting}
          reload={() => queryClient.invalidateQueries({ queryKey: chatsKey(userId) })}
        />
      ) : config.isError || chats.isError ? (
        <ErrorState
          title="We couldn’t load your linked chats"
          text="They still get your alerts."
          onRetry={retry}
          isRetrying={config.isFetching || chats.isFetching}
        />
      ) : (
        <div role="status" aria-label="Loading your linked chats">
          <Skeleton className={styles.waiting} />
        </div>
      )}
    </Panel>
  );
}

interface ContentProps {
  config: ChatConfig;
  chats: readonly ChatChannelRow[];
  setWaiting: (isWaiting: boolean) => void;
  reload: () => Promise<void>;
}

function Content({ config, chats, setWaiting, reload }: ContentProps) {
  const { shown, linked, ...linking } = useLinking(chats, setWaiting);
  const content = useRef<HTMLDivElement>(null);
  // The focused button may have been replaced.
  useEffect(() => {
    if (linked !== null && document.activeElement === document.body) content.current?.focus();
  }, [linked]);
  return (
    <div ref={content} tabIndex={-1} className={classNames(access.content, styles.content)}>
      <p className="muted size-13 readable-width">
        Link a chat, and Kat writes your alerts there, with the forecast’s picture.{' '}
        <a href="/docs/guides/telegram-and-discord">How to link a chat</a>
      </p>
      <div role="status">{linked !== null && <p className="size-13">{`${linked} is linked.`}</p>}</div>
      {chats.length > 0 && (
        <ul className="grid" aria-label="Your linked chats">
          {chats.map((chat) => (
            <ChatRow key={chat.id} chat={chat} reload={reload} />
          ))}
        </ul>
      )}
      <ul className={classNames('grid', chats.length > 0 && styles.services)} aria-label="Link a chat">
        {CHAT_SERVICES.map((service) => (
          <Service
            key={service}
            service={service}
            source={config[service]}
            isFull={chats.length >= MOST_CHATS}
            isBusy={linking.busy === service}
            isOpen={shown?.service === service}
            onLink={() => void linking.request(service)}
          />
        ))}
      </ul>
      {chats.length >= MOST_CHATS && (
        <p className="muted size-13 readable-width">
          You have {MOST_CHATS} linked chats, the most you can have. Unlink one to link another.
        </p>
      )}
      {linking.problem !== null && <ProblemNotice problem={linking.problem} />}
      {shown !== null && (
        <ChatCode
          key={shown.code}
          shown={shown}
          isBusy={linking.busy !== null}
          onRenew={() => void linking.request(shown.service)}
          onCancel={linking.cancel}
        />
      )}
    </div>
  );
}

/** Shows a code until a chat of its service is linked or the user cancels. */
function useLinking(chats: readonly ChatChannelRow[], setWaiting: (isWaiting: boolean) => void) {
  const [shown, setShown] = useState<ShownCode | null>(null);
  const [known, setKnown] = useState<readonly string[]>([]);
  const [linked, setLinked] = useState<string | null>(null);
  const [busy, setBusy] = useState<ChatService | null>(null);
  const [problem, setProblem] = useState<ReportedProblem | null>(null);
  const added =
    shown === null ? undefined : chats.find(({ id, service }) => service === shown.service && !known.includes(id));
  useEffect(() => {
    if (added === undefined) return;
    setLinked(`${added.title} on ${SERVICE_NAMES[added.service]}`);
    setShown(null);
    setWaiting(false);
  }, [added, setWaiting]);
  return {
    shown,
    linked,
    busy,
    problem,
    cancel() {
      setShown(null);
      setWaiting(false);
    },
    async request(service: ChatService) {
      setBusy(service);
      setProblem(null);
      setLinked(null);
      const answer = await createChatCode(service);
      setBusy(null);
      if ('message' in answer) {
        setProblem(answer);
        return;
      }
      setKnown(chats.map(({ id }) => id));
      setShown({ ...answer, service, receivedAtMs: Date.now() });
      setWaiting(true);
    },
  };
}

interface ServiceProps {
  service: ChatService;
  /** Null: not offered. */
  source: ChatConfig[ChatService];
  isFull: boolean;
  isBusy: boolean;
  isOpen: boolean;
  onLink: () => void;
}

function Service({ service, source, isFull, isBusy, isOpen, onLink }: ServiceProps) {
  const name = SERVICE_NAMES[service];
  return (
    <li className={styles.service}>
      <div className="grid gap-1 min-width-0">
        <p className={access.name}>
          <span>{name}</span> {source === 'sandbox' && <Badge tone="info">Sandbox</Badge>}
        </p>
        {source === null && <p className="muted size-13">{`This site doesn’t offer ${name}.`}</p>}
        {source === 'sandbox' && (
          <p className="muted size-13 readable-width">
            This server simulates {name}. Its messages appear in the <a href={`/dev/${service}`}>sandbox</a>.
          </p>
        )}
      </div>
      {source !== null && (
        <Button size="small" aria-label={`Link ${name}`} isBusy={isBusy} disabled={isFull || isOpen} onClick={onLink}>
          Link
        </Button>
      )}
    </li>
  );
}
