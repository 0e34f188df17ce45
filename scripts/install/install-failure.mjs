/** What to do after an installation that failed, by the code that npm prints. */

/** @type {readonly [RegExp, (root: string) => string][]} */
const KNOWN = [
  [
    /ENOSPC|EDQUOT/,
    (root) =>
      `The disk is full. The packages need 900 MB in ${root} and 400 MB in npm's cache. Free some space, or move the cache: npm_config_cache=FOLDER npm start`,
  ],
  [
    /EROFS|EACCES|EPERM/,
    (root) =>
      `The folder ${root} or npm's cache cannot be written by this user. Make both writable, or copy the repository to a folder of yours and start it there.`,
  ],
  [
    /ETIMEDOUT|EIDLETIMEOUT|ERR_SOCKET_TIMEOUT|ESOCKETTIMEDOUT|ECONNRESET/,
    () =>
      'The package registry or the proxy in front of it answers too slowly. Try again: what has arrived is in npm’s cache. `npm config get registry` and `npm config get proxy` name both.',
  ],
  [
    /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ENETUNREACH|EHOSTUNREACH|ENOTCACHED/,
    () =>
      'The package registry is unreachable. Check the network and the proxy: `npm config get registry` and `npm config get proxy` name both.',
  ],
  [
    /\bE(?:401|403|404|407)\b/,
    () =>
      'The package registry refuses a package. Check your access: `npm config get registry` names the registry that is used.',
  ],
  [
    /CERT|SELF_SIGNED|UNABLE_TO_(?:GET|VERIFY)/,
    () => 'The certificate of the package registry or the proxy is not trusted. Set `npm config set cafile FILE`.',
  ],
  [
    /EINTEGRITY/,
    () =>
      'A package differs from the locked one. Empty npm’s cache (`npm cache clean --force`) and try again; if it stays, do not trust the registry.',
  ],
  [
    /EUSAGE/,
    () =>
      'package.json and package-lock.json do not agree. Restore both (`git checkout package.json package-lock.json`), or run `npm install` after a change of your own.',
  ],
];

/**
 * @param {string} output  npm's standard error
 * @param {string} root  the repository's folder
 * @returns {string} a sentence for a known failure, else the output and where to look
 */
export function explainInstallFailure(output, root) {
  const codes = [...output.matchAll(/npm (?:error|ERR!) (?:code|errno) (\S+)/g)].map(([, code]) => code).join(' ');
  const known = KNOWN.find(([pattern]) => pattern.test(codes));
  if (known === undefined) return `${output.trim()}\nThe packages could not be installed: npm's lines above say why.`;
  return `The packages could not be installed (${codes.split(' ')[0]}). ${known[1](root)}`;
}
