/**
 * Votes, one per user. Acknowledged: the user sees their own vote, with its direction. Half: a vote that its user has
 * but that is not counted, or the reverse. Twice: counted more often than there are users who have one.
 */
import * as z from 'zod/mini';
import { VOTE_CURRENCY, VOTE_WINDOW, type VoteDirection } from '#domain/community/vote.ts';
import { inTurn } from '../in-turn.ts';
import { describeAnswer, isTaken, type SiteUser } from '../site.ts';
import type { WorkKind, WorkWorld } from './work-kind.ts';

interface Attempt {
  user: SiteUser;
  direction: VoteDirection;
  isAcknowledged: boolean;
}

const countsSchema = z.array(z.object({ up_count: z.number(), down_count: z.number() }));
const ownSchema = z.array(z.object({ direction: z.string() }));

export function votes(world: WorkWorld): WorkKind {
  const { site } = world;
  const attempts: Attempt[] = [];
  let before = { up: 0, down: 0 };

  async function counted(): Promise<{ up: number; down: number }> {
    const body = { p_currency: VOTE_CURRENCY, p_window: VOTE_WINDOW };
    const [row] = countsSchema.parse(await site.read('/rest/v1/rpc/get_vote_stats', { body }));
    return { up: row?.up_count ?? 0, down: row?.down_count ?? 0 };
  }

  return {
    async prepare() {
      before = await counted();
    },
    async write() {
      const user = world.users[attempts.length];
      if (user === undefined) return null;
      const attempt: Attempt = { user, direction: attempts.length % 3 === 0 ? 'down' : 'up', isAcknowledged: false };
      attempts.push(attempt);
      const args = { p_currency: VOTE_CURRENCY, p_direction: attempt.direction, p_window: VOTE_WINDOW };
      const answer = await site.rpc(user, 'submit_vote', args);
      attempt.isAcknowledged = isTaken(answer);
      if (!attempt.isAcknowledged) world.refused('votes', describeAnswer(answer));
      return attempt.isAcknowledged;
    },
    async verify({ lost }) {
      const there = { up: 0, down: 0 };
      await inTurn(attempts, lost, async ({ user, direction, isAcknowledged }) => {
        const body = { p_currency: VOTE_CURRENCY };
        const [own] = ownSchema.parse(await site.read('/rest/v1/rpc/get_own_vote', { user, body }));
        if (own === undefined && isAcknowledged) lost.push(`the vote of ${user.email}`);
        if (own !== undefined && own.direction !== direction)
          lost.push(`the vote of ${user.email} is ${own.direction}`);
        if (own !== undefined) there[direction] += 1;
      });
      const after = await counted();
      const more = { up: after.up - before.up, down: after.down - before.down };
      if (more.up !== there.up || more.down !== there.down)
        lost.push(`votes counted ${JSON.stringify(more)}, and users have ${JSON.stringify(there)}`);
    },
  };
}
