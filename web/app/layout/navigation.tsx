/** The top navigation. Below 900 px one button opens everything as a list, and focus stays in it until it closes. */
import ChevronDown from 'lucide-react/icons/chevron-down';
import Menu from 'lucide-react/icons/menu';
import Moon from 'lucide-react/icons/moon';
import Search from 'lucide-react/icons/search';
import Sun from 'lucide-react/icons/sun';
import X from 'lucide-react/icons/x';
import { type KeyboardEvent, lazy, Suspense, useEffect, useState } from 'react';
import { Link, NavLink, useLocation } from 'react-router';
import { KatMark } from '../../brand/marks.tsx';
import { reportError } from '../../platform/error-log.ts';
import { useSession } from '../../session/session.ts';
import { useTheme } from '../../ui/browser/theme.ts';
import { whenIdle } from '../../ui/browser/when-due.ts';
import { IconButton, LinkButton } from '../../ui/forms/button.tsx';
import { classNames } from '../../ui/styles/class-names.ts';
import type { AccountMenuProps } from './account-menu.tsx';
import styles from './navigation.module.css';
import { LOG_PATH, NAVIGATION, type NavigationGroup } from './navigation-items.ts';
import { useDisclosure } from './use-disclosure.ts';

/** Its code is for users alone. Without it the header links to the account's pages. */
const AccountMenu = lazy(() =>
  import('./account-menu.tsx').then(
    ({ AccountMenu: Loaded }) => ({ default: Loaded }),
    (error: unknown) => {
      reportError(error, { where: 'account menu' });
      return { default: AccountLink };
    },
  ),
);

/** @param onSearch  opens the command palette */
export function Navigation({ onSearch }: { onSearch: () => void }) {
  const { isOpen, setOpen, root, button: toggle, id: menuId } = useDisclosure<HTMLElement>();
  const hasNew = useUnseenPosts();
  const firstLink = () => root.current?.querySelector<HTMLElement>('nav a') ?? null;
  useEffect(() => {
    if (isOpen) root.current?.querySelector<HTMLElement>('nav a')?.focus();
  }, [isOpen, root]);
  const trapFocus = (event: KeyboardEvent) => {
    const end = toggle.current;
    if (!isOpen || event.key !== 'Tab' || end === null || getComputedStyle(end).display === 'none') return;
    const [from, to] = event.shiftKey ? [firstLink(), end] : [end, firstLink()];
    if (document.activeElement !== from) return;
    event.preventDefault();
    to?.focus();
  };

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the handler only traps focus, nothing is activated here
    <header ref={root} className={styles.header} onKeyDown={trapFocus}>
      <div className={styles.bar}>
        <Link to="/" className={styles.brand} aria-label="Kat, home">
          <KatMark size={28} className={styles.mark} />
          Kat
        </Link>
        <nav id={menuId} aria-label="Main" className={classNames(styles.nav, isOpen && styles.navOpen)}>
          <ul className={styles.items}>
            {NAVIGATION.map((item) => (
              <li key={item.label}>
                {'links' in item ? (
                  <Group group={item} hasNew={hasNew} />
                ) : (
                  <NavLink to={item.to} className={classNames(styles.link, styles.single)}>
                    {item.label}
                  </NavLink>
                )}
              </li>
            ))}
          </ul>
          <Account isListOpen={isOpen} />
        </nav>
        <IconButton
          label="Search pages and commands"
          aria-haspopup="dialog"
          className={styles.tool}
          icon={<Search size={18} aria-hidden="true" />}
          onClick={onSearch}
        />
        <ThemeToggle />
        <button
          ref={toggle}
          type="button"
          className={styles.menuButton}
          aria-label={hasNew ? 'Menu (new posts)' : 'Menu'}
          aria-expanded={isOpen}
          aria-controls={menuId}
          onClick={() => setOpen(!isOpen)}
        >
          {isOpen ? <X size={20} aria-hidden="true" /> : <Menu size={20} aria-hidden="true" />}
          {hasNew && <span className={styles.dot} />}
        </button>
      </div>
    </header>
  );
}

/** A disclosure: a button that shows its links. On narrow screens the links always show below their heading. */
function Group({ group, hasNew }: { group: NavigationGroup; hasNew: boolean }) {
  const { pathname } = useLocation();
  const { isOpen, setOpen, root, button, id: listId } = useDisclosure<HTMLDivElement>();
  const isCurrent = group.links.some((link) => link.to === pathname);
  const dotAt = (path: string) => hasNew && path === LOG_PATH && <NewDot />;
  const dot = group.links.some((link) => link.to === LOG_PATH) && dotAt(LOG_PATH);

  return (
    <div ref={root} className={styles.group}>
      <button
        ref={button}
        type="button"
        className={classNames(styles.link, styles.groupButton, isCurrent && styles.current)}
        aria-expanded={isOpen}
        aria-controls={listId}
        onClick={() => setOpen(!isOpen)}
      >
        <span>{group.label}</span>
        {dot}
        <ChevronDown size={15} aria-hidden="true" />
      </button>
      <p className={styles.groupHeading} aria-hidden="true">
        <span>{group.label}</span>
        {dot}
      </p>
      <ul id={listId} className={classNames(styles.groupList, isOpen && styles.groupListOpen)}>
        {group.links.map((link) => (
          <li key={link.to}>
            <NavLink to={link.to} className={classNames(styles.link, styles.grouped)}>
              <span>{link.label}</span>
              {dotAt(link.to)}
            </NavLink>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** Takes no room, because it appears and disappears while the user reads. */
function NewDot() {
  return (
    <span className={styles.dot}>
      <span className="visually-hidden"> (new posts)</span>
    </span>
  );
}

function Account({ isListOpen }: { isListOpen: boolean }) {
  const { initialized, user } = useSession();
  const { pathname } = useLocation();
  const currentAt = (path: string) => (pathname === path ? 'page' : undefined);
  if (user === null) {
    // Most users are visitors until known; if a session is stored, these links are hidden until it is checked.
    return (
      <div className={styles.account} data-until-known={initialized ? undefined : ''}>
        <LinkButton to="/auth/signin" variant="quiet" aria-current={currentAt('/auth/signin')}>
          Sign In
        </LinkButton>
        <LinkButton to="/auth/signup" variant="primary" aria-current={currentAt('/auth/signup')}>
          Sign Up
        </LinkButton>
      </div>
    );
  }
  return (
    <div className={styles.account}>
      <LinkButton to="/dashboard" variant="quiet" aria-current={currentAt('/dashboard')}>
        Dashboard
      </LinkButton>
      <Suspense fallback={<span className={styles.menuRoom} />}>
        <AccountMenu user={user} isListOpen={isListOpen} />
      </Suspense>
    </div>
  );
}

function AccountLink(_menu: AccountMenuProps) {
  return (
    <LinkButton to="/account" variant="quiet">
      Account
    </LinkButton>
  );
}

function ThemeToggle() {
  const { isDark, toggleDark } = useTheme();
  return (
    <IconButton
      label="Toggle theme"
      aria-pressed={isDark}
      className={styles.tool}
      icon={isDark ? <Moon size={18} aria-hidden="true" /> : <Sun size={18} aria-hidden="true" />}
      onClick={toggleDark}
    />
  );
}

/** False until known, and for visitors. */
function useUnseenPosts(): boolean {
  const userId = useSession().user?.id;
  const [hasUnseen, setUnseen] = useState(false);
  useEffect(() => {
    if (userId === undefined) return;
    let isOver = false;
    let stop = whenIdle(() => {
      import('../../features/changelog/unseen/watch-unseen.ts').then(
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
