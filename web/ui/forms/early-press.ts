/**
 * Opens a pre-rendered list after hydration if the user clicked it before. web/begin.js remembers the last one clicked.
 */

/** True once for the list that was clicked too early. */
export function takePress(id: string): boolean {
  const { dataset } = document.documentElement;
  if (dataset.pressed !== id) return false;
  delete dataset.pressed;
  return true;
}
