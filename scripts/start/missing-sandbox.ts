/** Refuses a start that may use the sandbox where it is not installed: production installs leave it out. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Config, SettingsRefused } from '../../server/platform/config/config.ts';
import { ROOT } from '../site/site-cache.ts';

/** The folder, which the image leaves out, and one of its packages, which `npm ci --omit=dev` leaves out. */
const PARTS = ['sandbox', 'node_modules/oidc-provider'];

/** @throws SettingsRefused saying which setting needs the sandbox and how to install it */
export function refuseMissingSandbox(
  config: Pick<Config, 'isProduction' | 'allowSandboxInProduction'>,
  root = ROOT,
): void {
  if (config.isProduction && !config.allowSandboxInProduction) return;
  if (PARTS.every((part) => existsSync(join(root, part)))) return;
  const why = config.isProduction ? 'ALLOW_SANDBOX_IN_PRODUCTION=1' : 'Every start but one with NODE_ENV=production';
  throw new SettingsRefused(
    `${why} needs the sandbox, which this production install does not include. Use a checkout of the repository with all packages installed (npm ci).`,
  );
}
