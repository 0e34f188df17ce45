/**
 * The system's Chromium for browser tests: found, or installed from Debian where that is possible. The build without a
 * window's parts is preferred: the same pages cost it a fifth less of a processor.
 */
import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';
import { installDebianPackages } from './debian-packages.ts';

const WINDOWLESS = '/usr/bin/chromium-headless-shell';
const WHOLE = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

function findAmong(places: readonly (string | undefined)[]): string | null {
  return places.find((path) => path !== undefined && path !== '' && existsSync(path)) ?? null;
}

/** The one that people use, for measurements of what they get. @throws Error that says what to install */
export function ensureChromium(): string {
  const find = () => findAmong([process.env.CHROMIUM_PATH, ...WHOLE]);
  if (find() === null) installDebianPackages(['chromium']);
  const found = find();
  if (found === null) {
    throw new Error('Browser tests need Chromium: install it (Debian: apt-get install chromium) or set CHROMIUM_PATH.');
  }
  return found;
}

function findTestBrowser(): string | null {
  return findAmong([process.env.CHROMIUM_PATH, WINDOWLESS, ...WHOLE]);
}

/** For tests: the lighter build, installed where that is possible, else the whole one. @throws Error that says what to install */
export function ensureTestBrowser(): string {
  if (findAmong([process.env.CHROMIUM_PATH, WINDOWLESS]) === null) installDebianPackages(['chromium-headless-shell']);
  return findTestBrowser() ?? ensureChromium();
}

/** A headless browser that asks nothing of the outside network. */
export async function launchChromium(): Promise<Browser> {
  const browser = await chromium.launch({
    // What could be installed was, before the first test; a file run by itself takes what is there.
    executablePath: findTestBrowser() ?? ensureTestBrowser(),
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      // Pages of tests live for seconds: their scripts end before optimising them would have paid. And threads that
      // compile and collect beside a page pay where processors are idle, which none is during tests.
      '--js-flags=--no-opt,--single-threaded',
    ],
  });
  // What moves by itself is drawn sixty times a second in every page that waits. Tests of motion ask for it: a context
  // has a preference of its own, whatever the browser was told.
  const newContext = browser.newContext.bind(browser);
  browser.newContext = (options) => newContext({ reducedMotion: 'reduce', ...options });
  return browser;
}
