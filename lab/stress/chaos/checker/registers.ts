/** What a user sets and reads back: the vote, the state of the plan, likes, posts, the account itself. */
import type { Call } from '../history/calls.ts';
import { describeContradiction } from './describe.ts';
import { findContradiction, type Model } from './linearise.ts';

/** Refused calls change nothing either. */
function isReadingCall({ request: { kind }, outcome }: Call): boolean {
  return kind.startsWith('read-') || kind === 'sign-in' || kind === 'confirm' || outcome === 'refused';
}

type VoteState = 'up' | 'down' | 'none';

/** One vote in 24 hours: a refusal means that there is one. */
const voteModel: Model<VoteState, Call<'vote' | 'read-vote'>> = {
  initial: 'none',
  step(state, { request, outcome, answer, note }) {
    if (request.kind === 'read-vote') return outcome !== 'ok' || (answer.direction ?? 'none') === state ? [state] : [];
    if (outcome === 'refused') return /TOO_SOON/.test(note) && state === 'none' ? [] : [state];
    if (state === 'none') return [request.direction];
    return outcome === 'ok' ? [] : [state];
  },
  isReading: isReadingCall,
  keyOf: (state) => state,
};

export function checkVotes(user: string, calls: readonly Call<'vote' | 'read-vote'>[]): string[] {
  const found = findContradiction(calls, voteModel);
  return found === null ? [] : [describeContradiction(`the vote of ${user}`, found)];
}

interface PlanState {
  isBought: boolean;
  isEnding: boolean;
}

/**
 * The row of a subscription. A payment reaches it at any time after the payment; a change that was acknowledged is in it
 * from then on, and an event that arrives late changes nothing back.
 */
const planModel: Model<PlanState, Call<'pay' | 'confirm' | 'cancel' | 'resume' | 'read-plan'>> = {
  initial: { isBought: false, isEnding: false },
  step(state, { request, outcome, answer }) {
    switch (request.kind) {
      case 'pay':
        return [state.isBought ? state : { isBought: true, isEnding: false }];
      case 'confirm':
        return outcome !== 'ok' || state.isBought ? [state] : [];
      case 'cancel':
      case 'resume': {
        const isEnding = request.kind === 'cancel';
        if (outcome === 'refused') return [state];
        if (state.isBought) return [{ ...state, isEnding }];
        return outcome === 'ok' ? [] : [state];
      }
      case 'read-plan': {
        if (outcome !== 'ok') return [state];
        const isBought = (answer.subscriptionId ?? null) !== null;
        const isSame = isBought === state.isBought && (answer.isEnding ?? false) === state.isEnding;
        return isSame ? [state] : [];
      }
    }
  },
  isReading: isReadingCall,
  keyOf: ({ isBought, isEnding }) => `${isBought} ${isEnding}`,
};

type PlanCall = Call<'pay' | 'confirm' | 'cancel' | 'resume' | 'read-plan'>;

export function checkPlans(user: string, calls: readonly PlanCall[]): string[] {
  // Even an acknowledged payment reaches the row later: with the provider's event, or with the confirmation.
  const timed = calls.map((call) =>
    call.request.kind === 'pay' ? { ...call, returnedMs: Number.POSITIVE_INFINITY } : call,
  );
  const tried = timed.filter(({ request, outcome }) => request.kind !== 'pay' || outcome !== 'refused');
  const found = findContradiction(tried, planModel);
  return found === null ? [] : [describeContradiction(`the plan of ${user}`, found)];
}

/** One element of a set: whether it is there. `refused` adds and removes leave it as it is. */
interface Element {
  adds: 'like' | 'post';
  removes: readonly ElementCall['request']['kind'][];
  reads: 'read-likes' | 'read-posts';
  text: string;
}
type ElementCall = Call<'like' | 'unlike' | 'read-likes' | 'post' | 'delete-post' | 'read-posts'>;

/** The number of times that the element is there: a post that was created once is never there twice. */
function elementModel({ adds, removes, text }: Element): Model<number, ElementCall> {
  return {
    initial: 0,
    step(count, { request, outcome, answer }) {
      if (request.kind === adds) return outcome === 'refused' ? [count] : [1];
      if (removes.includes(request.kind)) return outcome === 'refused' ? [count] : [0];
      if (outcome !== 'ok') return [count];
      return (answer.texts ?? []).filter((one) => one === text).length === count ? [count] : [];
    },
    isReading: isReadingCall,
    keyOf: (count) => String(count),
  };
}

const SETS = [
  // A deleted post takes its likes with it.
  { what: 'the like', adds: 'like', removes: ['unlike', 'delete-post'], reads: 'read-likes' },
  { what: 'the post', adds: 'post', removes: ['delete-post'], reads: 'read-posts' },
] as const;

/** @param calls  of one user for likes, with everyone's deletions; of everyone for posts, which all share */
export function checkSet(owner: string, calls: readonly ElementCall[]): string[] {
  return SETS.flatMap(({ what, ...set }) => {
    const kinds: readonly string[] = [set.adds, ...set.removes, set.reads];
    const texts = new Set(calls.flatMap(({ request }) => (request.kind === set.adds ? [request.text] : [])));
    return [...texts].flatMap((text) => {
      const own = calls.filter(
        ({ request }) => kinds.includes(request.kind) && (!('text' in request) || request.text === text),
      );
      const found = findContradiction(own, elementModel({ ...set, text }));
      return found === null ? [] : [describeContradiction(`${what} "${text}" of ${owner}`, found)];
    });
  });
}

type AccountCall = Call<'sign-up' | 'erase' | 'sign-in'>;
type AccountState = 'none' | 'open' | 'erased';

/** An erased account never comes back, and an acknowledged one is never lost. */
const accountModel: Model<AccountState, AccountCall> = {
  initial: 'none',
  step(state, { request, outcome }) {
    switch (request.kind) {
      case 'sign-up':
        return outcome === 'refused' ? [state] : state === 'none' ? ['open'] : outcome === 'ok' ? [] : [state];
      case 'erase':
        return outcome === 'refused' ? [state] : state === 'open' ? ['erased'] : outcome === 'ok' ? [] : [state];
      case 'sign-in':
        if (outcome === 'maybe') return [state];
        return (state === 'open') === (outcome === 'ok') ? [state] : [];
    }
  },
  isReading: isReadingCall,
  keyOf: (state) => state,
};

export function checkAccounts(user: string, calls: readonly AccountCall[]): string[] {
  const found = findContradiction(calls, accountModel);
  return found === null ? [] : [describeContradiction(`the account of ${user}`, found)];
}
