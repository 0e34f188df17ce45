/** Telegram and Discord from the code to the message, against both services simulated over their real protocols. */
import { afterEach, expect, test, vi } from 'vitest';
import { RESEARCH_ONLY } from '#domain/site/research-only.ts';
import type { ChatSource } from '../../server/chat/services/chat-service.ts';
import { type GuardedCall, guardedCall } from '../../server/platform/outbound/guarded-call.ts';
import { describeOneDatabase } from '../support/database/each-database.ts';
import { WAIT_MS } from '../support/run/wait-limit.ts';
import { chatWorld, DISCORD, SITE_URL, TELEGRAM, type User } from './support/services/chat.ts';

const WAIT = { timeout: WAIT_MS, interval: 20 };

describeOneDatabase('alerts in chats', (kind) => {
  const world = chatWorld(kind);
  const { server, sandbox, call, sql, start, codeOf, channelsOf, link, textsIn, alert, lines } = world;
  const seen = (service: 'telegram' | 'discord', chatId: string) => textsIn(service, chatId).map(({ text }) => text);
  const linkedBy = async (user: User) => (await channelsOf(user)).map(({ service, title }) => `${service} ${title}`);
  afterEach(() => vi.restoreAllMocks());

  test('links a Telegram chat by a code, once, and tells its owner by email', async () => {
    await start();
    const user = await server().confirmedUser();
    const { code, link: address, command, bot } = await codeOf(user, 'telegram');
    expect([bot, command]).toEqual(['@kat_sandbox_bot', `/link ${code}`]);
    expect(new URL(address).searchParams.get('text')).toBe(`/start ${code}`);

    await sandbox().telegram.enter(TELEGRAM.direct, `/start ${code.toLowerCase()}`);
    await vi.waitFor(async () => expect(await linkedBy(user)).toEqual(['telegram Sample user']), WAIT);
    await sandbox().telegram.enter(TELEGRAM.group, `/link@kat_sandbox_bot ${code}`);
    await vi.waitFor(() => expect(seen('telegram', TELEGRAM.group)).toHaveLength(1), WAIT);

    expect(seen('telegram', TELEGRAM.group)[0]).toMatch(/^This code isn’t valid\. It may have expired or been used/);
    await vi.waitFor(() => expect(seen('telegram', TELEGRAM.direct)[0]).toMatch(/^This chat is linked\./), WAIT);
    expect(await channelsOf(user)).toMatchObject([{ state: 'active', kinds: expect.arrayContaining(['band-broken']) }]);
    const mails = await sql('select kind from private.outgoing_mail where to_address = $1::text', [user.email]);
    expect(mails).toContainEqual({ kind: 'chat_linked' });
    const stranger = await server().user();
    expect(await channelsOf(stranger)).toEqual([]);
    expect(lines.join('')).not.toContain(code);
  });

  test('links a Discord channel by a command, answers its user alone, and unlinks it there', async () => {
    await start();
    const user = await server().confirmedUser();
    const { code, command } = await codeOf(user, 'discord');
    await vi.waitFor(async () => {
      await sandbox().discord.enter(DISCORD.channel, command);
      expect(await linkedBy(user)).toEqual(['discord #alerts']);
    }, WAIT);

    // The channel itself sees it too, which shows that the bot may write there. The two arrive in any order.
    const privacy = () => new Set(textsIn('discord', DISCORD.channel).map(({ isPrivate }) => isPrivate));
    await vi.waitFor(() => expect(privacy()).toEqual(new Set([true, false])), WAIT);
    expect(textsIn('discord', DISCORD.channel).some(({ mentionsEveryone }) => mentionsEveryone)).toBe(false);
    await sandbox().discord.enter(DISCORD.other, `/kat link code:${code}`);
    expect(seen('discord', DISCORD.other)[0]).toMatch(/^This code isn’t valid\./);
    await sandbox().discord.enter(DISCORD.channel, '/kat unlink');
    expect(await channelsOf(user)).toEqual([]);
  });

  test('sets Discord’s commands once at each start, which may have another bot’s token', async () => {
    const set: string[] = [];
    const callOf = (source: ChatSource): GuardedCall => {
      const call = guardedCall({ sandboxUrl: source.kind === 'sandbox' ? source.url : null });
      return (url, request) => {
        if (request.method === 'PUT') set.push(new URL(url).pathname);
        return call(url, request);
      };
    };
    for (const starts of [1, 2]) {
      await start({ callOf });
      await vi.waitFor(() => expect(set).toHaveLength(starts), WAIT);
    }
    expect(set[0]).toMatch(/^\/.*applications\/\d+\/commands$/);
  });

  test('refuses a wrong, a former and an expired code, and one of the other service, in the same words', async () => {
    await start();
    const user = await server().confirmedUser();
    const former = await codeOf(user, 'telegram');
    const current = await codeOf(user, 'telegram');
    const discord = await codeOf(user, 'discord');
    const tried = ['ABCDEFGHJK', former.code, discord.code, 'x'.repeat(60), '<b>@everyone</b>'];
    for (const code of tried) await sandbox().telegram.enter(TELEGRAM.direct, `/link ${code}`);
    await vi.waitFor(() => expect(seen('telegram', TELEGRAM.direct)).toHaveLength(tried.length), WAIT);
    server().advance(10 * 60_000);
    await sandbox().telegram.enter(TELEGRAM.direct, `/link ${current.code}`);
    await vi.waitFor(() => expect(seen('telegram', TELEGRAM.direct)).toHaveLength(tried.length + 1), WAIT);

    expect(new Set(seen('telegram', TELEGRAM.direct)).size).toBe(1);
    expect(seen('telegram', TELEGRAM.direct)[0]).not.toContain('everyone');
    expect(await channelsOf(user)).toEqual([]);
  });

  test('stops trying codes of a chat after ten in an hour, also a right one', async () => {
    await start();
    const user = await server().confirmedUser();
    for (let n = 0; n < 10; n++) await sandbox().telegram.enter(TELEGRAM.direct, '/link ABCDEFGHJK');
    const { code } = await codeOf(user, 'telegram');
    await sandbox().telegram.enter(TELEGRAM.direct, `/link ${code}`);
    await vi.waitFor(() => expect(seen('telegram', TELEGRAM.direct)).toHaveLength(11), WAIT);

    expect(seen('telegram', TELEGRAM.direct)[10]).toBe(
      'Too many codes were tried in this chat. Please try again in an hour.',
    );
    expect(await channelsOf(user)).toEqual([]);
  });

  test('leaves a linked chat with its account, and uses up the code that was shown there', async () => {
    await start();
    const [owner, other] = [await server().confirmedUser(), await server().confirmedUser()];
    await link(owner, 'telegram', TELEGRAM.direct);
    const [own, foreign] = [await codeOf(owner, 'telegram'), await codeOf(other, 'telegram')];
    await sandbox().telegram.enter(TELEGRAM.direct, `/link ${own.code}`);
    await sandbox().telegram.enter(TELEGRAM.direct, `/link ${foreign.code}`);
    await sandbox().telegram.enter(TELEGRAM.group, `/link ${foreign.code}`);
    // Chats are answered independently of each other.
    await vi.waitFor(() => expect(seen('telegram', TELEGRAM.group)).toHaveLength(1), WAIT);
    await vi.waitFor(() => expect(seen('telegram', TELEGRAM.direct)).toHaveLength(2), WAIT);

    const replies = seen('telegram', TELEGRAM.direct);
    expect(replies[0]).toMatch(/^This chat is already linked to your account/);
    expect(replies[1]).toMatch(/^This chat is already linked to another Kat account/);
    expect(seen('telegram', TELEGRAM.group)[0]).toMatch(/^This code isn’t valid/);
    expect(await channelsOf(owner)).toHaveLength(1);
    expect(await channelsOf(other)).toEqual([]);
  });

  test('sends an alert to each active chat that chose its kind, whatever its rule says, with the picture', async () => {
    const user = await server().confirmedUser();
    await link(user, 'telegram', TELEGRAM.direct);
    await link(user, 'discord', DISCORD.channel, ['models-disagree']);
    const paused = await link(user, 'discord', DISCORD.other);
    await start();
    const kinds = ['band-broken', 'models-disagree'];
    expect(await call(user.accessToken, 'update-chat-channel', { id: paused, kinds, state: 'paused' })).toMatchObject({
      ok: true,
    });
    await alert(user, { kind: 'band-broken' });
    await alert(user, { kind: 'models-disagree' });
    await vi.waitFor(() => expect(textsIn('telegram', TELEGRAM.direct)).toHaveLength(2), WAIT);
    await vi.waitFor(() => expect(textsIn('discord', DISCORD.channel)).toHaveLength(1), WAIT);

    const [broken, disagree] = textsIn('telegram', TELEGRAM.direct);
    expect(broken?.text).toContain(RESEARCH_ONLY);
    expect(broken?.text).toMatch(/^BTC closed above the 95% band\n/);
    expect(broken?.text).toContain('These are simulated prices.');
    expect(broken?.text).toContain(`${SITE_URL}/account/predictions`);
    expect(broken?.picture).not.toBeNull();
    expect(disagree).toMatchObject({ picture: null, text: expect.stringMatching(/^Models disagree about BTC/) });
    expect(textsIn('discord', DISCORD.channel)).toMatchObject([{ text: disagree?.text, mentionsEveryone: false }]);
    expect(textsIn('discord', DISCORD.other)).toEqual([]);
    // Stored after the service has answered, which is after the message is seen.
    const unsent = async () => (await channelsOf(user)).map(({ last_sent_at: at }) => at === null);
    await vi.waitFor(async () => expect(await unsent()).toEqual([false, false, true]), WAIT);
  });

  test('sends the text alone if the picture cannot be drawn or is refused', async () => {
    const user = await server().confirmedUser();
    await link(user, 'telegram', TELEGRAM.direct);
    await link(user, 'discord', DISCORD.channel);
    let isDrawn = false;
    await start({
      pictureOf: async () => {
        if (!isDrawn) throw new Error('the renderer stopped');
        return new Uint8Array([1, 2, 3]);
      },
    });
    await alert(user, { kind: 'band-broken' });
    await vi.waitFor(() => expect(textsIn('discord', DISCORD.channel)).toHaveLength(1), WAIT);
    expect(lines.join('')).toContain('the picture of a chat message could not be drawn');

    // Telegram refuses bytes that are no picture; Discord takes any file.
    isDrawn = true;
    await alert(user, { kind: 'band-broken' });
    const alerts = () => textsIn('telegram', TELEGRAM.direct).filter(({ text }) => text.includes('95% band'));
    await vi.waitFor(() => expect(alerts()).toHaveLength(2), WAIT);
    expect(alerts().map(({ picture }) => picture)).toEqual([null, null]);
  });

  test('waits as long as a service requests, keeps the order, and holds no other chat meanwhile', async () => {
    const user = await server().confirmedUser();
    await link(user, 'discord', DISCORD.channel);
    await link(user, 'telegram', TELEGRAM.direct);
    sandbox().faults.add({
      part: 'rest',
      dialect: 'discord',
      path: `/api/v10/channels/${DISCORD.channel}`,
      what: 'status',
      status: 429,
      retryAfterS: 600,
      count: 1,
    });
    await start();
    for (const bar of [1, 2, 3]) await alert(user, { kind: 'band-broken', bar });
    const bars = (service: 'telegram' | 'discord', chatId: string) =>
      seen(service, chatId).flatMap((text) => /Bar (\d) of/.exec(text)?.[1] ?? []);
    await vi.waitFor(() => expect(bars('telegram', TELEGRAM.direct)).toEqual(['1', '2', '3']), WAIT);
    expect(bars('discord', DISCORD.channel)).toEqual([]);
    const [waiting] = await sql(
      `select extract(epoch from max(next_try_at) - $1::text::timestamptz)::float8 as s from private.chat_messages where state = 'waiting'`,
      [new Date(server().clock.nowMs()).toISOString()],
    );
    expect(Number(waiting?.s)).toBeGreaterThan(500);

    server().advance(600_000);
    await vi.waitFor(() => expect(bars('discord', DISCORD.channel)).toEqual(['1', '2', '3']), WAIT);
  });

  test('pauses a chat that blocked the bot, drops what waits, and goes on once the bot is allowed again', async () => {
    const user = await server().confirmedUser();
    const id = await link(user, 'telegram', TELEGRAM.direct);
    await start();
    await sandbox().telegram.setReach(TELEGRAM.direct, 'blocked');
    await vi.waitFor(async () => expect(await channelsOf(user)).toMatchObject([{ pause_reason: 'blocked' }]), WAIT);
    await alert(user, { kind: 'band-broken' });
    expect(await call(user.accessToken, 'send-test-chat-message', { id })).toMatchObject({ reason: 'chat/paused' });
    expect(await sql("select 1 from private.chat_messages where state = 'waiting' and channel_id is not null")).toEqual(
      [],
    );

    await sandbox().telegram.setReach(TELEGRAM.direct, 'open');
    await vi.waitFor(async () => expect(await channelsOf(user)).toMatchObject([{ state: 'active' }]), WAIT);
    expect(await call(user.accessToken, 'send-test-chat-message', { id })).toMatchObject({ ok: true });
    await vi.waitFor(
      () => expect(seen('telegram', TELEGRAM.direct).at(-1)).toMatch(/^This is the test you requested/),
      WAIT,
    );
  });

  test('pauses a Discord channel that was deleted or where the bot may not write, with the reason', async () => {
    const user = await server().confirmedUser();
    await link(user, 'discord', DISCORD.channel);
    await link(user, 'discord', DISCORD.other);
    await sandbox().discord.setReach(DISCORD.channel, 'deleted');
    await sandbox().discord.setReach(DISCORD.other, 'blocked');
    await start();
    await alert(user, { kind: 'band-broken' });
    await alert(user, { kind: 'models-disagree' });

    await vi.waitFor(
      async () =>
        expect((await channelsOf(user)).map(({ pause_reason: reason }) => reason)).toEqual(['not-found', 'blocked']),
      WAIT,
    );
    const waiting = () => sql("select 1 from private.chat_messages where state = 'waiting'");
    await vi.waitFor(async () => expect(await waiting()).toEqual([]), WAIT);
  });

  test('pauses a chat after three messages in a row that its service refused for an unknown reason', async () => {
    const user = await server().confirmedUser();
    const id = await link(user, 'telegram', TELEGRAM.direct);
    await start();
    const refuse = (count: number) =>
      sandbox().faults.add({
        part: 'rest',
        dialect: 'telegram',
        path: '/sendMessage',
        what: 'status',
        status: 400,
        count,
      });
    const sendTests = async (states: readonly string[]) => {
      for (const state of states) {
        server().advance(60_000);
        expect(await call(user.accessToken, 'send-test-chat-message', { id })).toMatchObject({ ok: true });
        const last = 'select state from private.chat_messages order by place desc limit 1';
        await vi.waitFor(async () => expect(await sql(last)).toEqual([{ state }]), WAIT);
      }
    };

    refuse(2);
    await sendTests(['failed', 'failed', 'sent']);
    refuse(3);
    await sendTests(['failed', 'failed']);
    expect(await channelsOf(user)).toMatchObject([{ state: 'active', pause_reason: null }]);
    await sendTests(['failed']);
    await vi.waitFor(
      async () => expect(await channelsOf(user)).toMatchObject([{ state: 'paused', pause_reason: 'refused' }]),
      WAIT,
    );
    const change = { id, kinds: ['band-broken'], state: 'active' };
    expect(await call(user.accessToken, 'update-chat-channel', change)).toMatchObject({ ok: true });
    refuse(1);
    await sendTests(['failed', 'sent']);
    expect(await channelsOf(user)).toMatchObject([{ state: 'active' }]);
  });

  test('keeps what waits when the service refuses the bot’s token, and sends it with the right one', async () => {
    const user = await server().confirmedUser();
    await link(user, 'telegram', TELEGRAM.direct);
    const wrong = { kind: 'sandbox', token: `7000000001:${'w'.repeat(35)}`, url: sandbox().telegramUrl } as const;
    await start({ sources: { telegram: wrong, discord: null } });
    await alert(user, { kind: 'band-broken' });
    // Logged before the row is written.
    const waiting = "select last_error from private.chat_messages where state = 'waiting'";
    await vi.waitFor(async () => expect(await sql(waiting)).toEqual([{ last_error: '401' }]), WAIT);
    expect(lines.join('')).toContain('refuses the token of the bot');
    expect(lines.join('')).not.toContain(wrong.token);
    expect(await channelsOf(user)).toMatchObject([{ state: 'active' }]);

    await world.stop();
    server().advance(61_000);
    await start();
    await vi.waitFor(() => expect(seen('telegram', TELEGRAM.direct).at(-1)).toMatch(/95% band/), WAIT);
  });

  test('retries after a service’s fault, and gives up what has expired', async () => {
    const user = await server().confirmedUser();
    await link(user, 'telegram', TELEGRAM.direct, ['band-broken']);
    sandbox().faults.add({
      part: 'rest',
      dialect: 'telegram',
      path: '/sendPhoto',
      what: 'status',
      status: 502,
      count: 1,
    });
    await start();
    await alert(user, { kind: 'band-broken' });
    await vi.waitFor(() => expect(lines.join('')).toContain('retrying later'), WAIT);
    server().advance(5100);
    await vi.waitFor(() => expect(seen('telegram', TELEGRAM.direct).at(-1)).toMatch(/95% band/), WAIT);

    await world.stop();
    await alert(user, { kind: 'band-broken' });
    server().advance(3_600_000);
    await start();
    await vi.waitFor(async () => {
      const [last] = await sql(
        'select state, last_error, text_body from private.chat_messages order by place desc limit 1',
      );
      expect(last).toEqual({ state: 'failed', last_error: 'too late', text_body: null });
    }, WAIT);
  });

  test('offers no service without its source, and changes no chat of another user', async () => {
    const user = await server().confirmedUser();
    const stranger = await server().confirmedUser();
    const id = await link(user, 'telegram', TELEGRAM.direct);
    const { config } = await start({ sources: { telegram: null, discord: null } });

    expect(config).toEqual({ telegram: null, discord: null });
    expect(await call(user.accessToken, 'create-chat-code', { service: 'telegram' })).toMatchObject({
      reason: 'chat/unavailable',
    });
    const change = { id, kinds: ['band-broken'], state: 'paused' };
    for (const [name, body] of [
      ['update-chat-channel', change],
      ['unlink-chat-channel', { id }],
      ['send-test-chat-message', { id }],
    ] as const)
      expect(await call(stranger.accessToken, name, body)).toMatchObject({ ok: false, reason: 'chat/no-such-chat' });
    expect(await channelsOf(user)).toMatchObject([{ state: 'active' }]);
    expect(await call(user.accessToken, 'unlink-chat-channel', { id })).toMatchObject({ ok: true });
    expect(await channelsOf(user)).toEqual([]);
  });

  test('links at most five chats of a user', async () => {
    await start();
    const user = await server().confirmedUser();
    const { code } = await codeOf(user, 'telegram');
    for (let n = 1; n <= 5; n++) await link(user, 'discord', String(n));
    expect(await call(user.accessToken, 'create-chat-code', { service: 'telegram' })).toMatchObject({
      reason: 'chat/too-many',
    });
    await sandbox().telegram.enter(TELEGRAM.direct, `/start ${code}`);

    await vi.waitFor(() => expect(seen('telegram', TELEGRAM.direct).at(-1)).toMatch(/^You have 5 linked chats/), WAIT);
    expect(await channelsOf(user)).toHaveLength(5);
  });

  test('acts on an update once while two processes run, and reads only what is for the bot', async () => {
    await start();
    await start();
    const user = await server().confirmedUser();
    await link(user, 'telegram', TELEGRAM.group);
    for (let n = 0; n < 8; n++) await sandbox().telegram.enter(TELEGRAM.direct, '/status');
    await sandbox().telegram.enter(TELEGRAM.group, '/unlink');
    await sandbox().telegram.enter(TELEGRAM.group, '/status@another_bot');
    await vi.waitFor(() => expect(seen('telegram', TELEGRAM.direct)).toHaveLength(8), WAIT);
    await vi.waitFor(() => expect(seen('telegram', TELEGRAM.group)).toHaveLength(1), WAIT);

    expect(seen('telegram', TELEGRAM.group)[0]).toMatch(/^In a group, only the owner can unlink/);
    expect(await channelsOf(user)).toHaveLength(1);
    const [{ polls } = { polls: 0 }] = await sql('select count(*)::int as polls from private.chat_cursors');
    expect(polls).toBe(1);
  });

  test('asks for the second factor before a code is created', async () => {
    await start();
    const user = await server().confirmedUser();
    await codeOf(user, 'telegram');
    await sql(
      `insert into auth.mfa_factors (id, user_id, friendly_name, factor_type, status, secret, created_at, updated_at)
       values (gen_random_uuid(), $1::text::uuid, 'phone', 'totp', 'verified', 'sealed', now(), now())`,
      [user.id],
    );
    const refused = await call(user.accessToken, 'create-chat-code', { service: 'telegram' });
    expect(refused).toMatchObject({ code: 'auth/second-factor-needed' });
  });
});
