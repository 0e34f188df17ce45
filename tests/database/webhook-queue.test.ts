/**
 * The queue of webhooks against a model: events, processes that claim, deliver, fail and die at any moment, pauses and
 * time. Nothing is lost, each endpoint gets its events in order, and an event arrives twice only where a process died
 * between the answer and its record, or was stopped for longer than its lease.
 */
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { asOwner, type Database, OWNER } from '../../server/platform/database/database.ts';
import { setEndpointState } from '../../server/webhooks/webhook-endpoint-store.ts';
import { fanOut, type WebhookJob, type WebhookTry, webhookQueue } from '../../server/webhooks/webhook-queue-store.ts';
import { openTestDatabase, testLog } from '../support/database/database.ts';
import { describeEachDatabase } from '../support/database/each-database.ts';
import { sampleSize } from '../support/run/test-size.ts';
import { addEvents, addTestEndpoint, type TestEndpoint } from '../support/webhooks/webhook-world.ts';

const LEASE_MS = 30_000;
const ENDPOINTS = 3;
const place = fc.nat(ENDPOINTS - 1);
const held = fc.nat(5);

const stepOf = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({ kind: fc.constant('events' as const), place, count: fc.integer({ min: 1, max: 4 }) }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('claim' as const),
      isSuspect: fc.boolean(),
      count: fc.integer({ min: 1, max: 3 }),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({ kind: fc.constant('accept' as const), held, goesOn: fc.boolean(), isSlow: fc.boolean() }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('fail' as const), held, isSlow: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('die' as const), held, isAccepted: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('release' as const), held }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('wait' as const), ms: fc.constantFrom(100, 6000, 31_000) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('pause' as const), place }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('resume' as const), place }) },
);
type Step = typeof stepOf extends fc.Arbitrary<infer T> ? T : never;

describeEachDatabase('the queue of webhooks', (kind) => {
  let database: Database;
  beforeAll(async () => {
    database = await openTestDatabase(kind);
  });
  afterAll(() => database?.close());

  test(
    'delivers every event in order, and twice only where a process died or outlived its lease',
    async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(stepOf, { minLength: 10, maxLength: 60 }), async (steps) => {
          const world = await queueWorld(database);
          for (const step of steps) await world.run(step);
          await world.drain();
          world.check();
          await database.query(OWNER, 'delete from public.webhook_endpoints');
        }),
        { numRuns: sampleSize(15, 600) },
      );
    },
    sampleSize(120_000, 1_800_000),
  );
});

async function queueWorld(database: Database) {
  const queue = webhookQueue(database);
  const endpoints: TestEndpoint[] = [];
  for (let n = 0; n < ENDPOINTS; n++) endpoints.push(await addTestEndpoint(database, `https://hooks.example/${n}`));
  let nowMs = Date.parse('2026-11-27T10:00:00Z');
  const underWay: { job: WebhookJob; leaseEndsMs: number }[] = [];
  const happened = new Map(endpoints.map(({ id }) => [id, [] as string[]]));
  const accepted = new Map(endpoints.map(({ id }) => [id, [] as string[]]));
  /** Events that may arrive once more: their record was lost, or came after the lease. */
  const excused = new Map<string, number>();
  const excuse = (eventId: string) => excused.set(eventId, (excused.get(eventId) ?? 0) + 1);
  const at = (n: number) => endpoints[n % ENDPOINTS] as TestEndpoint;

  const triedAs = (isDelivered: boolean, isSlow: boolean): WebhookTry => ({
    isDelivered,
    isSlow,
    tookMs: 5,
    answerStart: null,
    status: isDelivered ? 204 : 500,
    problem: isDelivered ? null : 'status',
  });

  async function claim(count: number, isSuspect: boolean): Promise<number> {
    await fanOut({ database, log: testLog, siteUrl: () => 'https://kat.test' }, nowMs);
    const jobs = await queue.claim(count, nowMs, nowMs + LEASE_MS, isSuspect);
    underWay.push(...jobs.map((job) => ({ job, leaseEndsMs: nowMs + LEASE_MS })));
    return jobs.length;
  }

  async function accept(index: number, goesOn: boolean, isSlow: boolean): Promise<void> {
    const [one] = underWay.splice(index, 1);
    if (one === undefined) return;
    const { job, leaseEndsMs } = one;
    accepted.get(job.endpointId)?.push(job.eventId);
    if (leaseEndsMs <= nowMs) excuse(job.eventId);
    const next = await queue.noteDelivered(job, triedAs(true, isSlow), nowMs, goesOn ? nowMs + LEASE_MS : null);
    if (next !== null) underWay.push({ job: next, leaseEndsMs: nowMs + LEASE_MS });
  }

  async function run(step: Step): Promise<void> {
    const index = 'held' in step ? step.held % Math.max(1, underWay.length) : 0;
    switch (step.kind) {
      case 'events': {
        const { id, userId } = at(step.place);
        happened.get(id)?.push(...(await addEvents(database, userId, nowMs, step.count)));
        return;
      }
      case 'claim':
        await claim(step.count, step.isSuspect);
        return;
      case 'accept':
        return accept(index, step.goesOn, step.isSlow);
      case 'fail': {
        const [one] = underWay.splice(index, 1);
        if (one !== undefined) await queue.noteFailed(one.job, triedAs(false, step.isSlow), nowMs, nowMs + 5000);
        return;
      }
      case 'die': {
        const [one] = underWay.splice(index, 1);
        if (one === undefined || !step.isAccepted) return;
        accepted.get(one.job.endpointId)?.push(one.job.eventId);
        excuse(one.job.eventId);
        return;
      }
      case 'release': {
        const [one] = underWay.splice(index, 1);
        if (one !== undefined) await queue.release(one.job, nowMs);
        return;
      }
      case 'wait':
        nowMs += step.ms;
        return;
      case 'pause':
      case 'resume': {
        const { id, userId } = at(step.place);
        const state = step.kind === 'pause' ? 'paused' : 'active';
        await setEndpointState(asOwner(database), userId, { id, state }, nowMs);
      }
    }
  }

  return {
    run,
    /** Every receiver answers from now on, and whatever was under way is lost. */
    async drain() {
      underWay.length = 0;
      for (const { id, userId } of endpoints)
        await setEndpointState(asOwner(database), userId, { id, state: 'active' }, nowMs);
      for (let idle = 0; idle < 2; ) {
        nowMs += LEASE_MS + 1;
        const claimed = (await claim(ENDPOINTS, false)) + (await claim(ENDPOINTS, true));
        idle = claimed === 0 ? idle + 1 : 0;
        while (underWay.length > 0) await accept(0, true, false);
      }
    },
    check() {
      for (const { id } of endpoints) {
        const arrived = accepted.get(id) ?? [];
        expect([...new Set(arrived)]).toEqual(happened.get(id));
        for (const event of new Set(arrived)) {
          const times = arrived.filter((one) => one === event).length;
          expect(times).toBeLessThanOrEqual(1 + (excused.get(event) ?? 0));
        }
      }
    },
  };
}
