/** /account/activity: a placeholder in the words of specification 1, section 2. */
export default function AccountActivityPage() {
  return (
    <>
      <h1>Activity</h1>
      <p className="muted">Activity log coming soon...</p>
    </>
  );
}
