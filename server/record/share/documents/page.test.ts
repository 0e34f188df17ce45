import { expect, test } from 'vitest';
import { forecastContent, forecastSubject } from '../testing/view-fixtures.ts';
import { forecastEmbed } from './embed.ts';
import { forecastPage } from './page.ts';
import { documentStyle } from './style.ts';

const subject = forecastSubject();
const content = forecastContent(subject);
const NO_LONGER = 'The candles before it are no longer stored.';
const draw = (view: Parameters<typeof forecastPage>[0]) => [
  forecastPage(view, subject.id ?? '', { origin: 'https://kat.example', style: '', script: '/script.js' }),
  forecastEmbed(view, { origin: 'https://kat.example', style: '' }),
];
const joins = (html: string) => [...html.matchAll(/data-join="([\d.]+)"/g)].map(([, x]) => Number(x));

test('gives the chart of an old forecast the place of the candles that are no longer stored, and says so', () => {
  const whole = draw({ ...subject, state: 'known', content });
  const old = draw({ ...subject, state: 'known', content: { ...content, history: [] } });

  for (const [i, html] of old.entries()) {
    expect(html).toContain(NO_LONGER);
    expect(whole[i]).not.toContain(NO_LONGER);
    for (const [k, join] of joins(html).entries()) expect(join).toBeLessThan((joins(whole[i] ?? '')[k] ?? 0) / 3);
    expect(joins(html)).toHaveLength(2);
  }
});

test('says on the page and in the embed when a sealed forecast opens, and draws nothing', () => {
  for (const html of draw({ ...subject, state: 'sealed', content: null })) {
    expect(html).toContain('Opens <time datetime="2025-11-12T00:51:00.000Z">12 Nov 2025, 00:51 UTC</time>');
    expect(joins(html)).toEqual([]);
  }
});

test.each(['1min', '5min', '15min'] as const)(
  'marks and names what is released within a forecast of %s',
  (timeframe) => {
    const own = forecastSubject({ timeframe });
    const barS = { '1min': 60, '5min': 300, '15min': 900 }[timeframe];
    const list = [{ atS: own.joinS + 12 * barS, kind: 'inflation', title: 'CPI m/m', name: 'US CPI <b>' }];
    const releases = { list, factor: 1.9, isComplete: true };
    const drawn = draw({ ...own, state: 'known', content: { ...forecastContent(own), releases } });
    const [page = '', embed = ''] = drawn;

    expect(page).toContain('<p class="muted">Band 1.9 times wider for US CPI &#60;b');
    expect(embed).toContain('<p class="small">Band 1.9 times wider for US CPI &#60;b');
    // Bar 12 of 50 begins 11 bars after the join; one mark in each of two drawings.
    for (const html of drawn) {
      expect(html).toMatch(/role="img" aria-label="[^"]*Band 1\.9 times wider for US CPI/);
      const steps = [...html.matchAll(/data-step="([\d.]+)"/g)].map(([, step]) => Number(step));
      const marks = [...html.matchAll(/<path class="release" d="M([\d.]+) 0V[\d.]+"\/><text/g)].map(([, x]) =>
        Number(x),
      );
      expect(marks).toHaveLength(2);
      for (const [i, x] of marks.entries()) expect(x).toBeCloseTo((joins(html)[i] ?? 0) + 11 * (steps[i] ?? 0), 0);
      expect(html).not.toContain('<b>');
    }
    expect([page, embed].map((html) => html.includes('scheduled release'))).toEqual([true, false]);
    expect(page.match(/<tr><td>12<\/td>.*?<\/tr>/)?.[0]).toContain('<td>US CPI &#60;b');
    expect(page.match(/US CPI[^<]*<\/td>/g)).toHaveLength(1);
  },
);

test('says and marks nothing where nothing is released', () => {
  for (const html of draw({ ...subject, state: 'known', content })) {
    for (const word of ['times wider', 'class="release"', 'scheduled release', '>Release<'])
      expect(html).not.toContain(word);
  }
});

test('says that releases may be unknown to a forecast without a calendar', () => {
  const releases = { list: [], factor: 1, isComplete: false };
  for (const html of draw({ ...subject, state: 'running', content: { ...content, releases } })) {
    expect(html).toContain('>Calendar missing, so releases may be unknown.</p>');
    expect(html).not.toContain('class="release"');
  }
});

test('names the script before the one that leaves room for its buttons', () => {
  const [page = ''] = draw({ ...subject, state: 'known', content });
  expect(page.indexOf('src="/script.js"')).toBeGreaterThan(0);
  expect(page.indexOf("querySelector('script[src]')")).toBeGreaterThan(page.indexOf('src="/script.js"'));
});

test('prints dark on white in either theme, with the address in place of the controls', () => {
  const [html = ''] = draw({ ...subject, state: 'known', content });
  const print = /@media print\{.*/.exec(documentStyle('page', { text: null, figures: null }))?.[0] ?? '';

  expect(html).toContain(`<p class="address">https://kat.example/f/${subject.id}</p>`);
  expect(print).toMatch(/:root:root:root\{color-scheme:light.*--ground:#fff/);
  expect(print).toMatch(/nav,#share,\.row,summary[^{]*\{display:none!important\}/);
  expect(print).toContain('.address{display:block');
});
