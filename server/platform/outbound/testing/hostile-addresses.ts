/**
 * Addresses that strangers may supply and no request may reach. One list for everything that calls such addresses: the
 * guards of fetches and posts, webhooks, and push messages.
 */

/** Numeric addresses that aren't public. A name may lead to them, too. */
export const PRIVATE_ADDRESSES = [
  // This machine.
  ...['127.0.0.1', '127.8.9.1', '0.0.0.0', '0.1.2.3', '::1', '::'],
  // Its network, and its provider's.
  ...['10.1.2.3', '172.16.0.1', '172.31.255.255', '192.168.1.1', '100.64.0.1', '169.254.169.254', '169.254.170.2'],
  ...['fe80::1', 'fec0::1', 'fc00::1', 'fd00::1', 'fd00:ec2::254'],
  // Given to no one, for documents, benchmarks, and for many receivers.
  ...['192.0.0.1', '192.0.2.1', '192.88.99.1', '198.18.0.1', '198.51.100.1', '203.0.113.1', '224.0.0.1', '240.0.0.1'],
  ...['255.255.255.255', '100::1', '100:0:0:1::1', '2001:db8::1', '3fff::1', '4000::1', '5f00::1', 'ff02::1'],
  // IPv4 addresses within IPv6: mapped, compatible, translated, by 6to4 and by Teredo.
  ...['::ffff:10.0.0.1', '::ffff:127.0.0.1', '0:0:0:0:0:ffff:7f00:1', '::7f00:1', '::127.0.0.1', '::a00:1'],
  ...[
    '::ffff:0:7f00:1',
    '64:ff9b::7f00:1',
    '64:ff9b::a9fe:a9fe',
    '64:ff9b:1::7f00:1',
    '2002:7f00:1::',
    '2001:0:7f00:1::',
  ],
] as const;

export const PUBLIC_ADDRESSES = ['8.8.8.8', '1.1.1.1', '172.32.0.1', '2606:4700::1', '2a00:1450::1', '::ffff:8.8.8.8'];

/** What reads as `https` to a private address, in each way of writing it that URLs allow. */
const PRIVATE_URLS = [
  ...PRIVATE_ADDRESSES.map((address) => `https://${address.includes(':') ? `[${address}]` : address}/`),
  'https://2130706433/',
  'https://0x7f000001/',
  'https://0x7f.1/',
  'https://0177.0.0.1/',
  'https://017700000001/',
  'https://127.1/',
  'https://127.0.0.1./',
  'https://%31%32%37.0.0.1/',
  'https://１２７.０.０.１/',
  'https://127。0。0。1/',
  'https://[::ffff:7f00:1]/',
  'https:127.0.0.1/',
  'https:\\\\127.0.0.1\\',
  'https://8.8.8.8@127.0.0.1/',
  'https://127.0.0.1/#@hooks.example.com',
  'https://127.0.0.1?@hooks.example.com',
  'https://169.254.169.254/latest/meta-data/',
] as const;

/** Names that are known to be local before they are looked up. */
export const LOCAL_URLS = [
  'https://localhost/',
  'https://LOCALHOST./',
  'https://a.localhost/',
  'https://printer.local/',
  'https://metadata.google.internal/',
  'https://router.home.arpa/',
  'https://intranet/',
] as const;

/** With the login of an address, which would be sent to whatever it leads to. */
const LOGIN_URLS = ['https://user:secret@hooks.example.com/', 'https://user@hooks.example.com/', 'https://:x@8.8.8.8/'];

const OTHER_SCHEMES = [
  'http://hooks.example.com/',
  'http://127.0.0.1:9/',
  'file:///etc/passwd',
  'ftp://hooks.example.com/',
  'gopher://hooks.example.com/_x',
  'data:text/plain,x',
  'javascript:alert(1)',
  'unix:/var/run/docker.sock',
  'ws://hooks.example.com/',
] as const;

const NO_URLS = [
  '',
  'no address',
  'https://',
  'https:///',
  '//hooks.example.com/',
  'https://[fe80::1%25eth0]/',
  'https://a b/',
];

/** Refused before anything is looked up or connected to, by every guard. */
export const HOSTILE_URLS: readonly string[] = [...PRIVATE_URLS, ...LOGIN_URLS, ...OTHER_SCHEMES, ...NO_URLS];

/** Refused too where only the port of https may be called: our server would scan them for anyone. */
export const OTHER_PORTS = [1, 22, 25, 80, 3306, 5432, 6379, 8443, 65_535].map(
  (port) => `https://hooks.example.com:${port}/`,
);
