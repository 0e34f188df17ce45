/** A page of the received notifications. It has no inline script or style, as the site's policy demands. */

import * as z from 'zod/mini';
import { escapeHtml } from '#domain/format/escape-html.ts';
import { parsedJson } from '#domain/format/parsed-json.ts';
import { zonedSecond } from '#domain/format/zoned-time.ts';
import { pushMessageSchema } from '#domain/push/push-message.ts';

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
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="dark light">
<title>Sandbox push service</title>
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<link rel="stylesheet" href="${STYLE_PATH}">
<script src="/theme.js"></script>
</head>
<body>
<header><h1>Sandbox push service <span>- no notification leaves this machine</span></h1><a href="/account/security">Back to the site</a></header>
<main>
${received.length === 0 ? '<p class="muted">No notifications yet.</p>' : `<ol>\n${items}\n</ol>`}
</main>
</body>
</html>
`;
}

function itemOf({ text, ttlS, urgency, atMs }: ReceivedPush): string {
  const message = z.safeParse(pushMessageSchema, parsedJson(text));
  const facts = `<p class="muted">${zonedSecond(atMs, 'UTC')}, valid for ${ttlS} s, urgency ${escapeHtml(urgency)}</p>`;
  if (!message.success) return `<li><pre>${escapeHtml(text)}</pre>${facts}</li>`;
  const { title, path } = message.data;
  const link = `<a href="${escapeHtml(path)}">${escapeHtml(path)}</a>`;
  return `<li><h2>${escapeHtml(title)}</h2><p>${escapeHtml(message.data.text)}</p><p>${link}</p>${facts}</li>`;
}

export const STYLE = `:root {
  color-scheme: dark light;
  --ground: light-dark(#f6f7f9, #0b0d10);
  --line: light-dark(#dfe3e8, rgb(255 255 255 / 9%));
  --text: light-dark(#12161b, #e8ebef);
  --muted: light-dark(#566170, #9aa4af);
  --accent: light-dark(#8f5f00, #f2b441);
}
:root[data-theme="dark"] { color-scheme: dark; }
:root[data-theme="light"] { color-scheme: light; }
body { margin: 0; background: var(--ground); color: var(--text); font: 14px / 1.5 "Inter Variable", system-ui, sans-serif; overflow-wrap: anywhere; }
h1, h2, p, ol { margin: 0; padding: 0; }
h1 { font-size: 16px; }
h1 span, .muted { color: var(--muted); font-weight: 400; }
h2 { font-size: 14px; }
a { color: var(--accent); }
header { display: flex; flex-wrap: wrap; gap: 8px 16px; justify-content: space-between; padding: 16px 24px; border-bottom: 1px solid var(--line); }
main { max-width: 760px; padding: 16px 24px; }
li { display: grid; gap: 4px; padding: 12px 0; border-bottom: 1px solid var(--line); list-style: none; }
`;
