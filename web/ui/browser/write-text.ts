/**
 * For figures that are written straight into the page. It changes the text node that is there, because a new one would
 * restyle its element too; a browser's translation may have replaced it by other elements.
 */
export function writeText(element: Element | null | undefined, text: string): void {
  const shown = element?.firstChild;
  if (!(shown instanceof Text)) element?.replaceChildren(text);
  else if (shown.nodeValue !== text) shown.nodeValue = text;
}
