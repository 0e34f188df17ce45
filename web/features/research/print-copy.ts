/** Copies a framed document of ours into the page for printing, with only its own style. */

/** @returns false if there is nothing to copy: not loaded, of another origin, or without an article */
export function copyForPrint(frame: HTMLIFrameElement, into: HTMLElement): boolean {
  const framed = documentOf(frame);
  const article = framed?.querySelector('article') ?? null;
  into.toggleAttribute('data-filled', article !== null);
  if (framed === null || article === null) return false;
  // A shadow root isolates its style and ids from the page's; colour variables of the same name still apply.
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
    // Another origin's document: some browsers throw instead of returning null.
    return null;
  }
}

function rulesOf({ styleSheets }: Document): string {
  return [...styleSheets].flatMap((sheet) => [...sheet.cssRules].map(({ cssText }) => cssText)).join('\n');
}
