/**
 * Removes library code that never runs on this site but that the bundler must include: properties that a library sets
 * on its own functions, or methods of a class that is used. The site works the same without it;
 * scripts/checks/check-budgets.ts shows the size.
 */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Plugin } from 'vite';

export function withoutUnusedCode(): Plugin[] {
  return [
    importsOfTheirOwn(),
    oneHookOfDownshift(),
    linksInUse(),
    noPasskeys(),
    oneClient(),
    accountsInUse(),
    tablesInUse(),
  ];
}

const PACKAGES = join(import.meta.dirname, '../../node_modules');
/** Each exports everything from one file, which lists where its parts are. */
const WHOLE = {
  'lucide-react': 'lucide-react/dist/esm/lucide-react.mjs',
  '@tanstack/react-query': '@tanstack/react-query/build/modern/index.js',
  '@tanstack/query-core': '@tanstack/query-core/build/modern/index.js',
} as const;

/**
 * Imports a part from the part's own file. Through the index file every module seems to need every part, and what one
 * page needs would load with the first paint of every page.
 */
function importsOfTheirOwn(): Plugin {
  const parts = new Map(Object.entries(WHOLE).map(([name, file]) => [name, partsOf(join(PACKAGES, file))]));
  const core = parts.get('@tanstack/query-core') ?? new Map();
  for (const [name, part] of core) parts.get('@tanstack/react-query')?.set(name, part);
  const statement = /import\s*\{([^}]*)\}\s*from\s*['"]([\w@/-]+)['"];?/g;
  return {
    name: 'imports-of-their-own',
    enforce: 'pre',
    applyToEnvironment: ({ name }) => name === 'client',
    apply: 'build',
    transform: {
      filter: { id: /[\\/]web[\\/].+\.tsx?$|react-query[\\/]build[\\/]modern[\\/]\w+\.js$/ },
      handler(code) {
        const rewritten = code.replace(statement, (whole, names: string, from: string) => {
          const known = parts.get(from);
          return known === undefined ? whole : separateImports(names, from, known);
        });
        return { code: rewritten, map: null };
      },
    },
  };
}

export interface Part {
  file: string;
  /** Its name there. */
  name: string;
}

/** @param names  'a, b as c, type D' */
export function separateImports(names: string, from: string, parts: ReadonlyMap<string, Part>): string {
  return names
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '' && !name.startsWith('type '))
    .map((name) => {
      const [wanted = name, alias = wanted] = name.split(/\s+as\s+/);
      const part = parts.get(wanted);
      if (part === undefined) return `import { ${name} } from '${from}';`;
      return `import { ${part.name} as ${alias} } from '${part.file}';`;
    })
    .join(' ');
}

/** The exports that a file re-exports from neighbouring files. */
export function partsOf(index: string): Map<string, Part> {
  const parts = new Map<string, Part>();
  const passedOn = /(?:import|export) \{([^}]*)\} from ['"](\.\/[^'"]+)['"]/g;
  for (const [, names = '', path = ''] of readFileSync(index, 'utf8').matchAll(passedOn))
    for (const one of names.split(',')) {
      const [name = '', alias = name] = one.trim().split(/\s+as\s+/);
      parts.set(alias, { file: join(dirname(index), path), name });
    }
  return parts;
}

/**
 * Only one hook of Downshift is used. Properties set on the others count as side effects, which would keep all of them.
 * So do its tables of prop types, which only development reads; and web/ui/forms/picker.tsx scrolls its list itself.
 */
function oneHookOfDownshift(): Plugin {
  return {
    name: 'one-hook-of-downshift',
    apply: 'build',
    transform: {
      filter: { id: /downshift\.esm\.mjs$/ },
      handler: (code) => ({ code: oneHook(code), map: null }),
    },
  };
}

/** @param code  Downshift's one file */
export function oneHook(code: string): string {
  return code
    .replace(/^(?:useCombobox|useMultipleSelection|_useTagGroup)\.stateChangeTypes = .*;$/gm, '')
    .replace(/^var (propTypes(?:\$\d)?|dropdownPropTypes) = (?:_extends\(|\{)[\s\S]*?^\}\)?;$/gm, 'var $1 = {};')
    .replace('  scrollIntoView: scrollIntoView,\n', '');
}

/**
 * The library prefetches pages only for its framework; ours load by `import()`. And properties set on its forms count
 * as side effects, which would keep them.
 */
function linksInUse(): Plugin {
  const prefetched = /return shouldPrefetch && !isAbsolute \? .+ : link;/;
  const written = /^(?:Form|HistoryRouter|ScrollRestoration)\.displayName = .*;$/gm;
  return {
    name: 'links-in-use',
    transform: {
      filter: { id: /react-router[\\/]dist[\\/].+[\\/]dom[\\/]lib\.js$/ },
      handler(code) {
        const pure = code.replace('const Form = React', 'const Form = /* @__PURE__ */ React');
        return { code: pure.replace(prefetched, 'return link;').replace(written, ''), map: null };
      },
    },
  };
}

/** Sign-in by passkey or wallet is not offered. The replacements throw if called. */
const WITHOUT_PASSKEYS = `
const none = () => { throw new Error('left out by scripts/site/unused-code.ts'); };
export { none as createCredential, none as getCredential };
export { none as deserializeCredentialCreationOptions, none as deserializeCredentialRequestOptions };
export { none as serializeCredentialCreationResponse, none as serializeCredentialRequestResponse };
export { none as createSiweMessage, none as fromHex, none as getAddress, none as toHex };
export const browserSupportsWebAuthn = () => false;
export const webAuthnAbortService = { createNewAbortSignal: none, cancelCeremony() {} };
export class WebAuthnApi {}
`;

function noPasskeys(): Plugin {
  return {
    name: 'no-passkeys',
    transform: {
      filter: { id: /auth-js[\\/]dist[\\/]module[\\/]lib[\\/](?:webauthn|web3[\\/]ethereum)\.js$/ },
      handler: () => ({ code: WITHOUT_PASSKEYS, map: null }),
    },
  };
}

/** Only the client of the accounts library is used; importing its index later would load all of it. */
function oneClient(): Plugin {
  return {
    name: 'one-client',
    apply: 'build',
    transform: {
      filter: { id: /auth-js[\\/]dist[\\/]module[\\/]index\.js$/ },
      handler: () => ({ code: "export { default as AuthClient } from './AuthClient';", map: null }),
    },
  };
}

/**
 * Removes from the accounts library wallets, passkeys, foreign tokens, recovery codes and grants, sign-in without a
 * password, further identities, sessions from a URL or elsewhere (session/link-answer.ts reads URLs), and every admin
 * method except ending a session. The replacements throw.
 */
function accountsInUse(): Plugin {
  const unused =
    /signInWith(?:Ethereum|Solana|Web3|Passkey|IdToken|Otp|SSO)|signInAnonymously|fetchJwk|getClaims|\w*Passkeys?\w*|\w*Authorization\w*|\w*OAuthGrants?|\w*RecoveryCodes?\w*|_?reauthenticate|_?setSession|_getSessionFromURL|getUserIdentities|(?:un)?linkIdentity\w*|_getAuthenticatorAssuranceLevel/;
  const ofAdmins =
    /\w*(?:User|Users|UserById|UserByEmail|Link|Factors?|OAuthClients?|OAuthClientSecret|CustomProviders?|Passkeys?)/;
  return {
    name: 'accounts-in-use',
    transform: {
      filter: { id: /auth-js[\\/]dist[\\/]module[\\/]GoTrue(?:Admin|Client)\w*\.js$/ },
      handler(code, id) {
        // Debug logging, which this site does not use.
        const silent = code.replace(/^ +this\._debug\(.*\);$/gm, '');
        return { code: withoutMethods(silent, id.includes('Admin') ? ofAdmins : unused), map: null };
      },
    },
  };
}

/** Response formats, comparisons and searches that no page requests from the tables. */
function tablesInUse(): Plugin {
  const unused =
    /csv|geojson|explain|rollback|maxAffected|stripNulls|i?like(?:All|Any)Of|regexI?Match|isDistinct|notIn|contains|containedBy|range(?:Gte?|Lte?|Adjacent)|overlaps|textSearch|match|schema|getOpenApiSpec/;
  return {
    name: 'tables-in-use',
    transform: {
      filter: { id: /postgrest-js[\\/]dist[\\/]index\.mjs$/ },
      handler: (code) => ({ code: withoutMethods(code, unused), map: null }),
    },
  };
}

/** @param code  compiler output, in which a class's method begins and ends with an indent of four spaces or one tab */
export function withoutMethods(code: string, names: RegExp): string {
  const method = new RegExp(`^( {4}|\\t)(?:async )?(${names.source})\\(.*\\) \\{\\n[^]*?^\\1\\}$`, 'gm');
  return code.replace(method, "$1$2() { throw new Error('left out by scripts/site/unused-code.ts'); }");
}
