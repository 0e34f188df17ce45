import type { RoleChange, RoleOutcome } from './stores/admin-role-store.ts';

export interface RoleMessage {
  isOk: boolean;
  lines: string[];
}

const ROLE_NOW = {
  changed: { admin: 'an admin now', other: 'no longer an admin' },
  unchanged: { admin: 'already an admin; nothing was changed', other: 'not an admin; nothing was changed' },
} as const;

export function describeRoleChange({ account, role }: RoleChange, outcome: RoleOutcome): RoleMessage {
  switch (outcome.kind) {
    case 'unknown':
      return {
        isOk: false,
        lines: [`There is no account ${account}. Create it on the site first, then run this again.`],
      };
    case 'several':
      return {
        isOk: false,
        lines: [
          `Several accounts have the address ${account}. Use the id of one of them instead:`,
          ...outcome.ids.map((id) => `  ${id}`),
        ],
      };
    case 'changed':
    case 'unchanged': {
      const name = outcome.email ?? outcome.id;
      const line = `${name} is ${ROLE_NOW[outcome.kind][role === 'admin' ? 'admin' : 'other']}.`;
      const isDoubtful = role === 'admin' && !outcome.isConfirmed;
      return {
        isOk: true,
        lines: [
          line,
          ...(isDoubtful ? ['Its address is not confirmed, so someone else may have created this account.'] : []),
        ],
      };
    }
  }
}
