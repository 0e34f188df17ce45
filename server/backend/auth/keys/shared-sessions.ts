/**
 * Broadcasts session changes to the other processes immediately. Without a broker, or if a message is lost, they notice
 * when their cache entry for the session expires.
 */
import * as z from 'zod/mini';
import type { Bus } from '../../../platform/processes/bus.ts';
import type { LiveSessions } from './live-sessions.ts';

const SUBJECT = 'sessions';
/** Per message: an account with more devices is announced in several. */
const MAX_IDS = 10_000;

const toldSchema = z.union([
  z.object({ ended: z.array(z.string()).check(z.maxLength(MAX_IDS)), tokenLifeMs: z.number().check(z.gte(0)) }),
  z.object({ changedUser: z.string() }),
  z.object({ all: z.literal(true) }),
]);
type Told = z.infer<typeof toldSchema>;

/** @param bus  if absent or in-process, nothing is shared */
export function sharedSessions(own: LiveSessions, bus: Bus | undefined): LiveSessions {
  if (bus === undefined || bus.kind === 'in-process') return own;
  return joinSessions(own, bus);
}

/** Receiving one's own messages is harmless: the change has already been applied. */
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
