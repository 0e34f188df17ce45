import { ProfileContent } from '../../features/account/profile/profile-content.tsx';

export default function AccountProfilePage() {
  return (
    <>
      <h1>Profile</h1>
      <ProfileContent />
    </>
  );
}
