/**
 * The signed-in user's menu in the header: who is signed in, the plan, the predictions left, links and the sign-out. On
 * narrow screens it shows open in the list of the navigation.
 */

import { useQuery } from '@tanstack/react-query';
import ChevronDown from 'lucide-react/icons/chevron-down';
import { Suspense, useState } from 'react';
import { profileQuery } from '../../session/profile-query.ts';
import { type SessionUser, useSession } from '../../session/session.ts';
import { Button } from '../../ui/forms/button.tsx';
import { Avatar } from '../../ui/layout/avatar.tsx';
import { Skeleton } from '../../ui/status/loader.tsx';
import { classNames } from '../../ui/styles/class-names.ts';
import { lazyPart, WidgetBoundary } from '../../ui/widget.tsx';
import styles from './account-menu.module.css';
import { useDisclosure } from './use-disclosure.ts';

const load = () => import('./account-menu-panel.tsx');
const AccountMenuPanel = lazyPart(async () => (await load()).AccountMenuPanel);

export interface AccountMenuProps {
  user: SessionUser;
  /** The list of a narrow screen is open, and with it this menu. */
  isListOpen: boolean;
}

export function AccountMenu({ user, isListOpen }: AccountMenuProps) {
  const { data: profile } = useQuery(profileQuery(user));
  const { isOpen, setOpen, root, button, id } = useDisclosure<HTMLDivElement>();
  const name = profile?.full_name || user.fullName || user.email || 'Your account';
  const person = { name, email: user.email, avatarUrl: profile?.avatar_url ?? null };
  return (
    <div ref={root} className={styles.menu}>
      <button
        ref={button}
        type="button"
        className={styles.opener}
        aria-label="Account menu"
        aria-expanded={isOpen}
        aria-controls={id}
        // The panel's code is there before the click ends.
        onPointerEnter={() => void load().catch(() => undefined)}
        onClick={() => setOpen(!isOpen)}
      >
        <Avatar url={person.avatarUrl} name={name} size="small" />
        <ChevronDown size={15} aria-hidden="true" />
      </button>
      <div id={id} className={classNames(styles.panel, isOpen && styles.panelOpen)}>
        {(isOpen || isListOpen) && (
          <>
            <WidgetBoundary name="your account’s links" isHeaded>
              <Suspense fallback={<Skeleton className={styles.waiting} />}>
                <AccountMenuPanel person={person} />
              </Suspense>
            </WidgetBoundary>
            <SignOut />
          </>
        )}
      </div>
    </div>
  );
}

/** Not part of the panel's code: it works even if that could not be loaded. */
function SignOut() {
  const { signOut } = useSession();
  const [isLeaving, setLeaving] = useState(false);
  const leave = async () => {
    setLeaving(true);
    await signOut();
    setLeaving(false);
  };
  return (
    <Button isBusy={isLeaving} onClick={() => void leave()}>
      Sign Out
    </Button>
  );
}
