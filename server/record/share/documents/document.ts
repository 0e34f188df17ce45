/** What all documents of a forecast have in common: head, marks, and the policy of what a browser may do with them. */
import { hash } from 'node:crypto';
import { escapeHtml } from '#domain/format/escape-html.ts';
import { MARK_GRID, MARK_STROKE, MARKS } from '#domain/picture/mark-shapes.ts';

/**
 * Before the first frame: which buttons the page's script will add, so that the style leaves room for them, and the
 * theme, from the site's own setting. It follows the element of the page's script.
 */
export const THEME_SCRIPT =
  "try{let d=document.documentElement;if(document.querySelector('script[src]'))d.dataset.can='run'+(navigator.clipboard?' copy':'')+(navigator.share?' share':'');let t=localStorage.getItem('darkMode');if(t)d.dataset.theme=t==='false'?'light':'dark';else d.dataset.theme=matchMedia('(prefers-color-scheme: light)').matches?'light':'dark';if(localStorage.getItem('colourBlind')==='true')d.dataset.palette='colour-blind'}catch{}";

export interface DocumentParts {
  title: string;
  /** HTML. */
  head: string;
  style: string;
  body: string;
}

export function documentHtml({ title, head, style, body }: DocumentParts): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="dark light"><title>${escapeHtml(title)}</title>${head}<style>${style}</style></head><body>${body}</body></html>`;
}

/** A meta element; `name` for most, `property` for Open Graph. */
export function meta(kind: 'name' | 'property', key: string, value: string): string {
  return `<meta ${kind}="${key}" content="${escapeHtml(value)}">`;
}

export function katMark(px: number): string {
  const shapes = MARKS.kat.map(({ d, width, isFilled }) => {
    const pen = width === undefined ? '' : ` stroke-width="${width}"`;
    return `<path d="${d}"${pen}${isFilled ? ' fill="currentColor"' : ''}/>`;
  });
  return `<svg width="${px}" height="${px}" viewBox="0 0 ${MARK_GRID} ${MARK_GRID}" fill="none" stroke="currentColor" stroke-width="${MARK_STROKE}" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true">${shapes.join('')}</svg>`;
}

const sourceOf = (text: string): string => `'sha256-${hash('sha256', text, 'base64')}'`;

/** Only this page's style, our own scripts, and no page around it. */
export function pagePolicy(style: string): string {
  return [
    "default-src 'none'",
    `script-src 'self' ${sourceOf(THEME_SCRIPT)}`,
    `style-src ${sourceOf(style)}`,
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    "frame-ancestors 'none'",
    "form-action 'none'",
    "base-uri 'none'",
  ].join('; ');
}

/**
 * An embed runs nothing and sends nothing: any page may show it, and a hostile one gains nothing. Its sandbox gives it its
 * own origin. Automatic features are allowed with scripts alone, and without them it could not renew itself.
 */
export function embedPolicy(style: string): string {
  return [
    "default-src 'none'",
    `style-src ${sourceOf(style)}`,
    'frame-ancestors *',
    "form-action 'none'",
    "base-uri 'none'",
    'sandbox allow-scripts allow-popups allow-popups-to-escape-sandbox',
  ].join('; ');
}
