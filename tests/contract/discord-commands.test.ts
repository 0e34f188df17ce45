/** Discord's signed commands have their effect once, although their signature is valid for five minutes. */
import { generateKeyPairSync, sign } from 'node:crypto';
import { beforeEach, expect, test } from 'vitest';
import { discordInteractionRoutes, INTERACTIONS_PATH } from '../../server/chat/discord-interactions.ts';
import { asOwner } from '../../server/platform/database/database.ts';
import { openTestDatabase } from '../support/database/database.ts';
import { createDatabaseUser } from '../support/database/database-users.ts';
import { describeEachDatabase } from '../support/database/each-database.ts';
import { openedForTests } from '../support/run/opened-for-tests.ts';

const { publicKey, privateKey } = generateKeyPairSync('ed25519');
const VERIFY_KEY = Buffer.from(publicKey.export({ format: 'jwk' }).x ?? '', 'base64url').toString('hex');
const CHANNEL = '930000000000000011';
const VALID_MS = 5 * 60_000;

describeEachDatabase('signed commands of Discord', (kind) => {
  const database = openedForTests(() => openTestDatabase(kind));
  const sql = (text: string, params: readonly unknown[] = []) => asOwner(database()).query(text, params);
  let nowMs = Date.parse('2026-11-27T10:00:00Z');
  let sent = 0;
  let userId = '';

  beforeEach(async () => {
    for (const table of ['public.chat_channels', 'private.chat_interactions']) await sql(`delete from ${table}`);
    userId ||= (await createDatabaseUser(database(), 'ada@example.com')).id;
  });

  const link = () =>
    sql(
      "insert into public.chat_channels (user_id, service, chat_id, title) values ($1::text::uuid, 'discord', $2::text, '#alerts')",
      [userId, CHANNEL],
    );
  const linked = async () => (await sql('select 1 from public.chat_channels')).length;
  const stored = async () => (await sql('select 1 from private.chat_interactions')).length;

  /** As Discord signs it; the returned function posts the same call each time. */
  function command(name: 'unlink' | 'status'): () => Promise<number> {
    sent += 1;
    const data = { name: 'kat', options: [{ name }] };
    const body = JSON.stringify({ id: String(sent), type: 2, channel_id: CHANNEL, channel: { type: 0 }, data });
    const timestamp = String(Math.floor(nowMs / 1000));
    const signature = sign(null, Buffer.from(timestamp + body), privateKey).toString('hex');
    const headers = { 'x-signature-ed25519': signature, 'x-signature-timestamp': timestamp };
    const routes = discordInteractionRoutes({
      verifyKey: () => VERIFY_KEY,
      database: database(),
      clock: { nowMs: () => nowMs },
      limits: { mayTryCode: async () => true, mayReply: async () => true },
      sendsMails: false,
      siteUrl: () => 'https://kat.test',
    });
    return async () => (await routes.request(INTERACTIONS_PATH, { method: 'POST', body, headers })).status;
  }

  test('do not unlink a chat again when someone repeats them within five minutes', async () => {
    await link();
    const unlink = command('unlink');
    expect([await unlink(), await linked()]).toEqual([200, 0]);
    await link();
    nowMs += VALID_MS - 1000;

    expect([await unlink(), await linked()]).toEqual([401, 1]);
    expect([await command('unlink')(), await linked()]).toEqual([200, 0]);
  });

  test('are answered once when they arrive several times at the same moment', async () => {
    const status = command('status');

    const statuses = await Promise.all(Array.from({ length: 6 }, status));

    expect(statuses.sort()).toEqual([200, 401, 401, 401, 401, 401]);
  });

  test('are forgotten once their signature is too old', async () => {
    const early = command('status');
    await early();
    await command('status')();
    expect(await stored()).toBe(2);
    nowMs += VALID_MS + 1000;

    expect([await early(), await command('status')(), await stored()]).toEqual([401, 200, 1]);
  });
});
