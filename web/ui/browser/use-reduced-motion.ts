/** Whether the viewer prefers less motion; follows the setting. */
import { useMedia } from './use-media.ts';

export function useReducedMotion(): boolean {
  return useMedia('(prefers-reduced-motion: reduce)');
}
