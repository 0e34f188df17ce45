/** The users of one run: who they are, what they do, and what each of them reads at the end. */
import { seededRandom } from '../../../../server/forecast/paths/random.ts';
import { isLive } from '../checker/charges.ts';
import type { Recorder } from '../history/recorder.ts';
import { erase, type Newcomer, newcomer, signIn, signUp } from './accounts.ts';
import { type ActorContext, actUntilStopped, pause } from './actor.ts';
import { type Buyer, buy, buyActs, readLedger, readPlan } from './buyer.ts';
import type { ProviderKeys } from './checkout.ts';
import { type KnownPosts, likeActs, posterActs, readLikes, readPosts } from './community.ts';
import { predictActs, readQuota, readSaved } from './predictor.ts';
import type { Site, SiteUser } from './site.ts';
import { readVote, readVoteTotals, voteActs } from './voter.ts';

export interface CrowdOptions {
  seed: number;
  site: Site;
  recorder: Recorder;
  provider(): ProviderKeys;
  makeAdmin(email: string): Promise<void>;
  /** `small`: for tests. */
  scale: 'small' | 'full';
}

export interface Crowd {
  /** Acts until the signal, and completes what was begun. */
  act(signal: AbortSignal): Promise<void>;
  /** Once everything runs again: everyone reads everything. @throws Error if the site does not recover */
  readEverything(): Promise<void>;
}

const SIZES = { small: { predictors: 1, buyers: 1 }, full: { predictors: 2, buyers: 3 } } as const;
const NEWCOMER_EVERY_MS = 2500;
/**
 * Longer than the site may take for an event that never arrived: two minutes until it counts as lost, one until the next
 * sweep, and half a minute until another process takes the sweep over. An event that a killed process held takes less.
 */
const SETTLE_LIMIT_MS = 240_000;
const READ_TRIES = 60;

/** Signs up the users of a run; those who predict buy a plan, and one who will change it. @throws Error if that is refused */
export async function gatherCrowd(options: CrowdOptions): Promise<Crowd> {
  const { seed, site, recorder, scale } = options;
  const size = SIZES[scale];
  const posts: KnownPosts = new Map();
  const newcomers: Newcomer[] = [];
  const erased = new Set<string>();
  const users: SiteUser[] = [];
  let count = 0;

  function contextOf(name: string, signal: AbortSignal): ActorContext {
    return { site, recorder, random: seededRandom('chaos-user', seed, name), signal };
  }

  async function join(): Promise<SiteUser | null> {
    const one = newcomer(seed, count);
    count += 1;
    newcomers.push(one);
    const user = await signUp({ site, recorder }, one);
    if (user !== null) users.push(user);
    return user;
  }

  async function first(): Promise<SiteUser> {
    const user = await join();
    if (user === null) throw new Error('a first user could not sign up');
    return user;
  }

  const admin = await first();
  await options.makeAdmin(admin.email);
  const predictors: Buyer[] = [];
  for (let i = 0; i < size.predictors; i += 1) predictors.push({ user: await first(), subscriptionId: null });
  const buyers: Buyer[] = [];
  for (let i = 0; i < size.buyers; i += 1) buyers.push({ user: await first(), subscriptionId: null });
  const unaborted = new AbortController().signal;
  for (const one of [...predictors, ...buyers.slice(0, 1)])
    await untilRight(`the plan of ${one.user.email}`, async () => {
      if (one.subscriptionId === null) await buy(contextOf(`${one.user.email} setup`, unaborted), one);
      if (one.subscriptionId === null) await readPlan({ site, recorder }, one);
      return one.subscriptionId === null ? 'it is not shown' : null;
    });

  /** Signs up, votes, and sometimes erases the account. */
  async function welcome(context: ActorContext): Promise<void> {
    for (let nth = 0; !context.signal.aborted; nth += 1) {
      const user = await join();
      if (user !== null) {
        for (const [, act] of voteActs(contextOf(`newcomer ${nth}`, context.signal), user)) await act();
        // Votes of an erased account are not counted; so only accounts without one are erased.
        if (nth % 3 === 2) await leave(context);
      }
      await pause(NEWCOMER_EVERY_MS * context.random() * 2, context.signal);
    }
  }

  async function leave(context: ActorContext): Promise<void> {
    const user = await join();
    if (user === null) return;
    erased.add(user.email);
    await erase(context, user);
    await signIn(context, user);
  }

  return {
    async act(signal) {
      const actors = [
        ...predictors.flatMap(({ user }) =>
          // Two tabs of the same user.
          ['first', 'second'].map((tab) => {
            const context = contextOf(`${user.email} ${tab}`, signal);
            return actUntilStopped(context, predictActs(context, user));
          }),
        ),
        // Buyers have two tabs too, may pay in both, and may cancel in one while they resume in the other.
        ...[...buyers, ...buyers].map((buyer, nth) => {
          const context = contextOf(`${buyer.user.email} ${nth}`, signal);
          const acts = [...buyActs(context, buyer), ...buyActs(context, buyer), ...voteActs(context, buyer.user)];
          return actUntilStopped(context, [...acts, ...likeActs(context, buyer.user, posts)]);
        }),
        // Each buyer also leaves a page open, which reads the plan again and again.
        ...buyers.map((buyer) => {
          const context = contextOf(`${buyer.user.email} watching`, signal);
          return actUntilStopped(context, [[1, () => readPlan(context, buyer)]]);
        }),
        actUntilStopped(contextOf('admin', signal), posterActs(contextOf('admin acts', signal), admin, posts)),
        welcome(contextOf('newcomers', signal)),
      ];
      await Promise.all(actors);
    },

    async readEverything() {
      const reading = { site, recorder };
      // What a change left behind is judged too, not only what the last events made of it.
      for (const buyer of buyers) await readPlan(reading, buyer);
      await untilRight('the provider’s events', () => differsFromProvider(options, [...predictors, ...buyers]));
      for (const one of newcomers) await untilAnswered(() => signIn(reading, one));
      const present = users.filter(({ email }) => !erased.has(email));
      for (const user of present) await untilAnswered(() => readVote(reading, user));
      for (const { user } of predictors) {
        await untilAnswered(() => readQuota(reading, user));
        await untilAnswered(() => readSaved(reading, user));
      }
      for (const buyer of [...predictors, ...buyers]) {
        await untilAnswered(() => readPlan(reading, buyer));
        recorder.saw(await readLedger(options.provider(), buyer));
      }
      await untilAnswered(() => readPosts(reading, admin, posts));
      for (const { user } of buyers) await untilAnswered(() => readLikes(reading, user, posts));
      recorder.saw({ kind: 'vote-totals', ...(await readVoteTotals(site)) });
    },
  };
}

async function untilAnswered(read: () => Promise<{ outcome: string; note?: string }>): Promise<void> {
  for (let nth = 0; nth < READ_TRIES; nth += 1) {
    const { outcome, note } = await read();
    if (outcome === 'ok' || /invalid/i.test(note ?? '')) return;
    await pause(500);
  }
  throw new Error('a last reading was not answered');
}

/** Reads without recording: until the events have arrived, every user may see the state from before. */
async function differsFromProvider({ site, provider }: CrowdOptions, buyers: readonly Buyer[]): Promise<string | null> {
  const silent: Recorder = {
    events: [],
    saw: () => undefined,
    fault: () => undefined,
    call: (_user, _request, run) => run(),
  };
  for (const buyer of buyers) {
    const { outcome, answer, note = '' } = await readPlan({ site, recorder: silent }, buyer);
    const ledger = await readLedger(provider(), buyer).catch(() => null);
    const [live, ...doubles] = (ledger?.subscriptions ?? []).filter(({ status }) => isLive(status));
    const { email } = buyer.user;
    if (outcome !== 'ok') return `${email} cannot read the plan: ${note}`;
    if (ledger === null) return `the provider does not answer for ${email}`;
    if (doubles.length > 0 || ledger.paidCents.length > 1) return `${email} has two subscriptions or charges`;
    const shown = { id: answer?.subscriptionId ?? null, isEnding: answer?.isEnding ?? false };
    const actual = { id: live?.id ?? null, isEnding: live?.isEnding ?? false };
    if (shown.id !== actual.id || shown.isEnding !== actual.isEnding)
      return `${email} sees ${JSON.stringify(shown)}, and the provider has ${JSON.stringify(actual)}`;
  }
  return null;
}

/** @throws Error if it takes longer than the provider's events may */
async function untilRight(what: string, findWrong: () => Promise<string | null>): Promise<void> {
  const endMs = Date.now() + SETTLE_LIMIT_MS;
  for (let wrong = await findWrong(); wrong !== null; wrong = await findWrong()) {
    if (Date.now() > endMs) throw new Error(`${what} did not arrive within ${SETTLE_LIMIT_MS / 1000} s: ${wrong}`);
    await pause(300);
  }
}
