/** One simulated chat service: its API for the bot, and what its user does on the page. */
import type { RestAnswer } from '../rest-answer.ts';
import type { ApiRequest } from './api-request.ts';
import type { Conversations, Reach } from './conversations.ts';

export interface SimulatedChat {
  /** First part of its addresses, and its name in faults. */
  readonly name: 'telegram' | 'discord';
  readonly title: string;
  readonly conversations: Conversations;
  answer(request: ApiRequest): Promise<RestAnswer>;
  /** A call's path as faults name it. */
  faultTarget(path: string): string;
  /** The service's body for a status that a fault sets. */
  refusal(status: number, retryAfterS: number | null): unknown;
  /** The user enters a text or command in a chat. */
  enter(conversationId: string, text: string): Promise<void>;
  /** The user blocks the bot, allows it again, or deletes the chat. */
  setReach(conversationId: string, reach: Reach): Promise<void>;
  close(): void;
}
