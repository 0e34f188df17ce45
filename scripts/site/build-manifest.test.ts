import { expect, test } from 'vitest';
import { stylesInOrder } from './build-manifest.ts';

test('lists the styles of a page’s parts before its own, each once', () => {
  const manifest = {
    'index.html': { file: 'index.js', imports: ['_button'], css: ['index.css'] },
    _button: { file: 'button.js', css: ['button.css'] },
    _badge: { file: 'badge.js', imports: ['_button'], css: ['badge.css'] },
    'pages/home-page.tsx': { file: 'home.js', imports: ['_badge', '_button', 'index.html'], css: ['home.css'] },
  };

  expect(stylesInOrder(manifest, ['index.html', 'pages/home-page.tsx'])).toEqual([
    'button.css',
    'index.css',
    'badge.css',
    'home.css',
  ]);
});
