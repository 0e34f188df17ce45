/** The generator's own theme in Kat's colours and fonts. */
import type { Theme } from 'vitepress';
import DefaultTheme from 'vitepress/theme-without-fonts';
import { h, type VNode } from 'vue';
import './docs.css';
import { movedTo } from './moved-anchors.ts';

const THEME_KEY = 'darkMode';

/** The same key as the site's own switch. Storage may be blocked: then the choice lasts for this page. */
function toggleTheme(): void {
  const root = document.documentElement;
  const isDark = root.dataset.theme !== 'dark';
  root.dataset.theme = isDark ? 'dark' : 'light';
  try {
    localStorage.setItem(THEME_KEY, String(isDark));
  } catch {}
}

function themeButton(): VNode {
  return h('button', {
    type: 'button',
    class: 'docs-theme',
    'aria-label': 'Dark or light theme',
    onClick: toggleTheme,
  });
}

/** It leaves the documentation, so the browser loads a whole page. */
function siteLink(): VNode {
  return h('a', { href: '/', target: '_self', class: 'docs-site' }, 'Open Kat');
}

const theme: Theme = {
  extends: DefaultTheme,
  enhanceApp() {
    // Also runs where pages are written, without a browser.
    const to = typeof location === 'undefined' ? null : movedTo(location);
    if (to !== null) location.replace(to);
  },
  Layout: () =>
    h(DefaultTheme.Layout, null, {
      'nav-bar-content-after': () => h('div', { class: 'docs-actions' }, [siteLink(), themeButton()]),
      'nav-screen-content-after': () => h('div', { class: 'docs-actions' }, [siteLink(), themeButton()]),
    }),
};

export default theme;
