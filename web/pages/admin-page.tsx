/** /admin: the screen itself checks the role; the server checks every call. */
import { useEntitlement } from '../session/entitlement.ts';
import { BeingBuilt } from '../ui/being-built.tsx';
import { Loader } from '../ui/loader.tsx';

export default function AdminPage() {
  const { isLoading, entitlement } = useEntitlement();
  if (isLoading) return <Loader />;
  if (!entitlement.isAdmin) return <BeingBuilt heading="Admin" text="Not authorized." />;
  return (
    <BeingBuilt
      heading="Admin Dashboard"
      text="Overview of users and predictions. This page is being built: its figures and its table follow."
    />
  );
}
