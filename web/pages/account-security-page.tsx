/** /account/security. */
import { SecurityFacts } from '../features/account/account-facts.tsx';
import { BeingBuiltText } from '../ui/being-built.tsx';

export default function AccountSecurityPage() {
  return (
    <>
      <BeingBuiltText
        heading="Security"
        text="This page is being built. Your rights over your data and how to use them follow."
      />
      <SecurityFacts />
    </>
  );
}
