/**
 * Codes against a model: any order of creating, using, guessing and waiting, by two users and in several chats. A code
 * links at most one chat, and only the current one of its user, in time; two chats that use one together share nothing.
 */
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CODE_ALPHABET, CODE_LENGTH, CODE_LIFE_MS, MOST_CHATS } from '#domain/chat/chat-channel.ts';
import { hashOfLinkCode, newLinkCode, readLinkCode } from '../../server/chat/link-code.ts';
import { addLinkCode, linkChat } from '../../server/chat/stores/link-store.ts';
import { asOwner, type Database, OWNER } from '../../server/platform/database/database.ts';
import { openTestDatabase } from '../support/database/database.ts';
import { createDatabaseUser } from '../support/database/database-users.ts';
import { describeEachDatabase } from '../support/database/each-database.ts';
import { sampleSize } from '../support/run/test-size.ts';

const USERS = 2;
const CHATS = 7;
const user = fc.nat(USERS - 1);
const chat = fc.nat(CHATS - 1);
const service = fc.constantFrom('telegram' as const, 'discord' as const);
const stepOf = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('create' as const), user, service }) },
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('use' as const), code: fc.nat(9), chat, service }) },
  // Two chats at the same moment.
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('race' as const), code: fc.nat(9), chats: fc.tuple(chat, chat), service }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('guess' as const), chat, service }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('wait' as const),
      ms: fc.constantFrom(1000, CODE_LIFE_MS - 1, CODE_LIFE_MS),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('unlink' as const), chat }) },
);
type Step = typeof stepOf extends fc.Arbitrary<infer T> ? T : never;
type Service = 'telegram' | 'discord';

interface Issued {
  code: string;
  user: number;
  service: Service;
  expiresMs: number;
  isCurrent: boolean;
}

describeEachDatabase('codes that link chats', (kind) => {
  let database: Database;
  const users: string[] = [];
  beforeAll(async () => {
    database = await openTestDatabase(kind);
    for (let n = 0; n < USERS; n++) users.push((await createDatabaseUser(database, `${n}@example.com`)).id);
  });
  afterAll(() => database?.close());

  async function world() {
    let nowMs = Date.parse('2026-11-27T10:00:00Z');
    const issued: Issued[] = [];
    /** Whose each chat is, in the model. */
    const owners = new Map<string, number>();
    const uses = new Map<string, number>();
    const idOf = (place: number) => String(1000 + place);
    const linkedTo = (place: number) => [...owners].filter(([, owner]) => owner === place).length;

    async function create(place: number, app: Service): Promise<void> {
      const code = newLinkCode();
      const expiresMs = await database.transaction(OWNER, (tx) =>
        addLinkCode(tx, users[place] ?? '', { service: app, code }, nowMs),
      );
      expect(expiresMs === null).toBe(linkedTo(place) >= MOST_CHATS);
      if (expiresMs === null) return;
      for (const one of issued) if (one.user === place && one.service === app) one.isCurrent = false;
      issued.push({ code, user: place, service: app, expiresMs, isCurrent: true });
    }

    const use = (code: string, app: Service, place: number) =>
      database.transaction(OWNER, (tx) =>
        linkChat(tx, { service: app, chatId: idOf(place), title: 'A chat' }, code, { nowMs, sendsMails: false }),
      );

    /** What one use must reply, and its effect on the model. */
    function expected(one: Issued | undefined, app: Service, place: number): string {
      const isValid = one?.isCurrent === true && one.service === app && nowMs < one.expiresMs;
      if (one === undefined || !isValid) return 'bad-code';
      one.isCurrent = false;
      const key = `${app} ${idOf(place)}`;
      const owner = owners.get(key);
      if (owner !== undefined) return owner === one.user ? 'already-yours' : 'already-linked';
      if (linkedTo(one.user) >= MOST_CHATS) return 'too-many-chats';
      owners.set(key, one.user);
      uses.set(one.code, (uses.get(one.code) ?? 0) + 1);
      return 'linked';
    }

    async function race(one: Issued | undefined, app: Service, [first, second]: [number, number]): Promise<void> {
      const code = one?.code ?? 'ABCDEFGHJK';
      const replies = await Promise.all([use(code, app, first), use(code, app, second)]);
      const texts = replies.map(({ reply }) => reply);
      // At most one of them used the code; the model follows whichever it was.
      const winner = texts.findIndex((reply) => reply !== 'bad-code');
      expect(texts.filter((reply) => reply !== 'bad-code').length).toBeLessThanOrEqual(1);
      if (winner < 0) expect(expected(one, app, first)).toBe('bad-code');
      else expect(expected(one, app, winner === 0 ? first : second)).toBe(texts[winner]);
    }

    async function run(step: Step): Promise<void> {
      switch (step.kind) {
        case 'create':
          return create(step.user, step.service);
        case 'use': {
          const one = issued.at(-1 - step.code);
          const { reply } = await use(one?.code ?? 'ABCDEFGHJK', step.service, step.chat);
          return expect(reply).toBe(expected(one, step.service, step.chat));
        }
        case 'race':
          return race(issued.at(-1 - step.code), step.service, step.chats);
        case 'guess':
          return expect((await use(newLinkCode(), step.service, step.chat)).reply).toBe('bad-code');
        case 'wait':
          nowMs += step.ms;
          return;
        case 'unlink':
          for (const app of ['telegram', 'discord']) owners.delete(`${app} ${idOf(step.chat)}`);
          await asOwner(database).query('delete from public.chat_channels where chat_id = $1::text', [idOf(step.chat)]);
      }
    }

    async function check(): Promise<void> {
      const rows = await asOwner(database).query<{ key: string; owner: string }>(
        `select service || ' ' || chat_id as key, user_id::text as owner from public.chat_channels order by key`,
      );
      const modelled = [...owners].sort(([a], [b]) => (a < b ? -1 : 1));
      expect(rows.map(({ key, owner }) => [key, users.indexOf(owner)])).toEqual(modelled);
      expect(Math.max(0, ...uses.values())).toBeLessThanOrEqual(1);
    }
    return { run, check };
  }

  test(
    'link at most one chat each, in any order of events',
    async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(stepOf, { minLength: 5, maxLength: 40 }), async (steps) => {
          const one = await world();
          for (const step of steps) await one.run(step);
          await one.check();
          await database.query(OWNER, 'delete from public.chat_channels');
          await database.query(OWNER, 'delete from private.chat_link_codes');
        }),
        { numRuns: sampleSize(15, 600) },
      );
    },
    sampleSize(120_000, 1_800_000),
  );

  test('belong to a user who was not banned meanwhile', async () => {
    const { id } = await createDatabaseUser(database, 'banned@example.com');
    const code = newLinkCode();
    const nowMs = Date.parse('2026-11-27T10:00:00Z');
    await database.transaction(OWNER, (tx) => addLinkCode(tx, id, { service: 'telegram', code }, nowMs));
    await database.query(OWNER, "update auth.users set banned_until = '2030-01-01' where id = $1::text::uuid", [id]);

    const chatOf = { service: 'telegram' as const, chatId: '77', title: 'A chat' };
    const linked = await database.transaction(OWNER, (tx) => linkChat(tx, chatOf, code, { nowMs, sendsMails: false }));

    expect(linked).toEqual({ reply: 'bad-code', channelId: null });
  });
});

test('codes are random, readable in any case, and refused in any other form', () => {
  const codes = Array.from({ length: 500 }, newLinkCode);
  expect(new Set(codes).size).toBe(500);
  // Every character occurs: 500 codes without one of 30 have a chance of (29/30)^5000.
  expect(new Set(codes.join('')).size).toBe(CODE_ALPHABET.length);
  for (const code of codes) expect(readLinkCode(` ${code.toLowerCase()} `)).toBe(code);
  for (const text of ['', 'ABC', 'ABCDEFGHI0', 'A'.repeat(CODE_LENGTH + 1), 'ABCDEFGH\nK'])
    expect(readLinkCode(text)).toBeNull();
  expect(hashOfLinkCode('telegram', 'A')).not.toBe(hashOfLinkCode('discord', 'A'));
});
