/**
 * Random histories share one server and clock. In each round everyone acts under random faults; then all pending work
 * finishes, and each person is checked on four sides: provider, row, screen, gate.
 */
import { inspect } from 'node:util';
import { seededRandom } from '../../../server/forecast/paths/random.ts';
import type { TestDatabaseKind } from '../database/database.ts';
import type { BillingWorld, Person } from '../worlds/billing-world.ts';
import { eventually } from '../worlds/billing-world.ts';
import { act } from './acts.ts';
import { checked, checkedMoney } from './checks.ts';
import { type ModelServer, openModelServer } from './model-server.ts';
import type { ModelPerson } from './person.ts';
import { pick } from './person.ts';
import { type ProviderState, providerStateOf } from './provider-state.ts';
import { afterTime } from './rules.ts';
import { FAIR, LOST_EVENTS_WAIT_S, stepOf, type Weather, weatherOf } from './weather.ts';

export interface BatchOptions {
  kind: TestDatabaseKind;
  seed: number;
  people: number;
  rounds: number;
  /** Runs only these people, with the same histories as in the full batch. */
  only?: readonly number[];
}

export interface Disagreeing {
  /** Null: the batch itself could not continue, which concerns everyone. */
  person: number | null;
  round: number;
  wrong: readonly string[];
  history: readonly string[];
}

export interface BatchResult {
  histories: number;
  acts: number;
  rounds: number;
  restarts: number;
  faults: number;
  lostRounds: number;
  daysPassed: number;
  found: Disagreeing[];
}

/** A few browsers' worth; the embedded database has one connection. */
const CONCURRENCY = 6;
/** Rounds of the sweep, which takes fifty items of each kind per round. */
const SWEEPS = 3;
const SIGN_UPS = 4;
/** Access tokens live an hour. */
const TOKEN_S = 3000;

export async function runBatch(options: BatchOptions): Promise<BatchResult> {
  const server = await openModelServer(options.kind);
  const result: BatchResult = {
    histories: 0,
    acts: 0,
    rounds: options.rounds,
    restarts: 0,
    faults: 0,
    lostRounds: 0,
    daysPassed: 0,
    found: [],
  };
  let at = 0;
  try {
    const people = await signedUp(server.world(), options);
    result.histories = people.length;
    const lost = new Set<number>();
    const report = (person: ModelPerson, round: number, wrong: readonly (string | null)[]) => {
      const real = wrong.filter((one) => one !== null);
      if (real.length === 0 || lost.has(person.index)) return;
      // Only one report per person: later findings follow from the first.
      lost.add(person.index);
      result.found.push({ person: person.index, round, wrong: real, history: [...person.log] });
    };
    /** A failure of the model itself is reported for this history, and the others continue. */
    const each = (round: number, work: (person: ModelPerson) => Promise<void>) =>
      pooled(people, (person) => work(person).catch((error: unknown) => report(person, round, [failed(error)])));

    const chance = seededRandom('weather', options.seed);
    for (let round = 0; round < options.rounds; round += 1) {
      at = round;
      const weather = round === 0 ? FAIR : weatherOf(chance);
      const isFair = weather.faults.length === 0 && !weather.hasRestart;
      await setWeather(server.world(), weather);
      result.faults += weather.faults.length;
      await each(round, async (person) => {
        person.log.push(`round ${round}${isFair ? '' : `, weather ${JSON.stringify(weather)}`}`);
        for (let left = pick(person.random, [0, 1, 1, 2]); left > 0; left -= 1) {
          result.acts += 1;
          const context = { world: server.world(), person, all: people, isUndisturbed: isFair };
          report(person, round, [await act(context)]);
        }
      });
      if (weather.hasRestart) {
        await server.restart();
        result.restarts += 1;
      }
      const isLost = weather.delivery.mode === 'drop';
      if (isLost) result.lostRounds += 1;
      const mayLack = isLost || weather.hasRestart;
      await rest(server, { isLost: mayLack });
      if (mayLack) result.daysPassed += await passTime(server, people, LOST_EVENTS_WAIT_S);
      for (let sweep = 0; sweep < (mayLack ? SWEEPS : 1); sweep += 1) await server.sweep();
      await rest(server, { isLost: mayLack });

      const before = new Map<number, ProviderState>();
      await each(round, async (person) => {
        report(person, round, await checked(server.world(), person, server.nowS));
        before.set(person.index, await providerStateOf(server.world(), person.id));
      });

      const someone = pick(chance, [...before.values()].map(({ live }) => live?.endS ?? null).concat(null));
      const step = stepOf(chance, { nowS: server.nowS(), endS: someone });
      result.daysPassed += await passTime(server, people, step);
      await rest(server, { isLost: mayLack });
      await server.sweep();
      await each(round, async (person) => {
        person.log.push(`${step} s pass`);
        const was = before.get(person.index);
        const is = await providerStateOf(server.world(), person.id);
        const facts = { isReliable: person.paysReliably, nowS: server.nowS() };
        report(person, round, [was === undefined ? null : afterTime(was, is, facts)]);
        // Time changes nothing for a user who never was a customer.
        if (is.customerId !== null) report(person, round, await checked(server.world(), person, server.nowS));
      });
    }
    await each(options.rounds, async (person) =>
      report(person, options.rounds, await checkedMoney(server.world(), person)),
    );
  } catch (error) {
    result.found.push({ person: null, round: at, wrong: [failed(error)], history: [] });
  } finally {
    await server.close();
  }
  return result;
}

function failed(error: unknown): string {
  return `the model itself failed: ${inspect(error)}`;
}

async function signedUp(world: BillingWorld, { people, seed, only }: BatchOptions): Promise<ModelPerson[]> {
  const indices = Array.from({ length: people }, (_, index) => index).filter((index) => only?.includes(index) ?? true);
  const all: ModelPerson[] = [];
  await pooled(indices, async (index) => {
    const random = seededRandom('person', seed, index);
    all.push({ ...(await retried(() => world.signUp(`P${index}`))), index, random, log: [], paysReliably: false });
  });
  return all.toSorted((a, b) => a.index - b.index);
}

/** Signing up is not part of a history, so it is retried if the machine is too busy. */
async function retried(signUp: () => Promise<Person>): Promise<Person> {
  for (let left = SIGN_UPS; ; left -= 1) {
    try {
      return await signUp();
    } catch (error) {
      if (left === 1) throw error;
    }
  }
}

async function setWeather(world: BillingWorld, { faults, delivery }: Weather): Promise<void> {
  await world.control('POST', '/webhooks', delivery);
  for (const fault of faults) await world.control('POST', '/faults', fault);
}

/** Clears the provider's faults, sends all held events, and processes every event that was not lost. */
async function rest(server: ModelServer, { isLost }: { isLost: boolean }): Promise<void> {
  const world = server.world();
  await world.control('DELETE', '/faults');
  await world.control('POST', '/webhooks/release');
  await world.control('POST', '/webhooks', { mode: 'deliver' });
  await eventually(async () => {
    const [open] = await world.rows(
      'select count(*)::int as count from public.stripe_events where processed_at is null',
    );
    if (open?.count === 0) return true;
    await server.sweep();
    return null;
  });
  if (!isLost) await world.settled();
}

async function passTime(server: ModelServer, people: readonly ModelPerson[], seconds: number): Promise<number> {
  server.step(seconds);
  if (seconds > TOKEN_S) await pooled(people, (person) => server.world().refresh(person));
  // The sandbox's time advances with the next call, which also sends what is due.
  await server.world().control('POST', '/clock', {});
  return seconds / 86_400;
}

async function pooled<T>(all: readonly T[], work: (one: T) => Promise<void>): Promise<void> {
  const waiting = [...all];
  const worker = async () => {
    for (let one = waiting.shift(); one !== undefined; one = waiting.shift()) await work(one);
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, worker));
}
