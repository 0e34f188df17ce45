/** A code that links a chat: where to enter it, and how long it is valid. */
import { useEffect, useRef } from 'react';
import { type ChatService, CODE_LIFE_MS, type CreatedChatCode, SERVICE_NAMES } from '#domain/chat/chat-channel.ts';
import { useNow } from '../../../ui/browser/use-now.ts';
import { Button } from '../../../ui/forms/button.tsx';
import { CopyButton } from '../../../ui/forms/copy-button.tsx';
import { ExternalLinkButton } from '../../../ui/layout/external-link.tsx';
import { Notice } from '../../../ui/layout/notice.tsx';
import { Spinner } from '../../../ui/status/loader.tsx';
import { classNames } from '../../../ui/styles/class-names.ts';
import styles from './chats.module.css';

export interface ShownCode extends CreatedChatCode {
  service: ChatService;
  /** By this browser's clock, which may differ from the server's. */
  receivedAtMs: number;
}

export interface ChatCodeProps {
  shown: ShownCode;
  isBusy: boolean;
  onRenew: () => void;
  onCancel: () => void;
}

export function ChatCode({ shown, isBusy, onRenew, onCancel }: ChatCodeProps) {
  const { service, receivedAtMs } = shown;
  const leftMs = receivedAtMs + CODE_LIFE_MS - useNow(1000);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <section className={styles.code} aria-labelledby="chat-code">
      <h3 id="chat-code" ref={heading} tabIndex={-1}>
        {`Link a ${SERVICE_NAMES[service]} chat`}
      </h3>
      {leftMs > 0 ? (
        <>
          {service === 'telegram' ? <TelegramSteps shown={shown} /> : <DiscordSteps shown={shown} />}
          <p className={styles.state}>
            <Spinner />
            <span role="status">Waiting for the chat</span>
            <span className="muted size-13">
              The code is valid for <span className="figures">{minutesAndSeconds(leftMs)}</span>
            </span>
          </p>
        </>
      ) : (
        <div role="status">
          <Notice tone="warning" title="This code has expired.">
            <p>{`A code is valid for ${CODE_LIFE_MS / 60_000} minutes. Get a new one to link the chat.`}</p>
          </Notice>
        </div>
      )}
      <div className={styles.buttons}>
        {leftMs <= 0 && (
          <Button size="small" isBusy={isBusy} onClick={onRenew}>
            Get a new code
          </Button>
        )}
        <Button size="small" variant="quiet" onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </section>
  );
}

function TelegramSteps({ shown: { link, command, bot } }: { shown: ShownCode }) {
  return (
    <ul className={styles.steps}>
      <li>
        <p>Open the bot and tap Start.</p>
        <div className={styles.buttons}>
          <ExternalLinkButton size="small" href={link}>
            {`Open ${bot}`}
          </ExternalLinkButton>
          <CopyButton text={link} what="link" />
        </div>
      </li>
      <li>
        <p>{`Or add ${bot} to a group, and send this there:`}</p>
        <Command command={command} />
      </li>
    </ul>
  );
}

function DiscordSteps({ shown: { link, command, bot } }: { shown: ShownCode }) {
  return (
    <ol className={classNames(styles.steps, styles.ordered)}>
      <li>
        <p>{`Add ${bot} to your server. You need the right to manage it.`}</p>
        <div className={styles.buttons}>
          <ExternalLinkButton size="small" href={link}>
            {`Add ${bot}`}
          </ExternalLinkButton>
          <CopyButton text={link} what="link" />
        </div>
      </li>
      <li>
        <p>In the channel, enter this command:</p>
        <Command command={command} />
      </li>
    </ol>
  );
}

function Command({ command }: { command: string }) {
  return (
    <p className={styles.command}>
      <code className="figures">{command}</code>
      <CopyButton text={command} what="command" />
    </p>
  );
}

/** 9:05 */
function minutesAndSeconds(ms: number): string {
  const seconds = Math.ceil(ms / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}
