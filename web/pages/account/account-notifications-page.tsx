/** A placeholder (R-ACCOUNT-21). */
export default function AccountNotificationsPage() {
  return (
    <>
      <h1>Notifications</h1>
      <p className="muted">Notification settings coming soon...</p>
    </>
  );
}
