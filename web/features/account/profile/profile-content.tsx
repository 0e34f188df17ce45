import type { SessionUser } from '../../../session/session.ts';
import { useSession } from '../../../session/session.ts';
import { Skeleton } from '../../../ui/status/loader.tsx';
import { ErrorState } from '../../../ui/status/state.tsx';
import { AvatarPanel } from '../avatar/avatar-panel.tsx';
import styles from './profile-content.module.css';
import { ProfileForm } from './profile-form.tsx';
import { useProfile } from './use-profile.ts';

export function ProfileContent() {
  const { user } = useSession();
  // Signing in as another user starts a fresh form.
  return user && <Content key={user.id} user={user} />;
}

function Content({ user }: { user: SessionUser }) {
  const { profile, hasFailed, isFetching, retry } = useProfile(user);
  if (hasFailed)
    return (
      <ErrorState
        title="Failed to load profile"
        text="The rest of your account still works."
        onRetry={retry}
        isRetrying={isFetching}
      />
    );
  if (profile === null)
    return (
      <div className={styles.content} role="status" aria-label="Loading your profile">
        <Skeleton className={styles.photo} />
        <Skeleton className={styles.form} />
      </div>
    );
  return (
    <div className={styles.content}>
      <AvatarPanel user={user} profile={profile} />
      <ProfileForm user={user} profile={profile} />
    </div>
  );
}
