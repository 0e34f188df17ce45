/** A page of the received notifications. */
import * as z from 'zod/mini';
import { escapeHtml } from '#domain/format/escape-html.ts';
import { parsedJson } from '#domain/format/parsed-json.ts';
import { zonedSecond } from '#domain/format/zoned-time.ts';
import { pushMessageSchema } from '#domain/push/push-message.ts';
import { sandboxPage } from '../page-shell.ts';

export interface ReceivedPush {
  text: string;
  ttlS: number;
  urgency: string;
  atMs: number;
}

export const PUSH_PATH = '/dev/push';
export const STYLE_PATH = '/dev/push/push.css';

/** @param received  oldest first */
export function pushPage(received: readonly ReceivedPush[]): string {
  const items = received.toReversed().map(itemOf).join('\n');
  return sandboxPage({
    title: 'Sandbox push service',
    note: 'no notification leaves this machine',
    stylePath: STYLE_PATH,
    backPath: '/account/security',
    main: received.length === 0 ? '<p class="muted">No notifications yet.</p>' : `<ol>\n${items}\n</ol>`,
  });
}

function itemOf({ text, ttlS, urgency, atMs }: ReceivedPush): string {
  const message = z.safeParse(pushMessageSchema, parsedJson(text));
  const facts = `<p class="muted">${zonedSecond(atMs, 'UTC')}, valid for ${ttlS} s, urgency ${escapeHtml(urgency)}</p>`;
  if (!message.success) return `<li><pre>${escapeHtml(text)}</pre>${facts}</li>`;
  const { title, path } = message.data;
  const link = `<a href="${escapeHtml(path)}">${escapeHtml(path)}</a>`;
  return `<li><h2>${escapeHtml(title)}</h2><p>${escapeHtml(message.data.text)}</p><p>${link}</p>${facts}</li>`;
}
