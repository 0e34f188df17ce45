/** What a framed document of ours holds, put into the page for printing, with its own style and no other. */

/** @returns false where there is nothing to copy: not loaded, of another origin, or no article in it */
export function copyForPrint(frame: HTMLIFrameElement, into: HTMLElement): boolean {
  const framed = documentOf(frame);
  const article = framed?.querySelector('article') ?? null;
  into.toggleAttribute('data-filled', article !== null);
  if (framed === null || article === null) return false;
  // Neither its style nor its ids meet those of the page; colours come through, being named alike.
  const root = into.shadowRoot ?? into.attachShadow({ mode: 'open' });
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(rulesOf(framed));
  root.adoptedStyleSheets = [sheet];
  root.replaceChildren(document.importNode(article, true));
  return true;
}

function documentOf(frame: HTMLIFrameElement): Document | null {
  try {
    return frame.contentDocument;
  } catch {
    // Another origin's: some browsers throw where others say null.
    return null;
  }
}

function rulesOf({ styleSheets }: Document): string {
  return [...styleSheets].flatMap((sheet) => [...sheet.cssRules].map(({ cssText }) => cssText)).join('\n');
}
