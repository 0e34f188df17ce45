/** /account: the user's own profile. */
import { ProfileFacts } from '../features/account/account-facts.tsx';
import { BeingBuiltText } from '../ui/being-built.tsx';

export default function AccountProfilePage() {
  return (
    <>
      <BeingBuiltText heading="Profile" text="This page is being built. Editing your details and your photo follows." />
      <ProfileFacts />
    </>
  );
}
