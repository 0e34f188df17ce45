import type { RoleChange, RoleOutcome } from './stores/admin-role-store.ts';

export interface RoleMessage {
  isOk: boolean;
  lines: string[];
}

export function describeRoleChange({ account, role }: RoleChange, outcome: RoleOutcome): RoleMessage {
  switch (outcome.kind) {
    case 'unknown':
      return {
        isOk: false,
        lines: [`There is no account ${account}. Make it on the site first, then run this again.`],
      };
    case 'several':
      return {
        isOk: false,
        lines: [
          `Several accounts have the address ${account}. Name one by its id:`,
          ...outcome.ids.map((id) => `  ${id}`),
        ],
      };
    case 'changed':
    case 'unchanged': {
      const name = outcome.email ?? outcome.id;
      const before = outcome.kind === 'unchanged' ? ' already; nothing was changed' : '';
      const said =
        role === 'admin' ? `${name} is an admin${before || ' now'}.` : `${name} is no admin${before || ' any more'}.`;
      const isDoubtful = role === 'admin' && !outcome.isConfirmed;
      return {
        isOk: true,
        lines: [
          said,
          ...(isDoubtful ? ['Its address is not confirmed: someone else may have made the account with it.'] : []),
        ],
      };
    }
  }
}
