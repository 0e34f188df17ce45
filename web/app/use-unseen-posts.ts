/** Whether the change log has posts that the user has not seen. Its code loads when the page is idle. */
import { useEffect, useState } from 'react';
import { useSession } from '../session/session.ts';
import { whenIdle } from '../ui/browser/when-due.ts';

/** False until known, and for visitors. */
export function useUnseenPosts(): boolean {
  const userId = useSession().user?.id;
  const [hasUnseen, setUnseen] = useState(false);
  useEffect(() => {
    if (userId === undefined) return;
    let isOver = false;
    let stop = whenIdle(() => {
      import('../features/changelog/unseen/watch-unseen.ts').then(
        ({ watchUnseen }) => {
          if (!isOver) stop = watchUnseen(userId, setUnseen);
        },
        // Without its code there is no dot; nothing else depends on it.
        () => undefined,
      );
    });
    return () => {
      isOver = true;
      stop();
      setUnseen(false);
    };
  }, [userId]);
  return hasUnseen;
}
