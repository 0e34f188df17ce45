/**
 * The queue of chat messages against a model: messages, processes that claim, send, fail and die at any moment, and time.
 * A chat's messages are sent in order, one at a time; none is lost, and one is sent twice only where its process died after
 * the service accepted it, or outlived its lease. And updates of two processes that poll together have their effect once.
 */
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { commandLimits } from '../../server/chat/chat-commands.ts';
import type { TelegramUpdate } from '../../server/chat/services/telegram-update.ts';
import { type ClaimedMessage, chatQueue, queueMessage } from '../../server/chat/stores/message-store.ts';
import { pollOnce, type TelegramPollDeps } from '../../server/chat/telegram-poll.ts';
import { asOwner, type Database, OWNER } from '../../server/platform/database/database.ts';
import { limiterOfProcess } from '../../server/platform/http/guards/rate-limit.ts';
import { openTestDatabase, testLog } from '../support/database/database.ts';
import { describeEachDatabase } from '../support/database/each-database.ts';
import { sampleSize } from '../support/run/test-size.ts';

const LEASE_MS = 60_000;
const CHATS = 3;
const held = fc.nat(5);
const never = new AbortController().signal;

const stepOf = fc.oneof(
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('add' as const), chat: fc.nat(CHATS - 1) }) },
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('claim' as const), count: fc.integer({ min: 1, max: 4 }) }) },
  // Two processes at the same moment.
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('claim-together' as const) }) },
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('send' as const), held }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('put-back' as const), held }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('give-up' as const), held }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('die' as const), held, isAccepted: fc.boolean() }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('wait' as const), ms: fc.constantFrom(100, 6000, 61_000) }) },
);
type Step = typeof stepOf extends fc.Arbitrary<infer T> ? T : never;

describeEachDatabase('the queue of chat messages', (kind) => {
  let database: Database;
  beforeAll(async () => {
    database = await openTestDatabase(kind);
  });
  afterAll(() => database?.close());

  test(
    'sends each chat’s messages in order and one at a time, and twice only where a process died',
    async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(stepOf, { minLength: 10, maxLength: 60 }), async (steps) => {
          const world = queueWorld(database);
          for (const step of steps) await world.run(step);
          await world.drain();
          world.check();
          await database.query(OWNER, 'delete from private.chat_messages');
        }),
        { numRuns: sampleSize(15, 600) },
      );
    },
    sampleSize(120_000, 1_800_000),
  );

  test('lets an update have its effect once when two processes read it, and again after a failed transaction', async () => {
    const nowMs = Date.parse('2026-11-27T10:00:00Z');
    const updates: TelegramUpdate[] = Array.from({ length: 12 }, (_, n) => ({
      id: 500 + n,
      event: { kind: 'text', chat: { id: '900', title: 'A chat', isPrivate: true }, text: '/status' },
    }));
    let failures = 1;
    const depsOf = (siteUrl: () => string): TelegramPollDeps => ({
      database,
      clock: { nowMs: () => nowMs },
      log: testLog,
      sendsMails: false,
      siteUrl,
      bot: () => ({ id: '7', name: 'kat_bot' }),
      limits: commandLimits(limiterOfProcess),
      // Confirmed only by the offset of the next poll, as Telegram does it.
      api: { getUpdates: async (from) => updates.filter(({ id }) => from === null || id >= from) },
    });
    const failing = depsOf(() => {
      if (failures-- > 0) throw new Error('the process was killed here');
      return 'https://kat.test';
    });
    await expect(pollOnce(failing, never)).rejects.toThrow('killed here');
    const plain = depsOf(() => 'https://kat.test');
    await Promise.all([pollOnce(plain, never), pollOnce(plain, never)]);
    await pollOnce(plain, never);

    const rows = await asOwner(database).query<{ key: string }>('select key from private.chat_messages order by place');
    expect(rows.map(({ key }) => key)).toEqual(updates.map(({ id }) => `reply ${id}`));
    await database.query(OWNER, 'delete from private.chat_messages');
  });

  test('reads lower numbers again after a week without updates, once', async () => {
    let nowMs = Date.parse('2026-12-20T10:00:00Z');
    const event = { kind: 'text', chat: { id: '900', title: 'A chat', isPrivate: true }, text: '/status' } as const;
    const requested: (number | null)[] = [];
    let updates: TelegramUpdate[] = [{ id: 90_000, event }];
    const deps: TelegramPollDeps = {
      database,
      clock: { nowMs: () => nowMs },
      log: testLog,
      sendsMails: false,
      siteUrl: () => 'https://kat.test',
      bot: () => ({ id: '8', name: 'kat_bot' }),
      limits: commandLimits(limiterOfProcess),
      api: {
        getUpdates: async (from) => {
          requested.push(from);
          return updates;
        },
      },
    };
    await pollOnce(deps, never);
    nowMs += 8 * 24 * 3_600_000;
    updates = [{ id: 12, event }];
    await pollOnce(deps, never);
    await pollOnce(deps, never);

    expect(requested).toEqual([null, null, 13]);
    const rows = await asOwner(database).query<{ key: string }>('select key from private.chat_messages order by place');
    expect(rows.map(({ key }) => key)).toEqual(['reply 90000', 'reply 12']);
    await database.query(OWNER, 'delete from private.chat_messages');
  });
});

function queueWorld(database: Database) {
  const queue = chatQueue(database);
  let nowMs = Date.parse('2026-11-27T10:00:00Z');
  let added = 0;
  const underWay: { message: ClaimedMessage; leaseEndsMs: number }[] = [];
  /** By chat, in the order of adding, without those given up. */
  const wanted = new Map<string, string[]>();
  const accepted = new Map<string, string[]>();
  const excused = new Set<string>();
  const textOf = (n: number) => `message ${n}`;

  async function add(chat: number): Promise<void> {
    const text = textOf(added++);
    const chatId = String(100 + chat);
    wanted.set(chatId, [...(wanted.get(chatId) ?? []), text]);
    const message = { service: 'telegram', chatId, channelId: null, key: text, text, ttlS: 86_400 } as const;
    await queueMessage(asOwner(database), message, new Date(nowMs).toISOString());
  }

  async function claim(count: number): Promise<number> {
    const messages = await queue.claim(count, nowMs, nowMs + LEASE_MS);
    for (const message of messages) {
      const others = underWay.filter((one) => one.message.chatId === message.chatId && one.leaseEndsMs > nowMs);
      // One that was sent by a process that outlived its lease may still be held by the next one.
      expect(others.map((one) => one.message.text).filter((text) => !excused.has(text))).toEqual([]);
      underWay.push({ message, leaseEndsMs: nowMs + LEASE_MS });
    }
    return messages.length;
  }

  const take = (index: number) => (underWay.length === 0 ? undefined : underWay.splice(index % underWay.length, 1)[0]);

  async function send(index: number): Promise<void> {
    const one = take(index);
    if (one === undefined) return;
    const { message, leaseEndsMs } = one;
    accepted.set(message.chatId, [...(accepted.get(message.chatId) ?? []), message.text]);
    // A process that outlived its lease sends what another one may have sent.
    if (leaseEndsMs <= nowMs) excused.add(message.text);
    await queue.markSent(message, nowMs);
  }

  async function run(step: Step): Promise<unknown> {
    switch (step.kind) {
      case 'add':
        return add(step.chat);
      case 'claim':
        return claim(step.count);
      case 'claim-together':
        return Promise.all([claim(2), claim(2)]);
      case 'send':
        return send(step.held);
      case 'put-back': {
        const one = take(step.held);
        return one === undefined ? undefined : queue.putBack(one.message, nowMs + 5000, 'later');
      }
      case 'give-up': {
        const one = take(step.held);
        if (one === undefined) return undefined;
        // An outlived lease gives up only what no other process has claimed since.
        if (one.leaseEndsMs <= nowMs) return underWay.push(one);
        const { chatId, text } = one.message;
        wanted.set(
          chatId,
          (wanted.get(chatId) ?? []).filter((other) => other !== text),
        );
        return queue.giveUp(one.message, 'refused');
      }
      case 'die': {
        const one = take(step.held);
        if (one === undefined || !step.isAccepted) return undefined;
        const { chatId, text } = one.message;
        accepted.set(chatId, [...(accepted.get(chatId) ?? []), text]);
        return excused.add(text);
      }
      case 'wait':
        nowMs += step.ms;
        return undefined;
    }
  }

  async function drain(): Promise<void> {
    underWay.length = 0;
    for (;;) {
      const dueMs = await queue.nextDueMs();
      if (dueMs === null) return;
      nowMs = Math.max(nowMs, Math.ceil(dueMs));
      expect(await claim(10)).toBeGreaterThan(0);
      while (underWay.length > 0) await send(0);
    }
  }

  function check(): void {
    for (const [chatId, texts] of wanted) {
      const sent = (accepted.get(chatId) ?? []).filter((text) => texts.includes(text));
      const once = [...new Set(sent)];
      expect(once).toEqual(texts);
      const repeated = sent.filter((text, place) => sent.indexOf(text) !== place);
      expect(repeated.filter((text) => !excused.has(text))).toEqual([]);
    }
  }
  return { run, drain, check };
}
