/** The frame of the small pages under /dev. It has no inline script or style, as the site's policy demands. */
import { escapeHtml } from '#domain/format/escape-html.ts';

export interface SandboxPage {
  title: string;
  /** Follows the title: what does not leave this machine. */
  note: string;
  stylePath: string;
  /** The page's own script; absent: none. */
  scriptPath?: string;
  /** Of the site, for the link back. */
  backPath: string;
  /** HTML. */
  main: string;
}

export function sandboxPage({ title, note, stylePath, scriptPath, backPath, main }: SandboxPage): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="dark light">
<title>${escapeHtml(title)}</title>
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<link rel="stylesheet" href="${stylePath}">
<script src="/theme.js"></script>
${scriptPath === undefined ? '' : `<script src="${scriptPath}" type="module"></script>\n`}</head>
<body>
<header><h1>${escapeHtml(title)} <span>- ${escapeHtml(note)}</span></h1><a href="${backPath}">Back to the site</a></header>
<main>
${main}
</main>
</body>
</html>
`;
}

export const PAGE_STYLE = `:root {
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
