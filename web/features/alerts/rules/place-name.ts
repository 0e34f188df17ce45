/** What the page behind an alert's link is called. */
export function placeName(path: string): string {
  return path.startsWith('/account/predictions') ? 'Your Predictions' : 'Track Record';
}
