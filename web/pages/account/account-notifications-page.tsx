/** /account/notifications: a placeholder in the words of specification 1, section 2. */
export default function AccountNotificationsPage() {
  return (
    <>
      <h1>Notifications</h1>
      <p className="muted">Notification settings coming soon...</p>
    </>
  );
}
