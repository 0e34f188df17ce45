import { CommandPalette } from '../../features/command-palette/command-palette.tsx';
import { ShortcutsDialog } from '../../features/command-palette/shortcuts-dialog.tsx';
import type { SearchUsers } from '../../features/command-palette/use-found-users.ts';

export type Shown = 'commands' | 'keys' | 'markets';

export interface CommandMenuProps {
  shown: Shown;
  onShow: (shown: Shown | null) => void;
}

export function CommandMenu({ shown, onShow }: CommandMenuProps) {
  const close = () => onShow(null);
  if (shown === 'keys') return <ShortcutsDialog onClose={close} />;
  return (
    <CommandPalette
      onClose={close}
      onKeys={() => onShow('keys')}
      isMarkets={shown === 'markets'}
      searchUsers={searchUsers}
    />
  );
}

/** The admin page's own search. */
const searchUsers: SearchUsers = async (search, signal) => {
  const { DEFAULT_SORT, fetchUserPage } = await import('../../features/admin/admin-api.ts');
  const { users } = await fetchUserPage({ search, isPaidOnly: false, sort: DEFAULT_SORT }, 0, signal);
  return users;
};
