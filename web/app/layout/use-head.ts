/** Updates the document's head on navigation within the site; documents from the server already have it. */
import { useEffect, useRef } from 'react';
import { useLocation } from 'react-router';
import { headOf } from '#domain/site/page-head.ts';
import { pageState } from '../../page-state.ts';

export function useHead(): void {
  const { pathname } = useLocation();
  const isFirst = useRef(true);
  useEffect(() => {
    const { title, description, canonicalPath } = headOf(pathname);
    document.title = title;
    // The first document already has its head, with the server's public origin.
    if (isFirst.current) {
      isFirst.current = false;
      return;
    }
    write('meta', 'name', 'description', { content: description });
    write('meta', 'name', 'robots', canonicalPath === null ? { content: 'noindex' } : null);
    write('link', 'rel', 'canonical', canonicalPath === null ? null : { href: originKnownBy() + canonicalPath });
  }, [pathname]);
}

/** @param attributes  null removes the element from this page */
function write(tag: string, key: string, value: string, attributes: Record<string, string> | null): void {
  const found = document.head.querySelector(`${tag}[${key}="${value}"]`);
  if (attributes === null) {
    found?.remove();
    return;
  }
  const element = found ?? document.head.appendChild(document.createElement(tag));
  for (const [name, text] of Object.entries({ [key]: value, ...attributes })) element.setAttribute(name, text);
}

const site = pageState<{ origin: string | null }>(() => ({ origin: null }));

function originKnownBy(): string {
  const named = document.head.querySelector<HTMLLinkElement>('link[rel="canonical"]');
  site().origin ??= named === null ? null : new URL(named.href).origin;
  return site().origin ?? window.location.origin;
}
