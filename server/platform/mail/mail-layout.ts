/**
 * Renders an email's content as plain text and as HTML in the site's style. It has no product-specific text: the brand
 * is a parameter. Values may hold any text, because they are escaped here.
 */
import type { MailBlock, MailBrand, MailContent } from './mail-content.ts';
import { mailHtml } from './mail-html.ts';

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
  if (!/^https?:$/.test(URL.parse(url)?.protocol ?? '')) throw new Error('A mail links to web pages alone.');
}
