/** Installed from Debian if possible. The headless-only build is preferred: pages cost it a fifth less CPU. */
import { existsSync } from 'node:fs';
import { type Browser, type BrowserContext, chromium, type LaunchOptions, type Page } from 'playwright-core';
import { WAIT_MS } from '../run/wait-limit.ts';
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

/** The full browser that people use, for realistic measurements. @throws Error that says what to install */
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

/** For tests: the lighter build, installed if possible, else the full one. @throws Error that says what to install */
export function ensureTestBrowser(): string {
  if (findAmong([process.env.CHROMIUM_PATH, WINDOWLESS]) === null) installDebianPackages(['chromium-headless-shell']);
  return findTestBrowser() ?? ensureChromium();
}

const ARGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // Test pages live for seconds: their scripts end before optimising them pays off. Background compile and GC threads
  // need idle cores, and no core is idle during tests.
  '--js-flags=--no-opt,--single-threaded',
];

/** A headless browser that sends no requests to outside networks. */
function launchOptions(): LaunchOptions {
  // The test runner installs Chromium before the first test; a single file takes the installed one.
  return { executablePath: findTestBrowser() ?? ensureTestBrowser(), args: ARGS };
}

/** Of this test worker: a start costs a fifth of a second of CPU, and a file needs only contexts. */
let ofWorker: Promise<Browser> | null = null;

/**
 * In a test worker: its browser, of which closing closes only the contexts, because the next file uses it too. Each
 * worker has one, because all messages of a browser that workers share pass through another process. Elsewhere: a new
 * browser.
 */
export async function launchChromium(): Promise<Browser> {
  if (process.env.VITEST === undefined) return forTests(await chromium.launch(launchOptions()));
  if (ofWorker === null || !(await ofWorker).isConnected()) ofWorker = launchForWorker();
  return ofWorker;
}

async function launchForWorker(): Promise<Browser> {
  // The test runner handles signals; the browser ends with its process.
  const signals = { handleSIGINT: false, handleSIGTERM: false, handleSIGHUP: false };
  const browser = forTests(await chromium.launch({ ...launchOptions(), ...signals }));
  browser.close = async (reason) => {
    const options = reason?.reason === undefined ? {} : { reason: reason.reason };
    await Promise.all(browser.contexts().map((context) => context.close(options)));
  };
  return browser;
}

/** @returns the worker's pages, oldest first */
export async function openPages(): Promise<Page[]> {
  return (await ofWorker)?.contexts().flatMap((context) => context.pages()) ?? [];
}

const errors = new WeakMap<Page, string[]>();

/** @returns what the page's scripts and its console reported as errors, oldest first */
export const errorsOf = (page: Page): readonly string[] => errors.get(page) ?? [];

function recordErrors(page: Page): void {
  const lines: string[] = [];
  errors.set(page, lines);
  page.on('pageerror', ({ message }) => lines.push(message));
  page.on('console', (message) => {
    if (message.type() === 'error') lines.push(`${message.text()} ${message.location().url}`.trim());
  });
}

function forTests(browser: Browser): Browser {
  // Animations repaint every waiting page sixty times a second, so contexts prefer reduced motion. Tests of motion turn
  // it on, because a context overrides what the browser was launched with.
  const newContext = browser.newContext.bind(browser);
  browser.newContext = async (options) => {
    const context = await newContext({ reducedMotion: 'reduce', ...options });
    context.on('page', recordErrors);
    context.setDefaultTimeout(WAIT_MS);
    const close = context.close.bind(context);
    context.close = async (reason) => {
      await ignoreRoutes(context);
      await close(reason);
    };
    return context;
  };
  const close = browser.close.bind(browser);
  browser.close = async (reason) => {
    await Promise.all(browser.contexts().map(ignoreRoutes));
    await close(reason);
  };
  return browser;
}

/** A request that a test's handler is still answering must not fail the next test: its answer is lost with the page. */
async function ignoreRoutes(context: BrowserContext): Promise<void> {
  const routed = [context, ...context.pages()];
  // One that is closed already has no routes.
  await Promise.allSettled(routed.map((one) => one.unrouteAll({ behavior: 'ignoreErrors' })));
}
