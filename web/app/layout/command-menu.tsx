import { useLocation } from 'react-router';
import { DEFAULT_TIMEFRAME } from '#domain/market/timeframes.ts';
import { CommandPalette } from '../../features/command-palette/command-palette.tsx';
import { ShortcutsDialog } from '../../features/command-palette/shortcuts-dialog.tsx';
import type { SearchUsers } from '../../features/command-palette/use-found-users.ts';
import { currentChoice } from '../../features/forecast/controls/panel-choice.ts';
import { useStars } from '../../features/watchlist/watch-stars.tsx';
import { useSession } from '../../session/session.ts';

export type Shown = 'commands' | 'keys' | 'markets';

export interface CommandMenuProps {
  shown: Shown;
  onShow: (shown: Shown | null) => void;
}

export function CommandMenu({ shown, onShow }: CommandMenuProps) {
  const close = () => onShow(null);
  const { pathname, search } = useLocation();
  const { user } = useSession();
  // A visitor's chart stays at one minute.
  const timeframe = user === null ? DEFAULT_TIMEFRAME : currentChoice(pathname === '/kat' ? search : '').timeframe;
  const starOf = useStars(timeframe);
  if (shown === 'keys') return <ShortcutsDialog onClose={close} />;
  return (
    <CommandPalette
      onClose={close}
      onKeys={() => onShow('keys')}
      isMarkets={shown === 'markets'}
      searchUsers={searchUsers}
      starOf={starOf}
    />
  );
}

/** The admin page's own search. */
const searchUsers: SearchUsers = async (search, signal) => {
  const { DEFAULT_SORT, fetchUserPage } = await import('../../features/admin/admin-api.ts');
  const { users } = await fetchUserPage({ search, isPaidOnly: false, sort: DEFAULT_SORT }, 0, signal);
  return users;
};
