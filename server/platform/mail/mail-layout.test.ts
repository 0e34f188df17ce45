/** Checks that an email's text and HTML contain the same, whatever its values are. */
import { expect, test } from 'vitest';
import { layOutMail, type MailBlock, type MailBrand } from './mail-layout.ts';

const BRAND: MailBrand = { name: 'Brand', markHtml: '<i class="mark"></i>', footer: ['First line', 'Second line'] };
const layOut = (...blocks: MailBlock[]) => layOutMail({ subject: 'Subject', preheader: 'Preview', blocks }, BRAND);
const buttonTo = (url: string): MailBlock => ({ kind: 'button', label: 'Go', url, alternative: 'Or open:' });

test('puts every block and the footer into the text in order', () => {
  const { text } = layOut(
    { kind: 'heading', text: 'Heading' },
    { kind: 'paragraph', text: 'Paragraph.' },
    { kind: 'code', label: 'Your code', code: '123456' },
    buttonTo('https://kat.test/a?b=1&c=2'),
    {
      kind: 'facts',
      rows: [
        { label: 'Tax', value: '$1.00' },
        { label: 'Paid', value: '$5.00' },
      ],
    },
    { kind: 'footnote', text: 'Footnote.' },
  );

  expect(text).toBe(
    [
      'Heading',
      'Paragraph.',
      'Your code\n\n    123456',
      'Go:\nhttps://kat.test/a?b=1&c=2',
      'Tax: $1.00\nPaid: $5.00',
      'Footnote.',
      '--\nBrand\nFirst line\nSecond line\n',
    ].join('\n\n'),
  );
});

test('shows a link as a button and written out, and the code unbroken', () => {
  const { html } = layOut(buttonTo('https://kat.test/a?b=1&c=2'), { kind: 'code', label: 'Your code', code: '123456' });

  const escaped = 'https://kat.test/a?b=1&#38;c=2';
  expect(html.split(`href="${escaped}"`)).toHaveLength(3);
  expect(html).toContain(`>${escaped}</a>`);
  expect(html).toContain('>123456</td>');
  expect(html).toContain('<i class="mark"></i>');
});

test('makes HTML for mail programs: both themes, a preview, and nothing to run or load', () => {
  const { html } = layOut({ kind: 'paragraph', text: 'x' });

  expect(html).toContain('<meta name="color-scheme" content="light dark">');
  expect(html).toContain('@media (prefers-color-scheme:dark)');
  expect(html).toMatch(/display:none[^>]*>Preview</);
  expect(html).not.toMatch(/<script|<img|<link|url\(|@import|\son\w+=/i);
});

test.each<[string, MailBlock]>([
  ['a heading', { kind: 'heading', text: evil() }],
  ['a paragraph', { kind: 'paragraph', text: evil() }],
  ['a code', { kind: 'code', label: evil(), code: evil() }],
  ['a fact', { kind: 'facts', rows: [{ label: evil(), value: evil() }] }],
  ['a footnote', { kind: 'footnote', text: evil() }],
  ['a button', { ...buttonTo(`https://kat.test/?q=${evil()}`), label: evil(), alternative: evil() } as MailBlock],
])('escapes markup in %s', (_what, block) => {
  const { html, text } = layOut(block);

  expect(html).not.toMatch(/<script|<\/style><b>|"onmouseover=/);
  expect(html).toContain('&#60;script&#62;');
  expect(text).toContain(evil());
});

test('escapes markup in the subject, the preview and the brand', () => {
  const content = { subject: evil(), preheader: evil(), blocks: [] };

  const { html } = layOutMail(content, { name: evil(), markHtml: '', footer: [evil()] });

  expect(html).not.toContain('<script');
  expect(html.split('&#60;script&#62;')).toHaveLength(6);
});

test.each(['javascript:alert(1)', 'data:text/html,x', 'mailto:a@b.c', '/relative', ''])(
  'refuses a button to %s',
  (url) => {
    expect(() => layOut(buttonTo(url))).toThrow('only link to web pages');
  },
);

function evil(): string {
  return `</style><b>"onmouseover='x' <script>alert(1)</script> & done`;
}
