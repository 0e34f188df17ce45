import * as z from 'zod/mini';
import type { ReportedProblem } from '#domain/account/second-factor-messages.ts';
import {
  CHAT_CHANNEL_COLUMNS,
  type ChatChannelRow,
  type ChatService,
  type CreatedChatCode,
  chatChannelRowSchema,
  createdChatCodeSchema,
} from '#domain/chat/chat-channel.ts';
import { type ChatConfig, chatConfigSchema } from '#domain/chat/chat-config.ts';
import { chatProblem } from '#domain/chat/chat-messages.ts';
import { reportedCalls } from '../../../platform/calls/reported-calls.ts';
import { retryingFetch } from '../../../platform/calls/shed-retry.ts';
import { inTime } from '../../../platform/calls/time-limit.ts';
import { supabase } from '../../../platform/supabase.ts';

const { call, act } = reportedCalls('change linked chats', chatProblem);

/** The services that this site offers. @throws Error, including when the server does not answer in time */
export function fetchChatConfig(signal: AbortSignal): Promise<ChatConfig> {
  return inTime(signal, async (limited) => {
    const response = await retryingFetch('/config.json', {
      headers: { accept: 'application/json' },
      signal: limited,
    });
    if (!response.ok) throw new Error(`Chat services: status ${response.status}`);
    return chatConfigSchema.parse(await response.json()).chat;
  });
}

/** Oldest first. @throws Error, including when the server does not answer in time */
export function fetchChats(userId: string, signal: AbortSignal): Promise<ChatChannelRow[]> {
  return inTime(signal, async (limited) => {
    const { data, error } = await (await supabase())
      .from('chat_channels')
      .select(CHAT_CHANNEL_COLUMNS.replaceAll(' ', ''))
      .eq('user_id', userId)
      .order('linked_at')
      .retry(false)
      .abortSignal(limited);
    if (error) throw new Error(`Linked chats: ${error.message}`, { cause: error });
    return z.array(chatChannelRowSchema).parse(data);
  });
}

export function createChatCode(service: ChatService): Promise<CreatedChatCode | ReportedProblem> {
  return call('create-chat-code', { service }, createdChatCodeSchema);
}

export type ChatAction =
  | { name: 'update-chat-channel'; body: Pick<ChatChannelRow, 'id' | 'kinds' | 'state'> }
  | { name: 'unlink-chat-channel' | 'send-test-chat-message'; body: { id: string } };

/** @returns null on success */
export function callChatAction({ name, body }: ChatAction): Promise<ReportedProblem | null> {
  return act(name, body);
}
