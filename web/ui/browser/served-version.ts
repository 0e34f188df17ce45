/** Finds out whether an update of the site has replaced the page that this tab still shows. */

/** Whether the server serves this page with the same entry script, or null while it is unavailable. */
export async function servedVersion(): Promise<'same' | 'newer' | null> {
  const entry = document.querySelector<HTMLScriptElement>('script[type="module"][src]');
  try {
    const response = await fetch(window.location.pathname, { cache: 'no-store' });
    if (!response.ok) return null;
    const page = await response.text();
    return entry === null || page.includes(new URL(entry.src).pathname) ? 'same' : 'newer';
  } catch {
    return null;
  }
}

/** Never resolves: the page ends. */
export function reloadPage(): Promise<never> {
  window.location.reload();
  return new Promise(() => {});
}
