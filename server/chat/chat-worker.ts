/**
 * Sends queued messages, in every server process: one of a chat at a time, in order. One is sent twice only if a process
 * dies after the service accepted it and before that is recorded.
 */
import type { ChatService } from '#domain/chat/chat-channel.ts';
import { asOwner } from '../platform/database/database.ts';
import { type QueueWorker, type QueueWorkerDeps, startQueueWorker } from '../platform/queues/queue-worker.ts';
import { ChatNotSent, type SendChat } from './services/chat-service.ts';
import { countRefusal, moveChat, pauseChannel } from './stores/channel-store.ts';
import { CHAT_CHANNEL, type ClaimedMessage, chatQueue } from './stores/message-store.ts';

export interface ChatWorkerDeps extends QueueWorkerDeps {
  /** Null: the service is not offered, and what is queued for it fails. */
  senders: Readonly<Record<ChatService, SendChat | null>>;
  /** PNG of a saved prediction; null when it was deleted. */
  pictureOf(predictionId: string): Promise<Uint8Array<ArrayBuffer> | null>;
}

/** Waits between tries unless the service requests another; the last one repeats until the message expires. */
export const CHAT_RETRY_WAITS_MS = [5000, 30_000, 120_000, 300_000] as const;
/** A service that requests an immediate retry gets it a little later. */
const SHORTEST_WAIT_MS = 500;
/** How long a service gets nothing after it refused the bot's token. */
const TOKEN_WAIT_MS = 60_000;
/** Messages of different chats in progress at the same time, per process. */
const MAX_UNDER_WAY = 8;
/** Longer than drawing, a try with the picture and one without, and recording the result. */
export const CHAT_LEASE_MS = 60_000;
export const CHAT_RETENTION_MS = 7 * 24 * 3_600_000;

export function startChatWorker(deps: ChatWorkerDeps): Promise<QueueWorker> {
  const { senders, clock, log } = deps;
  const queue = chatQueue(deps.database);
  const queries = asOwner(deps.database);
  /** A service that requested a wait for all chats, or refused the token. */
  const heldUntilMs: Record<ChatService, number> = { telegram: 0, discord: 0 };

  /** Never rejects. @returns true: the chat's next message may be due now */
  async function send(message: ClaimedMessage, stopping: AbortSignal): Promise<boolean> {
    const about = { message: message.id, service: message.service, attempt: message.attempts };
    try {
      await sendOnce(message, stopping);
    } catch (error) {
      await afterFailure(message, error, stopping).catch((cause: unknown) =>
        log.warn({ ...about, err: cause }, 'a chat message could not be put back in the queue'),
      );
      return true;
    }
    log.info(about, 'chat message sent');
    // Tried twice, so that a database that has just restarted does not cause a second send.
    const mark = () => queue.markSent(message, clock.nowMs());
    await mark()
      .catch(mark)
      .catch((error: unknown) =>
        log.error({ ...about, err: error }, 'a sent chat message could not be marked as sent'),
      );
    return true;
  }

  async function sendOnce(message: ClaimedMessage, stopping: AbortSignal): Promise<void> {
    const { service, chatId, text } = message;
    const sender = senders[service];
    if (sender === null) throw new ChatNotSent('not offered', 'dropped');
    const nowMs = clock.nowMs();
    if (nowMs >= message.expiresMs) throw new ChatNotSent('too late', 'dropped');
    if (nowMs < heldUntilMs[service])
      throw new ChatNotSent('held', 'later', { retryAfterMs: heldUntilMs[service] - nowMs });
    const picture = await draw(message);
    const content = { chatId, text, nonce: message.id.replaceAll('-', '').slice(0, 25) };
    try {
      await sender({ ...content, picture }, stopping);
    } catch (error) {
      if (picture === null || !mayTakeText(error)) throw error;
      log.info({ message: message.id, service, reason: error.message }, 'sending a chat message without its picture');
      await sender({ ...content, picture: null }, stopping);
    }
  }

  /** An alert without its picture is worth more than none. */
  async function draw({ id, predictionId }: ClaimedMessage): Promise<Uint8Array<ArrayBuffer> | null> {
    if (predictionId === null) return null;
    return deps.pictureOf(predictionId).catch((error: unknown) => {
      log.warn({ message: id, err: error }, 'the picture of a chat message could not be drawn');
      return null;
    });
  }

  async function afterFailure(message: ClaimedMessage, error: unknown, stopping: AbortSignal): Promise<void> {
    const about = { message: message.id, service: message.service, attempt: message.attempts };
    // Any other error is a bug. Its text may hold anything, so it is not stored.
    const fault = error instanceof ChatNotSent ? error : new ChatNotSent('unknown fault', 'later');
    const { message: reason, failure, movedTo } = fault;
    const nowMs = clock.nowMs();
    if (failure === 'moved' && movedTo !== null) {
      log.info(about, 'a chat has another id');
      await moveChat(queries, { service: message.service, chatId: message.chatId, movedTo });
      return queue.putBack(message, nowMs + waitOf(message, fault), reason);
    }
    if (failure === 'blocked' || failure === 'not-found') {
      log.info({ ...about, reason }, 'a chat no longer takes messages');
      await queue.giveUp(message, reason);
      if (message.channelId !== null) await pauseChannel(queries, message.channelId, failure);
      return;
    }
    if (failure === 'token') {
      heldUntilMs[message.service] = nowMs + TOKEN_WAIT_MS;
      log.error({ ...about, reason }, 'the chat service refuses the token of the bot; its messages wait');
    } else if (fault.isGlobal && fault.retryAfterMs !== null) {
      heldUntilMs[message.service] = nowMs + fault.retryAfterMs;
    }
    const nextTryMs = nowMs + (stopping.aborted ? 0 : waitOf(message, fault));
    if (failure === 'refused' || failure === 'dropped' || nextTryMs >= message.expiresMs) {
      log.warn({ ...about, reason }, 'chat message failed permanently');
      await queue.giveUp(message, reason);
      // The owner of a chat that takes nothing any more must see that, whatever the reason.
      if (failure === 'refused' && message.channelId !== null && (await countRefusal(queries, message.channelId)))
        log.info({ ...about, reason }, 'a chat is paused, because its service refuses every message');
      return;
    }
    log.info({ ...about, reason, nextTryInS: (nextTryMs - nowMs) / 1000 }, 'chat message not sent yet, retrying later');
    await queue.putBack(message, nextTryMs, reason);
  }

  return startQueueWorker(
    {
      name: 'chat message',
      channel: CHAT_CHANNEL,
      queue,
      handle: send,
      maxUnderWay: MAX_UNDER_WAY,
      leaseMs: CHAT_LEASE_MS,
      retentionMs: CHAT_RETENTION_MS,
    },
    deps,
  );
}

/** A service may refuse the picture alone: its size, or the bot's right to attach files. */
function mayTakeText(error: unknown): error is ChatNotSent {
  return error instanceof ChatNotSent && (error.failure === 'refused' || error.failure === 'blocked');
}

function waitOf({ attempts }: ClaimedMessage, { failure, retryAfterMs }: ChatNotSent): number {
  if (failure === 'token') return TOKEN_WAIT_MS;
  const usualMs = CHAT_RETRY_WAITS_MS[Math.min(attempts, CHAT_RETRY_WAITS_MS.length) - 1] ?? 0;
  return retryAfterMs === null ? usualMs : Math.max(retryAfterMs, SHORTEST_WAIT_MS);
}
