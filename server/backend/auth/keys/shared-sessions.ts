/**
 * What one process does to sessions is known to the others at once. Without a broker, or where a message is lost, they
 * notice when their memory of the session runs out.
 */
import * as z from 'zod/mini';
import type { Bus } from '../../../platform/processes/bus.ts';
import type { LiveSessions } from './live-sessions.ts';

const SUBJECT = 'sessions';
/** Of a message: an account with more devices is told of in several. */
const MAX_IDS = 10_000;

const toldSchema = z.union([
  z.object({ ended: z.array(z.string()).check(z.maxLength(MAX_IDS)), tokenLifeMs: z.number().check(z.gte(0)) }),
  z.object({ changedUser: z.string() }),
  z.object({ all: z.literal(true) }),
]);
type Told = z.infer<typeof toldSchema>;

/** @param bus  absent, or of one process: as it was */
export function sharedSessions(own: LiveSessions, bus: Bus | undefined): LiveSessions {
  if (bus === undefined || bus.kind === 'in-process') return own;
  return joinSessions(own, bus);
}

/** What comes back of one's own does no harm: it is done already. */
export function joinSessions(own: LiveSessions, bus: Pick<Bus, 'publish' | 'subscribe'>): LiveSessions {
  bus.subscribe(SUBJECT, (message) => {
    const told = toldSchema.parse(message);
    if ('ended' in told) own.end(told.ended, told.tokenLifeMs);
    else if ('changedUser' in told) own.forgetUser(told.changedUser);
    else own.forgetAll();
  });
  const tell = (told: Told) => bus.publish(SUBJECT, told);
  return {
    ...own,
    end(sessionIds, tokenLifeMs) {
      own.end(sessionIds, tokenLifeMs);
      for (let i = 0; i < sessionIds.length; i += MAX_IDS)
        tell({ ended: sessionIds.slice(i, i + MAX_IDS), tokenLifeMs });
    },
    forgetUser(userId) {
      own.forgetUser(userId);
      tell({ changedUser: userId });
    },
    forgetAll() {
      own.forgetAll();
      tell({ all: true });
    },
  };
}
