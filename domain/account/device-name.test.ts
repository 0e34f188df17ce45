import fc from 'fast-check';
import { expect, test } from 'vitest';
import { deviceName } from './device-name.ts';

const WEBKIT = 'AppleWebKit/537.36 (KHTML, like Gecko)';
const IPHONE = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)';

test.each([
  [
    'Chrome on Windows',
    'computer',
    `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${WEBKIT} Chrome/142.0.0.0 Safari/537.36`,
  ],
  [
    'Edge on Windows',
    'computer',
    `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${WEBKIT} Chrome/142.0.0.0 Safari/537.36 Edg/142.0.0.0`,
  ],
  [
    'Opera on macOS',
    'computer',
    `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${WEBKIT} Chrome/140.0.0.0 Safari/537.36 OPR/124.0.0.0`,
  ],
  [
    'Safari on macOS',
    'computer',
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15',
  ],
  ['Firefox on Linux', 'computer', 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0'],
  [
    'Chrome on ChromeOS',
    'computer',
    `Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${WEBKIT} Chrome/142.0.0.0 Safari/537.36`,
  ],
  ['Chrome on Linux', 'computer', `Mozilla/5.0 (X11; Linux x86_64) ${WEBKIT} HeadlessChrome/142.0.0.0 Safari/537.36`],
  ['Safari on iPhone', 'phone', `${IPHONE} Version/18.5 Mobile/15E148 Safari/604.1`],
  ['Chrome on iPhone', 'phone', `${IPHONE} CriOS/142.0.7444.46 Mobile/15E148 Safari/604.1`],
  ['Firefox on iPhone', 'phone', `${IPHONE} FxiOS/145.0 Mobile/15E148 Safari/605.1.15`],
  [
    'Safari on iPad',
    'tablet',
    'Mozilla/5.0 (iPad; CPU OS 16_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/16.6 Mobile/15E148 Safari/604.1',
  ],
  ['Chrome on Android', 'phone', `Mozilla/5.0 (Linux; Android 10; K) ${WEBKIT} Chrome/142.0.0.0 Mobile Safari/537.36`],
  ['Chrome on Android', 'tablet', `Mozilla/5.0 (Linux; Android 10; K) ${WEBKIT} Chrome/142.0.0.0 Safari/537.36`],
  [
    'Samsung Internet on Android',
    'phone',
    `Mozilla/5.0 (Linux; Android 10; K) ${WEBKIT} SamsungBrowser/28.0 Chrome/130.0.0.0 Mobile Safari/537.36`,
  ],
  ['Unknown browser on Windows', 'computer', 'Mozilla/5.0 (Windows NT 6.1; Trident/7.0; rv:11.0) like Gecko'],
  ['Firefox', 'unknown', 'Mozilla/5.0 (X11; Haiku x86_64; rv:145.0) Gecko/20100101 Firefox/145.0'],
  ['curl (API client)', 'program', 'curl/8.5.0'],
  ['node (API client)', 'program', 'node'],
  ['python-requests (API client)', 'program', 'python-requests/2.32.3'],
  ['Unknown device', 'unknown', 'Mozilla/5.0'],
  ['Unknown device', 'unknown', '"><script>alert(1)</script>'],
  ['Unknown device', 'unknown', '   '],
  ['Unknown device', 'unknown', null],
] as const)('names %s (%s)', (label, kind, userAgent) => {
  expect(deviceName(userAgent)).toEqual({ label, kind });
});

test('names any device briefly', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 2000 }), (userAgent) => {
      const { label } = deviceName(userAgent);

      expect(label.length).toBeGreaterThan(3);
      expect(label.length).toBeLessThan(60);
    }),
  );
});
