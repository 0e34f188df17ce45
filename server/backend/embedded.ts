import type { Core } from '../core.ts';
import { closeAll } from '../platform/close-all.ts';
import type { Config } from '../platform/config/config.ts';
import type { Bus } from '../platform/processes/bus.ts';
import { captchaCheck } from './auth/captcha.ts';
import { startExpirySweep } from './auth/expiry-sweep.ts';
import { readSamlProviders } from './auth/extensions/organisations/saml-providers.ts';
import { followKeyFile } from './auth/keys/key-rotation.ts';
import { openSigningKeys } from './auth/keys/keys.ts';
import { tokenVerifier } from './auth/keys/token-verifier.ts';
import { openPasswords } from './auth/passwords/passwords.ts';
import { openProviders, type ProviderSettings, pictureFetch } from './auth/providers/providers.ts';
import type { Backend } from './backend.ts';
import { backendRoutes, NO_ACCOUNT_PARTS } from './backend-routes.ts';
import { clientAddressBehind } from './client-address.ts';
import { type RateLimits, rateLimits } from './limits.ts';
import { startProviderPictures } from './provider-pictures.ts';
import { openCatalogue } from './rest/catalogue.ts';
import { openStoredFiles } from './storage/files/stored-files.ts';
import { pictures } from './storage/images.ts';
import { startFileSweep } from './storage/sweep.ts';

export interface BackendParts extends Pick<Core, 'database' | 'clock' | 'log'> {
  config: Config;
  /** Connects the other processes; absent: there are none. */
  bus?: Bus | undefined;
  providers?: ProviderSettings | undefined;
  limits?: RateLimits | undefined;
  /** bcrypt's cost; default: the product's own. Tests that create many accounts lower it. */
  passwordCost?: number | undefined;
}

/** @throws SigningKeysMissing in production without keys; SettingsRefused for an invalid file of organisations */
export async function openEmbeddedBackend(parts: BackendParts): Promise<Backend> {
  const { config, database, clock, log } = parts;
  const { samlProvidersFile } = config.accounts;
  const saml = samlProvidersFile === null ? null : await readSamlProviders(samlProvidersFile);
  const keys = await openSigningKeys(config.dataDir, { mayMake: !config.isProduction });
  const verifier = tokenVerifier(keys, database, clock, parts.bus);
  const catalogue = await openCatalogue(database);
  const passwords = openPasswords({ log, cost: parts.passwordCost });
  const stopExpiry = startExpirySweep({ database, clock, log });
  const files = openStoredFiles(config);
  const stopFileSweep = startFileSweep({ database, files, log });
  const stopFollowing = followKeyFile({ keys, log });
  const providers = parts.providers ?? config.accounts;
  const fetch = pictureFetch(providers);
  const { publicUrl } = config;
  const copying = await startProviderPictures({ database, files, pictures: pictures(), fetch, log, publicUrl });
  return {
    routes: backendRoutes({
      database,
      clock,
      log,
      keys,
      verifier,
      limits: parts.limits ?? rateLimits(),
      passwords,
      catalogue,
      files,
      accounts: {
        ...NO_ACCOUNT_PARTS,
        settings: { isConfirmationRequired: config.accounts.isConfirmationRequired },
        redirectAllowList: config.accounts.redirectAllowList,
        captcha: config.accounts.captcha === null ? null : captchaCheck(config.accounts.captcha),
        providers: openProviders(providers),
        saml,
      },
      allowedOrigins: config.allowedOrigins,
      publicUrl: config.publicUrl,
      clientAddress: clientAddressBehind(config.trustedProxies),
    }),
    verifier,
    get anonKey() {
      return keys.anonKey;
    },
    readiness: [],
    accounts: {
      isPassword: (password, storedHash, requester) => passwords.matches(password, storedHash, requester),
      removeFile: (version) => files.remove(version),
    },
    hashBacklog: passwords.backlog,
    close: () =>
      closeAll([
        stopFollowing,
        stopExpiry,
        stopFileSweep,
        () => copying.close(),
        () => passwords.close(),
        () => files.close(),
        () => catalogue.close(),
      ]),
  };
}
