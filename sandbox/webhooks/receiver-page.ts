/** A page of the received webhooks. */
import { escapeHtml } from '#domain/format/escape-html.ts';
import { parsedJson } from '#domain/format/parsed-json.ts';
import { zonedSecond } from '#domain/format/zoned-time.ts';
import { PAGE_STYLE, sandboxPage } from '../page-shell.ts';

export interface ReceivedWebhook {
  /** The last part of the address. */
  name: string;
  event: string;
  signature: string;
  body: string;
  atMs: number;
}

export const RECEIVER_PATH = '/dev/webhooks';
export const STYLE_PATH = '/dev/webhooks/webhooks.css';

/** @param received  oldest first @param base  address of the receiver, to which a name is added */
export function receiverPage(received: readonly ReceivedWebhook[], base: string): string {
  const items = received.toReversed().map(itemOf).join('\n');
  const list = received.length === 0 ? '<p class="muted">No requests yet.</p>' : `<ol>\n${items}\n</ol>`;
  return sandboxPage({
    title: 'Sandbox webhook receiver',
    note: 'no request leaves this machine',
    stylePath: STYLE_PATH,
    backPath: '/account/security#webhooks',
    main: `<p class="muted">Send webhooks to <code>${escapeHtml(base)}mine</code>. The names broken, slow, deleted, redirect, hangs-up and echo answer as broken receivers do.</p>
${list}`,
  });
}

function itemOf({ name, event, signature, body, atMs }: ReceivedWebhook): string {
  const json = parsedJson(body);
  const text = json === undefined ? body : JSON.stringify(json, null, 2);
  const facts = `${zonedSecond(atMs, 'UTC')}, at ${escapeHtml(name)}, Kat-Signature: ${escapeHtml(signature)}`;
  return `<li><h2>${escapeHtml(event)}</h2><p class="muted">${facts}</p><pre>${escapeHtml(text)}</pre></li>`;
}

export const STYLE = `${PAGE_STYLE}pre { margin: 0; padding: 8px 12px; overflow-x: auto; background: light-dark(#eceff3, #14181d); font-size: 12px; }
code { font-size: 13px; }
`;
