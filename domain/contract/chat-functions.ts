import {
  chatChannelIdSchema,
  createChatCodeSchema,
  createdChatCodeSchema,
  updateChatChannelSchema,
} from '../chat/chat-channel.ts';
import { doneSchema, EXAMPLE_ID, functionContract } from './function-contract.ts';

export const CHAT_FUNCTIONS = {
  'create-chat-code': functionContract({
    body: createChatCodeSchema,
    answer: createdChatCodeSchema,
    refusals: ['account/address-not-proven', 'chat/unavailable', 'chat/too-many', 'request/too-many'],
    example: { service: 'telegram' },
    docs: {
      sends: '`{service: "telegram" or "discord"}`',
      gets: '`{ok, code, expiresAt, link, command, bot}`, the only time the code is shown; it ends the former code of that service. 20 an hour',
      refused: { 'chat/too-many': 'five chats' },
    },
  }),
  'update-chat-channel': functionContract({
    body: updateChatChannelSchema,
    answer: doneSchema,
    refusals: ['chat/no-such-chat', 'request/too-many'],
    example: { id: EXAMPLE_ID, kinds: ['band-broken'], state: 'active' },
    docs: {
      sends: '`{id, kinds, state: "active" or "paused"}`; at least one kind of alert',
      gets: '`{ok: true}`. 60 calls in ten minutes',
    },
  }),
  'unlink-chat-channel': functionContract({
    body: chatChannelIdSchema,
    answer: doneSchema,
    refusals: ['chat/no-such-chat'],
    example: { id: EXAMPLE_ID },
    docs: { sends: '`{id}`', gets: '`{ok: true}`; deletes what waits' },
  }),
  'send-test-chat-message': functionContract({
    body: chatChannelIdSchema,
    answer: doneSchema,
    refusals: ['chat/no-such-chat', 'chat/paused', 'request/too-many'],
    example: { id: EXAMPLE_ID },
    docs: { sends: '`{id}`', gets: '`{ok: true}` once it is queued. 10 in ten minutes' },
  }),
};
