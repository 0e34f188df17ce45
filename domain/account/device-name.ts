/**
 * What a device calls itself, in words. Browsers tell little and mimic each other: the first rule that fits names it, and
 * versions, which most of them freeze, are left out. A tablet of Apple's says that it is a Mac.
 */

export interface DeviceName {
  /** 'Chrome on Windows' */
  words: string;
  kind: 'computer' | 'phone' | 'tablet' | 'program' | 'unknown';
}

type Rule = readonly [pattern: RegExp, name: string];

/** Those that name others beside themselves come before them. */
const BROWSERS: readonly Rule[] = [
  [/\bEdg(e|A|iOS)?\//, 'Edge'],
  [/\b(OPR|OPiOS|OPT|Opera)\b/, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\bYaBrowser\//, 'Yandex Browser'],
  [/\bVivaldi\//, 'Vivaldi'],
  [/\b(DuckDuckGo|Ddg)\//, 'DuckDuckGo'],
  [/\b(Firefox|FxiOS|Focus)\//, 'Firefox'],
  [/\b(HeadlessChrome|Chromium|Chrome|CriOS)\//, 'Chrome'],
  [/\bVersion\/.*\bSafari\//, 'Safari'],
];

/** Android says Linux too, and phones of Apple's say Mac OS X. */
const SYSTEMS: readonly Rule[] = [
  [/\b(iPhone|iPod)\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bMac(intosh| OS X)\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
];

/** `curl/8.5.0`, `node`: programs name themselves first, browsers all begin with 'Mozilla'. */
const PROGRAM = /^(?!Mozilla\b)([A-Za-z][\w.+-]{0,39})(?=[/\s(]|$)/;

/** @param userAgent  the header as it came: anybody may have written anything there */
export function deviceName(userAgent: string | null): DeviceName {
  const text = userAgent?.trim() ?? '';
  const browser = firstOf(BROWSERS, text);
  const system = firstOf(SYSTEMS, text);
  if (browser === null) {
    const program = PROGRAM.exec(text)?.[1];
    if (program !== undefined) return { words: `${program} (a program)`, kind: 'program' };
    if (system === null) return { words: 'Unknown device', kind: 'unknown' };
  }
  const words = system === null ? `${browser}` : `${browser ?? 'A browser'} on ${system}`;
  return { words, kind: kindOf(text, system) };
}

function firstOf(rules: readonly Rule[], text: string): string | null {
  return rules.find(([pattern]) => pattern.test(text))?.[1] ?? null;
}

function kindOf(text: string, system: string | null): DeviceName['kind'] {
  if (system === 'iPad') return 'tablet';
  if (system === 'iPhone') return 'phone';
  // Phones say 'Mobile', tablets do not.
  if (system === 'Android') return /\bMobile\b/.test(text) ? 'phone' : 'tablet';
  return system === null ? 'unknown' : 'computer';
}
