/** Votes, tries to vote again, and reads the own vote. */
import * as z from 'zod/mini';
import { VOTE_CURRENCY, VOTE_WINDOW } from '../../../../domain/community/vote.ts';
import type { Answered } from '../history/recorder.ts';
import { type Act, type ActorContext, toAnswered } from './actor.ts';
import { isTaken, type Site, type SiteUser } from './site.ts';

const ownSchema = z.array(z.object({ direction: z.enum(['up', 'down']) }));
const countsSchema = z.array(z.object({ up_count: z.number(), down_count: z.number() }));

export function voteActs(context: ActorContext, user: SiteUser): Act[] {
  const { site, recorder, random } = context;
  return [
    [
      2,
      () => {
        const direction = random() < 0.5 ? 'up' : 'down';
        const args = { p_currency: VOTE_CURRENCY, p_direction: direction, p_window: VOTE_WINDOW };
        return recorder.call(user.email, { kind: 'vote', direction }, async () =>
          toAnswered(await site.rpc(user, 'submit_vote', args)),
        );
      },
    ],
    [3, () => readVote(context, user)],
  ];
}

export function readVote(
  { site, recorder }: Pick<ActorContext, 'site' | 'recorder'>,
  user: SiteUser,
): Promise<Answered> {
  return recorder.call(user.email, { kind: 'read-vote' }, async () => {
    const answer = await site.rpc(user, 'get_own_vote', { p_currency: VOTE_CURRENCY });
    if (!isTaken(answer)) return toAnswered(answer);
    const [own] = ownSchema.parse(answer.body);
    return { outcome: 'ok', answer: { direction: own?.direction ?? null } };
  });
}

/** Everyone's votes now. @throws Error if they cannot be read */
export async function readVoteTotals(site: Site): Promise<{ up: number; down: number }> {
  const body = { p_currency: VOTE_CURRENCY, p_window: VOTE_WINDOW };
  const [row] = countsSchema.parse(await site.read('/rest/v1/rpc/get_vote_stats', { body }));
  return { up: row?.up_count ?? 0, down: row?.down_count ?? 0 };
}
