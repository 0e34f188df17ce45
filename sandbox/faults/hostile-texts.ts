import { escapeHtml } from '#domain/format/escape-html.ts';

export const HOSTILE_TEXTS: readonly string[] = [
  '<script>globalThis.hostile = true</script><b>Bold</b> & <img src=x onerror="globalThis.hostile = true">',
  'العملات المشفرة اليوم — \u202Egnp.exe txet desrever\u202C',
  'Word'.repeat(2560),
  '&lt;script&gt;globalThis.hostile = true&lt;/script&gt; &amp;amp; twice escaped',
  'javascript:globalThis.hostile=true //',
  '\u0007\u200B\u2066Controls\u2069\r\n\t and   spaces\uFEFF',
  "<![CDATA[ ]]> </title></item> {{7*7}} ' OR 1=1 --",
  `${'\u0301'.repeat(400)}Stacked \u{1F469}\u200D\u{1F469}`,
];

const TEXT_FIELD = /^(title|description|summary|content_html|name)$/i;
/** Valid in JSON, but not in PostgreSQL. */
const NUL = '\u0000';
const MAX_DEPTH = 12;

/** @returns the message with hostile texts; feeds come as text, XML or JSON, everything else as an object */
export function withHostileTexts(message: unknown): unknown {
  let turn = 0;
  const next = () => HOSTILE_TEXTS[turn++ % HOSTILE_TEXTS.length] ?? '';
  if (typeof message === 'string') {
    if (message.startsWith('{')) return JSON.stringify(withHostileValues(JSON.parse(message), 0));
    return message.replace(
      /<(title|description|summary)([^>]*)>[\s\S]*?<\/\1>/g,
      (_whole, tag: string, rest: string) => `<${tag}${rest}>${escapeHtml(withoutControls(next()))}</${tag}>`,
    );
  }
  return withHostileValues(message, 0);

  function withHostileValues(value: unknown, depth: number): unknown {
    if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return value;
    if (Array.isArray(value)) return value.map((one: unknown) => withHostileValues(one, depth + 1));
    return Object.fromEntries(
      Object.entries(value).map(([key, inner]: [string, unknown]) => [
        key,
        typeof inner === 'string' && TEXT_FIELD.test(key) ? `${next()}${NUL}` : withHostileValues(inner, depth + 1),
      ]),
    );
  }
}

/** XML cannot represent them. */
function withoutControls(text: string): string {
  return [...text].filter((character) => character >= ' ' || '\t\r\n'.includes(character)).join('');
}
