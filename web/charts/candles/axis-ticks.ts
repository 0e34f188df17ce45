/** Labels of the price axis: a label that a coloured tag would half cover is blanked; its grid line stays. */

/** Height of a tag, and of a tick's label with some padding, CSS pixels at 12 px type. */
const TAG_PX = 20;
const TICK_PX = 18;

/**
 * @param labels  of the ticks
 * @param tickYs  position of each, CSS pixels from the top; null if unknown
 * @param tagYs   centres of the tags; the axis moves touching tags apart, so their reach is larger
 * @returns the labels, empty where a tag overlaps
 */
export function ticksBesideTags(
  labels: readonly string[],
  tickYs: readonly (number | null)[],
  tagYs: readonly number[],
): string[] {
  const reaches = tagYs.map((y, i) => {
    const isMoved = tagYs.some((other, j) => j !== i && Math.abs(other - y) < TAG_PX);
    return { y, px: (TAG_PX + TICK_PX) / 2 + (isMoved ? TAG_PX / 2 : 0) };
  });
  return labels.map((label, i) => {
    const tickY = tickYs[i] ?? null;
    return tickY !== null && reaches.some(({ y, px }) => Math.abs(y - tickY) < px) ? '' : label;
  });
}
