/** /account/activity. */
import { BeingBuiltText } from '../ui/being-built.tsx';

export default function AccountActivityPage() {
  return <BeingBuiltText heading="Activity" text="Activity log coming soon..." />;
}
