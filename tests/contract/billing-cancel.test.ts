/** The end of a subscription: at its period's end, taken back, and after it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { eraseAccount } from '../../server/account/erasure/erase-account.ts';
import { accountEnder } from '../../server/billing/subscriptions/end-account.ts';
import { testLog } from '../support/database/database.ts';
import { describeOneDatabase } from '../support/database/each-database.ts';
import { CARDS, eventually, PRICES } from '../support/worlds/billing-world.ts';
import { sharedBillingWorld } from '../support/worlds/shared-billing-world.ts';
import { type Buyer, billingStories, DAY_S, failure, refusal } from './support/services/billing.ts';

const HOUR_S = 3600;

describeOneDatabase('cancel-subscription and resume-subscription', (kind) => {
  const world = sharedBillingWorld(kind);
  const { buyer, fault, undoFaults, watch, callsAbout, withoutEvents } = billingStories(world);
  const UPDATE = 'POST /v1/subscriptions/:id';
  const nowS = () => Math.floor(Date.now() / 1000);

  afterEach(undoFaults);

  async function subscribed(plan: 'bobcat' | 'lion' = 'bobcat', startS = nowS()) {
    const ada = await buyer(startS);
    const id = await ada.subscribe(plan);
    const cancel = () => ada.call('cancel-subscription', { subscription_id: id });
    const resume = () => ada.call('resume-subscription', { subscription_id: id });
    return { ada, id, cancel, resume, endS: Number((await ada.row()).current_period_end) };
  }

  test('keeps the plan until its period ends, and shows the end in the row before the answer', async () => {
    const { ada, id } = await subscribed();
    await withoutEvents(async () => {
      const { data, error } = await ada.client.functions.invoke('cancel-subscription', {
        body: { subscription_id: id },
      });

      expect(error).toBeNull();
      expect(data).toEqual({ ok: true, subscription: await world().row(ada.person) });
      expect(data.subscription).toMatchObject({
        status: 'active',
        cancel_at_period_end: true,
        price_id: PRICES.bobcat,
      });
      expect(await world().disagreements(ada.person)).toEqual([]);
    });
    const quota = await ada.client.functions.invoke('get-quota');
    expect(quota.data).toMatchObject({ remaining_daily: 10 });
    await ada.agree();
  });

  test('changes nothing a second time', async () => {
    const { ada, cancel } = await subscribed();
    await cancel();
    const calls = await watch();

    expect(await cancel()).toEqual({
      status: 200,
      body: { ok: true, already_set: true, subscription: await world().row(ada.person) },
    });
    expect(await calls()).toEqual([]);
  });

  test("treats the plan 'free' as cancelling", async () => {
    const { ada, id } = await subscribed('lion');
    const toFree = () => ada.call('update-subscription', { subscription_id: id, new_price_id: 'free' });

    expect((await toFree()).body).toMatchObject({ ok: true, subscription: { cancel_at_period_end: true } });
    expect((await toFree()).body).toMatchObject({ ok: true, already_set: true });
    await ada.agree();
  });

  test('is taken back, set and taken back again, each time with one call', async () => {
    const { ada, cancel, resume } = await subscribed();
    const calls = await watch();

    for (let round = 0; round < 2; round += 1) {
      expect((await cancel()).body).toMatchObject({ ok: true, subscription: { cancel_at_period_end: true } });
      expect(await resume()).toEqual({
        status: 200,
        body: { ok: true, subscription: await world().row(ada.person) },
      });
      expect(await ada.row()).toMatchObject({ cancel_at_period_end: false, status: 'active' });
    }

    expect(await calls()).toEqual([UPDATE, UPDATE, UPDATE, UPDATE]);
    await ada.agree();
  });

  test('makes no call and no error when there is no cancellation to undo', async () => {
    const { ada, resume } = await subscribed();
    const calls = await watch();

    expect((await resume()).body).toMatchObject({ ok: true, subscription: { cancel_at_period_end: false } });
    expect(await calls()).toEqual([]);
    await ada.agree();
  });

  test('renews the plan after an undo', async () => {
    const { ada, id, cancel, resume, endS } = await subscribed();
    await cancel();
    await resume();
    await ada.advanceTo(endS + 2 * HOUR_S);

    await ada.agree();
    expect(await ada.row()).toMatchObject({ status: 'active', subscription_id: id });
    expect(Number((await ada.row()).current_period_end)).toBeGreaterThan(endS);
  });

  test("shows an end set on the provider's own page, and undoes it here", async () => {
    const { ada, id, cancel, resume } = await subscribed();
    const { url } = (await ada.call('billing-portal', { return_url: `${world().url}/account/subscription` })).body;
    await fetch(String(url), { method: 'POST', redirect: 'manual', body: new URLSearchParams({ action: 'cancel' }) });
    await ada.agree();
    expect(await ada.row()).toMatchObject({ cancel_at_period_end: true });
    expect((await cancel()).body).toMatchObject({ ok: true, already_set: true });

    expect((await resume()).body).toMatchObject({ ok: true, subscription: { cancel_at_period_end: false } });

    const theirs = await world().stripe.subscriptions.retrieve(id);
    expect([theirs.cancel_at, theirs.cancel_at_period_end]).toEqual([null, false]);
    await ada.agree();
  });

  test('follows what the provider knows, not the row', async () => {
    const { ada, id, cancel, resume } = await subscribed();
    await withoutEvents(async () => {
      await world().stripe.subscriptions.update(id, { cancel_at_period_end: true });
      expect(await ada.row()).toMatchObject({ cancel_at_period_end: false });
      expect((await cancel()).body).toMatchObject({ ok: true, already_set: true });
      expect((await resume()).body).toMatchObject({ ok: true, subscription: { cancel_at_period_end: false } });
      expect(await world().disagreements(ada.person)).toEqual([]);
    });
    await ada.agree();
  });

  describe('the end of a plan', () => {
    /** Cancelled, on a clock that passes the end so many hours before the real now. */
    async function endedHoursAgo(hours: number) {
      const endS = nowS() - hours * HOUR_S;
      const story = await subscribed('lion', anchorOf(endS));
      if (story.endS < endS) {
        await story.ada.advanceTo(story.endS + 2 * HOUR_S);
        await story.ada.agree();
      }
      await story.cancel();
      await story.ada.advanceTo(endS + 1);
      await story.ada.agree();
      expect(await story.ada.row()).toMatchObject({ status: 'canceled', current_period_end: endS });
      return story;
    }

    /** One or two months before, whichever has that day: months end at the anchor's day. */
    function anchorOf(endS: number): number {
      const end = new Date(endS * 1000);
      const anchors = [1, 2].map((months) => new Date(end).setUTCMonth(end.getUTCMonth() - months));
      const fits = anchors.find((anchorMs) => new Date(anchorMs).getUTCDate() === end.getUTCDate());
      return Math.floor((fits ?? 0) / 1000);
    }

    const plan = async (ada: { client: { functions: { invoke(name: string): Promise<{ data: unknown }> } } }) =>
      (await ada.client.functions.invoke('get-quota')).data;

    test('leaves the plan usable for two hours more', async () => {
      const { ada } = await endedHoursAgo(1);
      expect(await plan(ada)).toMatchObject({ remaining_daily: 15 });
    });

    test('ends the plan then, and can sell it again', async () => {
      const { ada } = await endedHoursAgo(3);
      expect(await plan(ada)).toMatchObject({ remaining_daily: 0 });

      await ada.subscribe('bobcat');
      expect(await plan(ada)).toMatchObject({ remaining_daily: 10 });
      await ada.agree();
    });

    test('reports that the old plan is not the present one after a second purchase, and shows the new one', async () => {
      const { ada, id, cancel, resume } = await endedHoursAgo(3);
      await withoutEvents(async () => {
        await world().pay(String((await ada.checkout('bobcat')).body.url));
        expect(await ada.row()).toMatchObject({ subscription_id: id });

        const body = { subscription_id: id, new_price_id: PRICES.lion };
        expect(await ada.call('update-subscription', body)).toEqual(refusal('billing/subscription-replaced'));
        expect(await ada.row()).toMatchObject({ status: 'active', price_id: PRICES.bobcat });
        expect(await ada.call('preview-invoice', body)).toEqual(refusal('billing/subscription-replaced'));
        expect(await cancel()).toEqual(refusal('billing/subscription-replaced'));
        expect(await resume()).toEqual(refusal('billing/subscription-replaced'));
      });
      await ada.agree();
      expect(await ada.row()).toMatchObject({ status: 'active', cancel_at_period_end: false });
    });

    test('refuses to cancel, continue or change anything more', async () => {
      const { ada, id, cancel, resume } = await endedHoursAgo(1);
      const calls = await watch();

      expect(await cancel()).toEqual(refusal('billing/subscription-ended'));
      expect(await resume()).toEqual(refusal('billing/subscription-ended'));
      for (const new_price_id of [PRICES.bobcat, PRICES.lion, 'free'])
        expect(await ada.call('update-subscription', { subscription_id: id, new_price_id })).toEqual(
          refusal('billing/subscription-ended'),
        );
      expect(await calls()).toEqual([]);
    });
  });

  test('refuses what ended immediately at the provider, though the row does not know yet', async () => {
    const { ada, id, cancel } = await subscribed();
    await withoutEvents(async () => {
      await world().stripe.subscriptions.cancel(id);

      expect(await cancel()).toEqual(refusal('billing/subscription-ended'));
      expect(await ada.row()).toMatchObject({ status: 'canceled' });
    });
    await ada.agree();
  });

  test('cancels a plan whose renewal is unpaid', async () => {
    const ada = await buyer();
    const id = await ada.subscribe('bobcat', CARDS.failsLater);
    await ada.advanceTo(Number((await ada.row()).current_period_end) + DAY_S);
    await ada.agree();

    const answer = await ada.call('cancel-subscription', { subscription_id: id });

    expect(answer.body).toMatchObject({ ok: true, subscription: { status: 'past_due', cancel_at_period_end: true } });
    await ada.agree();
  });

  test("refuses another user's subscription without a call to the provider", async () => {
    const { id } = await subscribed();
    const bob = await buyer();
    const calls = await callsAbout(id);

    for (const subscription_id of [id, 'sub_none', '../customers'])
      for (const name of ['cancel-subscription', 'resume-subscription'])
        expect(await bob.call(name, { subscription_id })).toEqual(refusal('billing/no-such-subscription'));
    expect(await bob.call('cancel-subscription', {})).toMatchObject({ status: 400, body: { code: 'request/invalid' } });
    expect(await calls()).toEqual([]);
  });

  // What else is tried again, for every call alike: billing-provider-call.test.ts.
  test.each([
    ['an answer that is lost, again and again', { kind: 'reset_after', times: 6 }],
    ['too many calls', { kind: 'http_429', times: 2 }],
  ] as const)('has the same outcome with %s', async (_what, trouble) => {
    const { ada, id, cancel, resume } = await subscribed();
    await fault({ method: 'POST', path: `/v1/subscriptions/${id}`, ...trouble });
    expect((await cancel()).body).toMatchObject({ ok: true, subscription: { cancel_at_period_end: true } });
    await undoFaults();

    await fault({ method: 'POST', path: `/v1/subscriptions/${id}`, ...trouble });
    expect((await resume()).body).toMatchObject({ ok: true, subscription: { cancel_at_period_end: false } });
    await ada.agree();
  });

  test('reports an unavailable provider, and changes nothing', async () => {
    const { ada, cancel } = await subscribed();
    await fault({ method: 'POST', path: '/v1/subscriptions/', kind: 'reset_before', times: 20 });
    expect(await cancel()).toEqual(failure(503, 'billing/provider-unavailable'));
    await undoFaults();
    expect(await ada.row()).toMatchObject({ cancel_at_period_end: false });

    await fault({ method: 'GET', path: '/v1/subscriptions/', kind: 'http_500', times: 20 });
    expect(await cancel()).toEqual(failure(503, 'billing/provider-unavailable'));
    await undoFaults();
    expect((await cancel()).body).toMatchObject({ ok: true });
    await ada.agree();
  });

  describe('deletion of the account by its owner', () => {
    const remove = (ada: Buyer) => ada.call('delete-account', { action: 'delete', password: 'Password1' });
    const isThere = async (ada: Buyer) =>
      (await world().rows('select 1 from public.profiles where id = $1::text::uuid', [ada.person.id])).length === 1;

    test('ends the plan at the provider, and leaves no token valid', async () => {
      const { ada, id } = await subscribed();
      expect((await ada.call('delete-account', { action: 'status' })).body).toMatchObject({ ok: true, has_plan: true });

      expect(await remove(ada)).toEqual({ status: 200, body: { ok: true } });

      expect((await world().stripe.subscriptions.retrieve(id)).status).toBe('canceled');
      expect(await isThere(ada)).toBe(false);
      expect(await ada.call('get-quota')).toEqual(failure(401, 'auth/session-ended'));
      await world().forgetEvents();
    });

    test('expires a checkout that is still open, so that it can’t be paid later', async () => {
      const ada = await buyer();
      const { body } = await ada.checkout('bobcat');

      expect(await remove(ada)).toEqual({ status: 200, body: { ok: true } });

      expect((await world().stripe.checkout.sessions.retrieve(String(body.sessionId))).status).toBe('expired');
      await world().forgetEvents();
    });

    test.each([
      ['does not answer', { method: 'DELETE', path: '/v1/subscriptions/', kind: 'reset_before', times: 20 }],
      ['fails to list', { method: 'GET', path: '/v1/subscriptions', kind: 'http_500', times: 20 }],
    ] as const)('deletes nothing while the provider %s, and can be repeated', async (_what, trouble) => {
      const { ada, id } = await subscribed();
      await fault(trouble);

      expect(await remove(ada)).toEqual({
        status: 200,
        body: {
          ok: false,
          reason: 'billing/provider-unavailable',
          message: 'The payment provider isn’t responding. Please try again.',
        },
      });
      expect(await isThere(ada)).toBe(true);
      expect(await ada.row()).toMatchObject({ subscription_id: id, status: 'active' });
      await undoFaults();

      expect(await remove(ada)).toEqual({ status: 200, body: { ok: true } });
      expect((await world().stripe.subscriptions.retrieve(id)).status).toBe('canceled');
      await world().forgetEvents();
    });
  });

  describe('erasure of the account', () => {
    const erase = (account: string) => {
      const { database, dataDir } = world();
      const read = (name: string): unknown => JSON.parse(readFileSync(join(dataDir, name), 'utf8'));
      const { secretKey } = z.object({ secretKey: z.string() }).parse(read('payments-keys.json'));
      const port = Number(new URL(z.object({ url: z.string() }).parse(read('payments-control.json')).url).port);
      const source = {
        ...({ mode: 'sandbox', secretKey, webhookSecrets: [], pagesUrl: null } as const),
        api: { protocol: 'http', host: '127.0.0.1', port } as const,
      };
      const provider = accountEnder(source, { log: testLog });
      return eraseAccount({ database, provider, removeFile: async () => undefined }, { account, isDry: false });
    };

    test('ends the subscription at the provider immediately, and raises no alarm for its last events', async () => {
      const { ada, id } = await subscribed();
      const alarms = () => world().rows('select kind, subject, count from public.billing_alarms order by 1, 2');
      const before = await alarms();

      expect(await erase(ada.person.email)).toMatchObject({ kind: 'erased', running: 1 });
      expect((await world().stripe.subscriptions.retrieve(id)).status).toBe('canceled');
      // Its row says nothing: what was worked on before the erasure is erased with the account.
      await eventually(async () => {
        const taken = (await world().deliveries()).filter(({ status }) => status === 200);
        return taken.some(({ type, body }) => type === 'customer.subscription.deleted' && body.includes(id)) || null;
      });
      expect(await alarms()).toEqual(before);
      await world().forgetEvents();
    });

    test('erases and ends nothing while money is owed', async () => {
      const ada = await buyer();
      const id = await ada.subscribe('bobcat', CARDS.failsLater);
      await ada.advanceTo(Number((await ada.row()).current_period_end) + DAY_S);

      expect(await erase(ada.person.email)).toMatchObject({
        kind: 'refused',
        message: expect.stringMatching(/^cus_\w+ owes \$29\.99 /),
      });
      expect((await world().stripe.subscriptions.retrieve(id)).status).toBe('past_due');
    });
  });
});
