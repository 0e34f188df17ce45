/** First segments of paths that answer JSON and are never a page. */
const API_ROOTS = new Set([
  'auth',
  'rest',
  'storage',
  'functions',
  'history',
  'market',
  'markets',
  'stream-kat2',
  'forecast',
  'chances',
  'api',
  'mcp',
  'fng',
  '0',
  'products',
  'dev',
  'discord',
  'healthz',
  'readyz',
  'metrics',
  'config.json',
  'models.json',
  'site.json',
  'news',
  'record',
  'push',
  'donations',
  'simulator-pictures',
  'billing',
  'test-payments',
  'f',
  'embed',
  'oembed',
]);

/** /auth/v1 is the auth service; /auth/signin and its siblings are pages. */
export function isApiPath(path: string): boolean {
  const [, first = '', second = ''] = path.split('/');
  return first === 'auth' ? second === 'v1' : API_ROOTS.has(first);
}
