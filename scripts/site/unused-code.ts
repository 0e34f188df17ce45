/**
 * Code of libraries that never runs on this site and that the bundler must keep: what a library writes on itself, or a
 * method of a class that is used. Without these the site works the same and is larger; scripts/checks/check-budgets.ts tells.
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
/** Each gives all that it has from one file; where its parts are, that file says. */
const WHOLE = {
  'lucide-react': 'lucide-react/dist/esm/lucide-react.mjs',
  '@tanstack/react-query': '@tanstack/react-query/build/modern/index.js',
  '@tanstack/query-core': '@tanstack/query-core/build/modern/index.js',
} as const;

/**
 * Asks for a part by the part's own file. Through the file that has all, every module seems to need every part, and what
 * one page needs alone would come with the first paint of each.
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

/** What a file passes on from files beside it. */
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
 * Of Downshift one hook is used. What the others write on themselves counts as an effect, and would keep all of them.
 * So do its tables of property types, which only development reads; and web/ui/forms/picker.tsx scrolls its list itself.
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
 * Links of pages that a framework renders are fetched before they are clicked; ours come by `import()`. And what the
 * library writes on its forms counts as an effect, and would keep them.
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

/** Nobody signs in here by passkey or wallet. Called none the less, what stands for them says so. */
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

/** Of what the library of accounts gives beside its client nothing is asked for; who fetches it later would fetch all. */
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
 * Wallets, passkeys, foreign tokens, codes of recovery and grants of the library of accounts, sign-in without a password,
 * identities beside the first, sessions of an address or another place (session/link-answer.ts reads addresses), and
 * everything of an administrator but the end of a session: what calls them hears so.
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
        // Told only to a log that this site does not keep.
        const silent = code.replace(/^ +this\._debug\(.*\);$/gm, '');
        return { code: withoutMethods(silent, id.includes('Admin') ? ofAdmins : unused), map: null };
      },
    },
  };
}

/** Forms of answers, comparisons and searches that no page asks the tables for. */
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

/** @param code  as the compilers wrote it: a method of a class begins and ends four spaces or one tab in */
export function withoutMethods(code: string, names: RegExp): string {
  const method = new RegExp(`^( {4}|\\t)(?:async )?(${names.source})\\(.*\\) \\{\\n[^]*?^\\1\\}$`, 'gm');
  return code.replace(method, "$1$2() { throw new Error('left out by scripts/site/unused-code.ts'); }");
}
