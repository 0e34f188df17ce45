import { ProfileContent } from '../../features/account/profile/profile-content.tsx';
import { useSession } from '../../session/session.ts';
import { lazyWidget } from '../../ui/widget.tsx';
import styles from './account-profile-page.module.css';

const SignInMethods = lazyWidget(
  'Sign-in methods',
  async () => (await import('../../features/account/sign-in-methods/sign-in-methods-panel.tsx')).SignInMethodsPanel,
  styles.methods,
);

export default function AccountProfilePage() {
  const { user } = useSession();
  return (
    <>
      <h1>Profile</h1>
      <ProfileContent />
      {/* A different user starts with fresh state. */}
      {user !== null && (
        <div className={styles.panel}>
          <SignInMethods key={user.id} userId={user.id} />
        </div>
      )}
    </>
  );
}
