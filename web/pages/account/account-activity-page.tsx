/** A placeholder (R-ACCOUNT-21). */
export default function AccountActivityPage() {
  return (
    <>
      <h1>Activity</h1>
      <p className="muted">Activity log coming soon...</p>
    </>
  );
}
