import { expect, test } from 'vitest';
import { measured, themeColours } from './theme-colours.ts';

/** @param rules  a page's style sheet */
function coloursOf(...rules: string[]) {
  const style = document.createElement('style');
  style.textContent = rules.join('\n');
  document.head.append(style);
  return themeColours(document.styleSheets);
}
/** As the build writes them: without quotes and spaces. */
const LIGHT = ':root[data-theme=light]';

test('reads what each theme declares, and the rest from the theme below it', () => {
  const themes = coloursOf(
    ':root { --ground: #000000; --text: #ffffff; --up: #00ff00; color: red }',
    `${LIGHT} { --ground: #ffffff; --text: #000000 }`,
    ':root[data-palette="colour-blind"] { --up: #0000ff }',
    `${LIGHT}[data-palette="colour-blind"] { --up: #000099 }`,
    'body { --ground: #123456 }',
    '@media print { :root { --ground: #654321 } }',
  );

  expect(themes.map(({ name, colours: { ground, text, up } }) => [name, ground, text, up])).toEqual([
    ['Dark', '#000000', '#ffffff', '#00ff00'],
    ['Light', '#ffffff', '#000000', '#00ff00'],
    ['Dark, colour-blind', '#000000', '#ffffff', '#0000ff'],
    ['Light, colour-blind', '#ffffff', '#000000', '#000099'],
  ]);
  expect(Object.keys(themes[0]?.colours ?? {})).toEqual(['ground', 'text', 'up']);
});

test('writes out colours that the build shortened', () => {
  const [dark] = coloursOf(':root { --ground: #fA0; --line: rgb(255 255 255 / 8%) }');

  expect(dark?.colours).toEqual({ ground: '#ffAA00', line: 'rgb(255 255 255 / 8%)' });
});

test('measures a colour on the ground where it is hardest to read, and a text on its fill', () => {
  const [dark] = coloursOf(
    `:root { --ground: #000000; --surface: #777777; --raised: #000000; --sunken: #000000; --text: #ffffff;
      --control-line: #ffffff; --accent-fill: #ffffff; --on-accent: #000000 }`,
  );
  const swatches = measured(dark ?? expect.fail('no theme'));
  const swatch = (name: string) => swatches.find((each) => each.name === name);

  expect(swatch('text')).toMatchObject({ value: '#ffffff', ground: '#777777', needed: 4.5 });
  // On black it would be 21.
  expect(swatch('text')?.worst).toBeCloseTo(4.48, 2);
  expect(swatch('control-line')?.needed).toBe(3);
  expect(swatch('on-accent')).toEqual({
    name: 'on-accent',
    value: '#000000',
    ground: '#ffffff',
    worst: 21,
    needed: 4.5,
  });
});

test('takes a colour that a theme lacks for black, so that it fails its need', () => {
  const [dark] = coloursOf(':root { --ground: #000000; --surface: #000000 }');
  const text = measured(dark ?? expect.fail('no theme')).find(({ name }) => name === 'text');

  expect(text).toMatchObject({ value: '', worst: 1, needed: 4.5 });
});
