/**
 * Whoever asks a drawn list to open before its part of the page is alive gets it as soon as it is. web/begin.js keeps
 * which was asked for last.
 */

/** True once for the list that was pressed too early. */
export function takePress(id: string): boolean {
  const { dataset } = document.documentElement;
  if (dataset.pressed !== id) return false;
  delete dataset.pressed;
  return true;
}
