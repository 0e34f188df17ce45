/** /change-log: what changed, newest first. */
import { BeingBuilt } from '../ui/being-built.tsx';

export default function ChangeLogPage() {
  return <BeingBuilt heading="Change Log" text="This page is being built. It will list what changed, newest first." />;
}
