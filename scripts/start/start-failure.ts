import { SigningKeysMissing } from '../../server/backend/auth/keys/keys.ts';
import { ProjectRefused } from '../../server/backend/hosted/hosted.ts';
import { SettingsRefused } from '../../server/platform/config/config.ts';
import { MigrationRefused } from '../../server/platform/database/migration-files.ts';
import { DataFolderInUse } from '../../server/platform/database/pglite/data-lock.ts';
import { PushKeysUnusable } from '../../server/push/push-keys.ts';
import { SiteUnbuilt } from '../site/build-site.ts';

/** Their messages explain what to do, so no stack is shown. */
const PLAIN = [
  SettingsRefused,
  DataFolderInUse,
  SigningKeysMissing,
  ProjectRefused,
  PushKeysUnusable,
  MigrationRefused,
  SiteUnbuilt,
];

/** @param port  the setting, if any @returns one sentence for an expected failure, else the stack */
export function explainStartFailure(error: unknown, port: string | undefined): string {
  if (!(error instanceof Error)) return String(error);
  if (PLAIN.some((kind) => error instanceof kind)) return error.message;
  if ('code' in error && error.code === 'EADDRINUSE')
    return `Port ${port ?? '3000'} is already in use. Stop the process that uses it, or set PORT to another port.`;
  if ('code' in error && error.code === 'EACCES' && 'syscall' in error && error.syscall === 'listen')
    return `This user may not use port ${port ?? '3000'}. Set PORT to another port, such as 3000.`;
  if ('code' in error && String(error.code).startsWith('ERR_PARSE_ARGS'))
    return `${error.message.split('.')[0]}. The only option is --demo. For everything else, see the settings in .env.example.`;
  return error.stack ?? error.message;
}
