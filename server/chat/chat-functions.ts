/** What users do with their chats. They read them through the table, under row-level security. */

import { randomUUID } from 'node:crypto';
import type { ChatService } from '#domain/chat/chat-channel.ts';
import { testChatText } from '#domain/chat/chat-texts.ts';
import { CHAT_FUNCTIONS } from '#domain/contract/chat-functions.ts';
import { AppError } from '#domain/errors/app-error.ts';
import { requireProof } from '../backend/auth/sessions/session-proof.ts';
import type { Core } from '../core.ts';
import { asOwner, OWNER } from '../platform/database/database.ts';
import { contractFunctions, type ServerFunction } from '../platform/http/calls/server-function.ts';
import { newLinkCode } from './link-code.ts';
import { changeChannel, findChannel, removeChannel } from './stores/channel-store.ts';
import { addLinkCode } from './stores/link-store.ts';
import { queueMessage } from './stores/message-store.ts';

/** How a user reaches the bot with a code. */
export interface BotAddress {
  bot: string;
  link(code: string): string;
  command(code: string): string;
}

export interface ChatFunctionDeps extends Pick<Core, 'database' | 'clock' | 'limiterOf'> {
  /** Null: the service is not offered, or has not reported its bot yet. */
  addressOf(service: ChatService): BotAddress | null;
  /** The site's origin, without a trailing slash. */
  siteUrl(): string;
}

const CODES = { points: 20, perS: 60 * 60 };
const CHANGES = { points: 60, perS: 10 * 60 };
const TESTS = { points: 10, perS: 10 * 60 };
/** The user is looking at the chat now. */
const TEST_TTL_S = 5 * 60;

export function chatFunctions(deps: ChatFunctionDeps): ServerFunction[] {
  const { database, clock, limiterOf } = deps;
  const queries = asOwner(database);
  const codes = limiterOf(CODES, 'chat-code-creations');
  const changes = limiterOf(CHANGES, 'chat-changes');
  const tests = limiterOf(TESTS, 'chat-tests');
  return contractFunctions(CHAT_FUNCTIONS, {
    async 'create-chat-code'({ body: { service }, caller }) {
      const address = deps.addressOf(service);
      if (address === null) throw new AppError('chat/unavailable');
      await codes.consume(caller.userId);
      const code = newLinkCode();
      const expiresMs = await database.transaction(OWNER, async (tx) => {
        await requireProof(tx, caller);
        return addLinkCode(tx, caller.userId, { service, code }, clock.nowMs());
      });
      if (expiresMs === null) throw new AppError('chat/too-many');
      const { bot, link, command } = address;
      const expiresAt = new Date(expiresMs).toISOString();
      return { code, expiresAt, link: link(code), command: command(code), bot };
    },
    async 'update-chat-channel'({ body, caller: { userId } }) {
      await changes.consume(userId);
      if (!(await changeChannel(queries, userId, body))) throw new AppError('chat/no-such-chat');
    },
    async 'unlink-chat-channel'({ body, caller }) {
      if (!(await removeChannel(queries, caller.userId, body.id))) throw new AppError('chat/no-such-chat');
    },
    async 'send-test-chat-message'({ body, caller: { userId } }) {
      await tests.consume(userId);
      const channel = await findChannel(queries, userId, body.id);
      if (channel === null) throw new AppError('chat/no-such-chat');
      if (channel.state === 'paused') throw new AppError('chat/paused');
      const { service, chatId, id: channelId } = channel;
      const message = {
        service,
        chatId,
        channelId,
        key: `test ${randomUUID()}`,
        text: testChatText(deps.siteUrl()),
        ttlS: TEST_TTL_S,
      };
      await queueMessage(queries, message, new Date(clock.nowMs()).toISOString());
    },
  });
}
