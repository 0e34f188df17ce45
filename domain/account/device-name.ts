/** A device's name from its user agent, without versions. Browsers mimic each other: the first rule that fits wins. */

export interface DeviceName {
  /** 'Chrome on Windows' */
  label: string;
  kind: 'computer' | 'phone' | 'tablet' | 'program' | 'unknown';
}

type Rule = readonly [pattern: RegExp, name: string];

/** Browsers whose user agent also names another browser come before that one. */
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

/** Android's user agent also says Linux, and an iPhone's also says Mac OS X. */
const SYSTEMS: readonly Rule[] = [
  [/\b(iPhone|iPod)\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bMac(intosh| OS X)\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
];

/** `curl/8.5.0`, `node`: programs put their name first, while browsers all begin with 'Mozilla'. */
const PROGRAM = /^(?!Mozilla\b)([A-Za-z][\w.+-]{0,39})(?=[/\s(]|$)/;

export function deviceName(userAgent: string | null): DeviceName {
  const text = userAgent?.trim() ?? '';
  const browser = firstOf(BROWSERS, text);
  const system = firstOf(SYSTEMS, text);
  if (browser === null) {
    const program = PROGRAM.exec(text)?.[1];
    if (program !== undefined) return { label: `${program} (API client)`, kind: 'program' };
    if (system === null) return { label: 'Unknown device', kind: 'unknown' };
  }
  const label = system === null ? `${browser}` : `${browser ?? 'Unknown browser'} on ${system}`;
  return { label, kind: kindOf(text, system) };
}

function firstOf(rules: readonly Rule[], text: string): string | null {
  return rules.find(([pattern]) => pattern.test(text))?.[1] ?? null;
}

function kindOf(text: string, system: string | null): DeviceName['kind'] {
  if (system === 'iPad') return 'tablet';
  if (system === 'iPhone') return 'phone';
  // Phones include 'Mobile', tablets do not.
  if (system === 'Android') return /\bMobile\b/.test(text) ? 'phone' : 'tablet';
  return system === null ? 'unknown' : 'computer';
}
