/** Name of the page that an alert links to. */
export function placeName(path: string): string {
  return path.startsWith('/account/predictions') ? 'Your Predictions' : 'Track Record';
}
