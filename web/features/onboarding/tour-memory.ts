/** Whether the tour has ended for a user, remembered in this browser so that most visits need no request. */
import { storedText } from '../../ui/browser/stored-value.ts';

const stored = storedText('localStorage', 'chartTour');
const UNSENT = ' unsent';

/** 'unsent': it ended here, but the server does not know. Null: unknown here, also if storage is blocked. */
export function tourMemory(userId: string): 'ended' | 'unsent' | null {
  const text = stored.read();
  if (text === userId) return 'ended';
  return text === userId + UNSENT ? 'unsent' : null;
}

export function rememberTour(userId: string, isSent: boolean): void {
  stored.write(isSent ? userId : userId + UNSENT);
}
