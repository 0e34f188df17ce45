/** The system's Chromium for browser tests: found, or installed from Debian where that is possible. */
import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';
import { installDebianPackages } from './debian-packages.ts';

const PLACES = [
  process.env.CHROMIUM_PATH,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

export function findChromium(): string | null {
  return PLACES.find((path) => path !== undefined && path !== '' && existsSync(path)) ?? null;
}

/** @throws Error that says what to install */
export function ensureChromium(): string {
  const found = findChromium();
  if (found !== null) return found;
  installDebianPackages(['chromium']);
  const installed = findChromium();
  if (installed === null) {
    throw new Error('Browser tests need Chromium: install it (Debian: apt-get install chromium) or set CHROMIUM_PATH.');
  }
  return installed;
}

/** A headless browser that asks nothing of the outside network. */
export function launchChromium(): Promise<Browser> {
  return chromium.launch({
    executablePath: ensureChromium(),
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      // Pages of tests live for seconds: their scripts end before optimising them would have paid.
      '--js-flags=--no-opt',
    ],
  });
}
