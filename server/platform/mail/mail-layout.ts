/** Renders an email as plain text and as HTML. Values may hold any text, because they are escaped here. */
import { escapeHtml } from '#domain/format/escape-html.ts';

/** @throws Error for a button whose address is not a web page */
export function layOutMail(content: MailContent, brand: MailBrand): { text: string; html: string } {
  for (const block of content.blocks) if (block.kind === 'button') requireWebAddress(block.url);
  const footer = ['--', brand.name, ...brand.footer].join('\n');
  return {
    text: `${[...content.blocks.map(blockText), footer].join('\n\n')}\n`,
    html: mailHtml(content, brand),
  };
}

function blockText(block: MailBlock): string {
  switch (block.kind) {
    case 'code':
      return `${block.label}\n\n    ${block.code}`;
    case 'button':
      return `${block.label}:\n${block.url}`;
    case 'facts':
      return block.rows.map(({ label, value }) => `${label}: ${value}`).join('\n');
    default:
      return block.text;
  }
}

function requireWebAddress(url: string): void {
  if (!/^https?:$/.test(URL.parse(url)?.protocol ?? '')) throw new Error('An email may only link to web pages.');
}

export type MailBlock =
  | { kind: 'heading'; text: string }
  | { kind: 'paragraph'; text: string }
  /** Shown large, to be typed or copied. */
  | { kind: 'code'; label: string; code: string }
  /** A button, with its address written out below for email clients that show no buttons. */
  | { kind: 'button'; label: string; url: string; alternative: string }
  /** Rows of labels and values; the last row is the total. */
  | { kind: 'facts'; rows: readonly MailFact[] }
  | { kind: 'footnote'; text: string };

export interface MailFact {
  label: string;
  value: string;
}

export interface MailBrand {
  name: string;
  /** Our own HTML, not escaped. The classes `accent-border` and `accent-fill` apply the accent color in both themes. */
  markHtml: string;
  footer: readonly string[];
}

interface MailContent {
  subject: string;
  /** Shown beside the subject in an inbox list. */
  preheader: string;
  blocks: readonly MailBlock[];
}

interface Colours {
  ground: string;
  surface: string;
  sunken: string;
  line: string;
  text: string;
  muted: string;
  accent: string;
  onAccent: string;
}

const LIGHT: Colours = {
  ground: '#f6f7f9',
  surface: '#ffffff',
  sunken: '#f6f7f9',
  line: '#dfe3e8',
  text: '#12161b',
  muted: '#566170',
  accent: '#8f5f00',
  onAccent: '#ffffff',
};

const DARK: Colours = {
  ground: '#0b0d10',
  surface: '#12151a',
  sunken: '#0b0d10',
  line: '#272b31',
  text: '#e8ebef',
  muted: '#9aa4af',
  accent: '#f2b441',
  onAccent: '#1b1302',
};

const FONTS = "Inter,system-ui,-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";
const FIGURES = "'JetBrains Mono',ui-monospace,'SF Mono',Menlo,Consolas,monospace";
const WIDTH_PX = 600;

const DARK_STYLES = [
  `.ground{background:${DARK.ground}!important}`,
  `.card{background:${DARK.surface}!important;border-color:${DARK.line}!important}`,
  `.code{background:${DARK.sunken}!important;border-color:${DARK.line}!important;color:${DARK.text}!important}`,
  `.rule{border-color:${DARK.line}!important}`,
  `.text{color:${DARK.text}!important}`,
  `.muted{color:${DARK.muted}!important}`,
  `.link{color:${DARK.accent}!important}`,
  `.button{background:${DARK.accent}!important;color:${DARK.onAccent}!important}`,
  `.accent-border{border-color:${DARK.accent}!important}`,
  `.accent-fill{background:${DARK.accent}!important}`,
].join('');

const STYLES = [
  ':root{color-scheme:light dark;supported-color-schemes:light dark}',
  `.accent-border{border-color:${LIGHT.accent}}.accent-fill{background:${LIGHT.accent}}`,
  `@media (max-width:${WIDTH_PX}px){.card{padding:24px 20px!important}.button{display:block!important}.wide{width:100%!important}}`,
  `@media (prefers-color-scheme:dark){${DARK_STYLES}}`,
].join('');

function mailHtml(content: MailContent, brand: MailBrand): string {
  const footer = [brand.name, ...brand.footer].map(escapeHtml).join('<br>');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escapeHtml(content.subject)}</title>
<style>${STYLES}</style>
</head>
<body class="ground" style="margin:0;padding:0;background:${LIGHT.ground};-webkit-text-size-adjust:100%">
<div style="display:none;max-height:0;overflow:hidden;opacity:0">${escapeHtml(content.preheader)}</div>
${table(`class="ground" width="100%" style="background:${LIGHT.ground}"`)}
<tr><td align="center" style="padding:32px 16px">
<!--[if mso]><table role="presentation" width="${WIDTH_PX}" cellpadding="0" cellspacing="0"><tr><td><![endif]-->
${table(`width="100%" style="max-width:${WIDTH_PX}px"`)}
<tr><td style="padding:0 0 16px">${brandRow(brand)}</td></tr>
<tr><td class="card" style="padding:32px;background:${LIGHT.surface};border:1px solid ${LIGHT.line};border-radius:10px">
${blocksHtml(content.blocks)}
</td></tr>
<tr><td class="muted" style="padding:16px 4px 0;${type(12, 18)}color:${LIGHT.muted}">${footer}</td></tr>
</table>
<!--[if mso]></td></tr></table><![endif]-->
</td></tr>
</table>
</body>
</html>
`;
}

/** A rule separates the first footnote from the content above it. */
function blocksHtml(blocks: readonly MailBlock[]): string {
  const firstNote = blocks.findIndex((block) => block.kind === 'footnote');
  return blocks.map((block, i) => blockHtml(block, { isFirst: i === 0, hasRule: i === firstNote && i > 0 })).join('\n');
}

function blockHtml(block: MailBlock, place: { isFirst: boolean; hasRule: boolean }): string {
  const gap = (px: number) => `margin:${place.isFirst ? 0 : px}px 0 0;`;
  switch (block.kind) {
    case 'heading':
      return `<h1 class="text" style="${gap(24)}${type(20, 28)}font-weight:600;color:${LIGHT.text}">${escapeHtml(block.text)}</h1>`;
    case 'paragraph':
      // Email addresses appear here, and a long one without breaks would widen the page beyond a phone's screen.
      return `<p class="text" style="${gap(12)}${type(16, 24)}word-break:break-word;color:${LIGHT.text}">${escapeHtml(block.text)}</p>`;
    case 'code':
      return `<p class="muted" style="${gap(24)}${type(14, 20)}color:${LIGHT.muted}">${escapeHtml(block.label)}</p>
${table('class="wide" style="margin:8px 0 0"')}<tr><td class="code" align="center" style="padding:14px 20px 14px 28px;background:${LIGHT.sunken};border:1px solid ${LIGHT.line};border-radius:6px;font-family:${FIGURES};font-size:40px;line-height:48px;font-weight:500;letter-spacing:8px;color:${LIGHT.text}">${escapeHtml(block.code)}</td></tr></table>`;
    case 'button':
      return `${table('class="wide" style="margin:24px 0 0"')}<tr><td align="center"><a class="button" href="${escapeHtml(block.url)}" style="display:inline-block;padding:12px 24px;background:${LIGHT.accent};border-radius:6px;${type(16, 24)}font-weight:500;color:${LIGHT.onAccent};text-decoration:none">${escapeHtml(block.label)}</a></td></tr></table>
<p class="muted" style="margin:16px 0 0;${type(13, 20)}color:${LIGHT.muted}">${escapeHtml(block.alternative)}<br><a class="link" href="${escapeHtml(block.url)}" style="color:${LIGHT.accent};word-break:break-all">${escapeHtml(block.url)}</a></p>`;
    case 'facts':
      return `${table('class="wide" width="100%" style="margin:24px 0 0;border-collapse:collapse"')}${block.rows.map(factHtml).join('')}</table>`;
    case 'footnote':
      return place.hasRule
        ? `<p class="muted rule" style="margin:24px 0 0;padding:16px 0 0;border-top:1px solid ${LIGHT.line};${type(13, 20)}color:${LIGHT.muted}">${escapeHtml(block.text)}</p>`
        : `<p class="muted" style="${gap(8)}${type(13, 20)}color:${LIGHT.muted}">${escapeHtml(block.text)}</p>`;
  }
}

/** A value this short stays on one line; its label takes the remaining width. */
const SHORT = 24;

/** The last row is emphasized, because it is the total of the others. */
function factHtml({ label, value }: MailFact, index: number, rows: readonly MailFact[]): string {
  const cell = `padding:8px 0;border-top:1px solid ${LIGHT.line};${type(14, 20)}vertical-align:top;`;
  const weight = index === rows.length - 1 ? 'font-weight:600;' : '';
  const wrap = value.length <= SHORT ? 'white-space:nowrap;' : 'word-break:break-word;';
  return `<tr><td class="muted rule" width="100%" style="${cell}padding-right:16px;color:${LIGHT.muted}">${escapeHtml(label)}</td><td class="text rule" align="right" style="${cell}${weight}${wrap}font-variant-numeric:tabular-nums;color:${LIGHT.text}">${escapeHtml(value)}</td></tr>`;
}

function brandRow(brand: MailBrand): string {
  return `${table('')}<tr><td style="padding:0 10px 0 4px">${brand.markHtml}</td><td class="text" style="${type(16, 24)}font-weight:600;color:${LIGHT.text}">${escapeHtml(brand.name)}</td></tr></table>`;
}

/** Used only for layout, so screen readers ignore it. */
function table(attributes: string): string {
  return `<table role="presentation" border="0" cellpadding="0" cellspacing="0" ${attributes}>`;
}

function type(sizePx: number, linePx: number): string {
  return `font-family:${FONTS};font-size:${sizePx}px;line-height:${linePx}px;`;
}
