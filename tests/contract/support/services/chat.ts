/** Telegram and Discord as a test sees them: both simulated, the functions over HTTP, and alerts that the test raises. */
import { randomUUID } from 'node:crypto';
import { Hono } from 'hono';
import { afterEach } from 'vitest';
import type { AlertFacts } from '#domain/alerts/alert.ts';
import { CHAT_CHANNEL_COLUMNS, chatChannelRowSchema, createdChatCodeSchema } from '#domain/chat/chat-channel.ts';
import { type SandboxChat, startSandboxChat } from '../../../../sandbox/chat/sandbox-chat.ts';
import { chatPicture } from '../../../../sandbox/chat/testing/chat-pictures.ts';
import { sendAlerts } from '../../../../server/alerts/send-alerts.ts';
import { BRAND } from '../../../../server/backend/auth/mail/account-mails.ts';
import { type Chat, type ChatDeps, openChat } from '../../../../server/chat/open-chat.ts';
import { queueAlerts } from '../../../../server/chat/stores/message-store.ts';
import { asOwner } from '../../../../server/platform/database/database.ts';
import { type CallerReader, callerReader } from '../../../../server/platform/http/calls/caller.ts';
import { errorResponse } from '../../../../server/platform/http/calls/http-errors.ts';
import { functionRoutes } from '../../../../server/platform/http/calls/server-function.ts';
import { limiterOfProcess } from '../../../../server/platform/http/guards/rate-limit.ts';
import { createLogger } from '../../../../server/platform/telemetry/log.ts';
import type { TestDatabaseKind } from '../../../support/database/database.ts';
import { openedForTests } from '../../../support/run/opened-for-tests.ts';
import { functionCalls } from '../auth/account.ts';
import { type BackendTestServer, backendTestServer } from '../backend.ts';

export const TELEGRAM = { direct: '910000001', other: '910000002', group: '-1009100000003' };
export const DISCORD = { channel: '930000000000000011', other: '930000000000000012', direct: '930000000000000013' };
export const SITE_URL = 'https://kat.test';
const TOKENS = { telegram: `7000000001:${'s'.repeat(35)}`, discord: `${'d'.repeat(24)}.sandbox.${'e'.repeat(30)}` };
export type User = Awaited<ReturnType<BackendTestServer['user']>>;

/** One server and sandbox for a describe block; chats and messages are deleted after each test. */
export function chatWorld(kind: TestDatabaseKind) {
  const lines: string[] = [];
  const open: Chat[] = [];
  const callers: { reader: CallerReader | null } = { reader: null };
  const log = createLogger('trace', { write: (line) => lines.push(line) });
  const picture = new Uint8Array(chatPicture(1200, 630));
  const server = openedForTests(() =>
    backendTestServer(kind, {
      mount({ verifier }) {
        callers.reader = callerReader(verifier);
        return new Hono()
          .all('/functions/v1/*', (c) => routesOf(open[0]).fetch(c.req.raw))
          .all('/discord/interactions', (c) => routesOf(open[0]).fetch(c.req.raw));
      },
    }),
  );
  const sandbox = openedForTests<SandboxChat>(() =>
    startSandboxChat({
      tokens: TOKENS,
      interactionsUrl: () => `${server().url}/discord/interactions`,
      nowMs: () => server().clock.nowMs(),
    }),
  );
  const call = functionCalls(server);

  /** The routes of the first process. */
  function routesOf(chat: Chat | undefined): Hono {
    const app = new Hono();
    app.onError((error) => errorResponse(error));
    if (chat === undefined || callers.reader === null) return app;
    if (chat.routes !== null) app.route('/', chat.routes);
    return app.route('/', functionRoutes({ callers: callers.reader }, chat.functions));
  }

  const sql = (text: string, params: readonly unknown[] = []) => asOwner(server().database).query(text, params);

  /** One server process. */
  async function start(over: Partial<ChatDeps> = {}): Promise<Chat> {
    const { database, clock } = server();
    const { telegramUrl, discordUrl } = sandbox();
    const chat = await openChat({
      database,
      clock,
      log,
      sendsMails: true,
      siteUrl: () => SITE_URL,
      limiterOf: limiterOfProcess,
      sources: {
        telegram: { kind: 'sandbox', token: TOKENS.telegram, url: telegramUrl },
        discord: { kind: 'sandbox', token: TOKENS.discord, url: discordUrl },
      },
      pictureOf: async () => picture,
      pollMs: 30,
      pollS: 1,
      ...over,
    });
    open.push(chat);
    return chat;
  }

  async function codeOf(user: User, service: 'telegram' | 'discord') {
    // The bot's name is learned in the background.
    for (;;) {
      const answer = await call(user.accessToken, 'create-chat-code', { service });
      if (answer.reason !== 'chat/unavailable') return createdChatCodeSchema.parse(answer);
      await new Promise((done) => setTimeout(done, 20));
    }
  }

  /** As the owner's page reads them. */
  async function channelsOf(user: User) {
    const { data, error } = await user.client.from('chat_channels').select(CHAT_CHANNEL_COLUMNS).order('linked_at');
    if (error !== null) throw new Error(error.message);
    return data.map((row) => chatChannelRowSchema.parse(row));
  }

  /** Without a code, as if it had been linked before. @returns its id */
  async function link(user: User, service: 'telegram' | 'discord', chatId: string, kinds?: string[]): Promise<string> {
    const [row] = await sql(
      `insert into public.chat_channels (user_id, service, chat_id, title, kinds, linked_at)
       values ($1::text::uuid, $2::text, $3::text, 'A chat', coalesce($4::text[], array['band-broken', 'models-disagree']), now())
       returning id::text as id`,
      [user.id, service, chatId, kinds ?? null],
    );
    // The bot may write to a user who wrote to it; it leaves another bot's commands alone.
    if (service === 'telegram') await sandbox().telegram.enter(chatId, '/start@another_bot');
    return String(row?.id);
  }

  const textsIn = (service: 'telegram' | 'discord', chatId: string) =>
    (sandbox()[service].conversations.find(chatId)?.entries ?? []).filter(({ from }) => from === 'bot');

  /** Writes an alert of a rule that has neither mail nor push, as the job does. @returns the prediction's id */
  async function alert(user: User, facts: Partial<AlertFacts> & { kind: 'band-broken' | 'models-disagree' }) {
    const prediction = randomUUID();
    const sym = 'BTCUSDT.P';
    const ofPrediction = {
      predictionId: prediction,
      model: 'bobcat',
      joinS: 1_800_000_000,
      bar: 7,
      close: 64_100,
      lower: 63_000,
      upper: 64_000,
    };
    await sql(
      `insert into public.user_predictions (id, user_id, cryptocurrency, model, data) values ($1::text::uuid, $2::text::uuid, 'BTC', 'kat1',
         (select jsonb_agg(jsonb_build_object('time', n)) from generate_series(1, 200) n))`,
      [prediction, user.id],
    );
    await sql(
      `insert into public.alert_rules (user_id, kind, sym, by_mail, by_push) values ($1::text::uuid, $2::text, $3::text, false, false)
       on conflict do nothing`,
      [user.id, facts.kind, facts.kind === 'models-disagree' ? sym : null],
    );
    const whole = {
      sym,
      marketKind: 'simulated',
      ...(facts.kind === 'band-broken' ? ofPrediction : { slotS: 1_800_000_000, costBp: 10 }),
      ...facts,
    } as AlertFacts;
    const deps = { mail: { brand: BRAND, siteUrl: SITE_URL }, sendsMails: true, queueChats: queueAlerts };
    const subject = facts.kind === 'band-broken' ? prediction : `${sym} ${randomUUID()}`;
    const alerts = [{ userId: user.id, subject, facts: whole }];
    await sendAlerts({ ...deps, database: server().database }, alerts, server().clock.nowMs());
    return prediction;
  }

  async function stop(): Promise<void> {
    for (const one of open.splice(0)) await one.close();
  }
  afterEach(async () => {
    await stop();
    await sql('delete from public.chat_channels');
    await sql('delete from private.chat_messages');
    await sql(
      "update private.jobs set next_due_at = now(), holder = null, lease_ends_at = null where name like 'chat-%'",
    );
    for (const service of ['telegram', 'discord'] as const)
      for (const { id } of sandbox()[service].conversations.all()) {
        await sandbox()[service].setReach(id, 'open');
        (sandbox()[service].conversations.find(id)?.entries as unknown[]).length = 0;
      }
    sandbox().faults.clear();
    lines.length = 0;
  });

  return { server, sandbox, call, sql, start, stop, codeOf, channelsOf, link, textsIn, alert, lines };
}
