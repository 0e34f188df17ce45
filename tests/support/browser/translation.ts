import type { Page } from 'playwright-core';

/**
 * Translates pages as Chrome does: it replaces every text node with two nested `<font>` elements, also of what appears
 * later. The words stay, so that a test still finds them. Elements marked `translate="no"` are left alone.
 * @param from  the event from which on it translates
 */
export async function translatePages(page: Page, from: 'load' | 'DOMContentLoaded' = 'load'): Promise<void> {
  await page.addInitScript((begins) => {
    const translate = (text: Text): void => {
      const { parentElement: parent, data } = text;
      if (parent === null || data.trim() === '') return;
      if (parent.closest('font, script, style, textarea, svg, title, [translate="no"], .notranslate') !== null) return;
      const inner = Object.assign(document.createElement('font'), { textContent: data });
      const outer = document.createElement('font');
      for (const font of [inner, outer]) font.style.verticalAlign = 'inherit';
      outer.append(inner);
      text.replaceWith(outer);
    };
    const translateIn = (root: Node): void => {
      const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
      const found: Text[] = [];
      for (let node = texts.nextNode(); node !== null; node = texts.nextNode())
        if (node instanceof Text) found.push(node);
      for (const text of found) translate(text);
    };
    addEventListener(begins, () => {
      translateIn(document.body);
      new MutationObserver((changes) => {
        for (const { target } of changes) translateIn(target.parentNode ?? target);
      }).observe(document.body, { childList: true, subtree: true, characterData: true });
    });
  }, from);
}
