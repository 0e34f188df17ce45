/** Replaces the running part of the page with the server's newest, which is the same for all readers. */

const RENEW_MS = 15_000;
const PART = 'forecast';

/** @param onRenewed  after the part was replaced */
export function renewWhileRunning(page: Document, onRenewed: () => void): void {
  const isOver = (): boolean => ['known', 'void'].includes(page.getElementById(PART)?.dataset.state ?? 'void');
  const renew = async (): Promise<void> => {
    const response = await fetch(page.location.pathname, { headers: { accept: 'text/html' } });
    // Its owner may have stopped sharing it.
    if (response.status === 404) return page.location.reload();
    if (!response.ok) return;
    const next = new DOMParser().parseFromString(await response.text(), 'text/html').getElementById(PART);
    const shown = page.getElementById(PART);
    if (next === null || shown === null || next.innerHTML === shown.dataset.html) return;
    next.dataset.html = next.innerHTML;
    shown.replaceWith(next);
    onRenewed();
  };
  const wait = (): void => {
    if (isOver()) return;
    setTimeout(() => {
      // A page that no one looks at is renewed when it is shown again.
      const renewed = page.hidden ? Promise.resolve() : renew().catch(() => undefined);
      void renewed.then(wait);
    }, RENEW_MS);
  };
  wait();
}
