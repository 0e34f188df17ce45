/** /account/notifications. */
import { BeingBuiltText } from '../ui/being-built.tsx';

export default function AccountNotificationsPage() {
  return <BeingBuiltText heading="Notifications" text="Notification settings coming soon..." />;
}
