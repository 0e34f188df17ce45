import { micromark } from 'micromark';
import { describe, expect, test } from 'vitest';
import { isCostlyMarkdown } from '#domain/community/markdown-limits.ts';
import { plainPost, postHtml } from './post-html.ts';

describe('the HTML of a post', () => {
  test('follows Markdown', () => {
    expect(postHtml('# New\n\n- **bold** [link](/kat)').html).toBe(
      '<h1>New</h1>\n<ul>\n<li><strong>bold</strong> <a href="/kat">link</a></li>\n</ul>',
    );
  });

  test.each([
    ['a script', '<script>alert(1)</script>'],
    ['a script within a line', 'x <script>alert(1)</script>'],
    ['a script across a quote', '> <script\n> src=//evil.example/x>'],
    ['a handler', '<img src=x onerror=alert(1)>'],
    ['a handler in a title', '[a](b "x\\" onmouseover=\\"alert(1)")'],
    ['a handler in an address', '[a](<" onclick="alert(1)>)'],
    ['a script in code', '```"><script>alert(1)</script>\n</code><script>x</script>\n```'],
    ['a javascript link', '[a](javascript:alert(1))'],
    ['a javascript link in disguise', '[a](JaVaScRiPt&#58;alert(1)) [b](&#x6a;avascript:alert(1)) [c](\\javascript:x)'],
    ['a javascript link by a blank', '[a](<\tjavascript:alert(1)>) [b](<java\u0000script:alert(1)>)'],
    ['a javascript link by its definition', '[a]\n\n[a]: javascript:alert(1)'],
    ['an automatic javascript link', '<javascript:alert(1)>'],
    ['a data link', '[a](data:text/html,<script>alert(1)</script>) <data:text/html,x>'],
    ['a vbscript link', '[a](vbscript:x) [b](file:///etc/passwd) [c](blob:x)'],
    ['a picture', '![a](javascript:alert(1)) ![b](data:image/svg+xml,x) ![c](https://evil.example/pixel.gif)'],
    ['a comment and a declaration', '<!-- x --> <!DOCTYPE x> <?php x ?> <![CDATA[ x ]]>'],
    ['a frame and a style', '<iframe srcdoc="<script>x</script>"></iframe>\n\n<style>*{}</style>\n\n<svg/onload=x>'],
  ])('contains nothing that could run: %s', (_what, content) => {
    const { html } = postHtml(content);
    const tags = Array.from(html.matchAll(/<[^>]*>/g), ([tag]) => tag);

    // Every remaining angle bracket belongs to a tag that Markdown made, whose address runs nothing.
    expect(html.replace(/<[^>]*>/g, '')).not.toMatch(/[<>]/);
    for (const tag of tags)
      expect(tag).toMatch(
        /^<\/?(?:p|h1|ul|li|em|strong|blockquote|pre)>$|^<code(?: class="language-[^"]*")?>$|^<\/(?:code|a)>$|^<a href="[^"]*"(?: title="[^"]*")?>$/,
      );
    for (const [, address = ''] of html.matchAll(/href="([^"]*)"/g)) {
      expect(address).toMatch(/^$|^https?:|^[^:]*$/);
      expect(address).not.toMatch(/script:|^data:/i);
    }
  });

  test('is the plain text for a text that would keep a parser busy', () => {
    const content = `${'!['.repeat(5000)}\n<b>${'](x)'.repeat(2400)}`;

    const { html } = postHtml(content);

    expect(isCostlyMarkdown(content)).toBe(true);
    expect(html).toContain('![![<br>&#60;b&#62;](x)');
    expect(html).toBe(plainPost(content).html);
  });

  // The slowest of some seventy kinds: without the limit 20,000 characters of the first take eleven seconds of CPU
  // time.
  test.each([
    ['pictures in pictures', (n: number) => '!['.repeat(n / 2) + '](x)'.repeat(n / 2)],
    ['emphasis in emphasis', (n: number) => '*a '.repeat(n / 2) + ' b*'.repeat(n / 2)],
    ['two kinds of emphasis', (n: number) => 'a_*'.repeat(n / 2)],
    ['lists in quotes, line by line', (n: number) => '- >\n'.repeat(n / 2)],
    ['headings', (n: number) => 'a\n=\n'.repeat(n / 2)],
    ['lists with links', (n: number) => '- **a** [b](c)\n'.repeat(n / 5)],
  ])('takes a bounded time: %s', (_what, make) => {
    // The largest size that is still read as Markdown.
    let marks = 2;
    while (marks < 4000 && !isCostlyMarkdown(make(marks + 2))) marks += 2;
    const hostile = make(marks).padEnd(20_000, ' words');
    expect(isCostlyMarkdown(hostile)).toBe(false);
    const plain = 'Some words that say something. '.repeat(645);
    const [baseline, worst] = [cpuMsOf(() => micromark(plain)), cpuMsOf(() => postHtml(hostile))];

    // Plain text takes 10 ms of CPU time and the worst case found 290 ms; without the limit, a thousand times as long
    // as plain text.
    expect(worst).toBeLessThan(Math.max(1500, 60 * baseline));
  });
});

describe('the title of a post', () => {
  test.each([
    ['its first heading', 'Some words\n\n## A *new* `<chart>`\n\n# Another', 'A new <chart>'],
    ['its first words without one', 'First **line**\nof two\n\nNot this', 'First line of two'],
    ['the words of a link', '[A link](https://x.example/) here', 'A link here'],
    ['the words of a list', '- one\n- two', 'one'],
    ['the character of an entity, once', '# Fish &amp; chips &amp;lt;b&gt;', 'Fish & chips &lt;b>'],
    ['HTML as it was written', '# <b>x</b>', '<b>x</b>'],
    ['what is seen', '# a\u202eb\u200bc\u2066d 👨‍👩‍👧', 'abcd 👨‍👩‍👧'],
    ['a word of ours where there is none', '***', 'Update'],
    ['one line', '# a&#10;b\u0007c', 'a b c'],
  ])('is %s', (_what, content, expected) => {
    expect(postHtml(content).title).toBe(expected);
  });

  test('is cut at the end of a word, and never within a character', () => {
    expect(postHtml(`# ${'word '.repeat(40)}`).title).toBe(`${'word '.repeat(19).trim()}…`);
    expect(postHtml(`# ${'😺'.repeat(400)}`).title).toBe(`${'😺'.repeat(99)}…`);
  });
});

/** Measures CPU time instead of wall time, because other tests run at the same time. */
function cpuMsOf(work: () => unknown): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
