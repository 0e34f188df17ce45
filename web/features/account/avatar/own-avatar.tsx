import { useEntitlement } from '../../../session/entitlement.ts';
import { useSession } from '../../../session/session.ts';
import { Avatar, type AvatarProps } from '../../../ui/layout/avatar.tsx';

export function OwnAvatar(props: Pick<AvatarProps, 'size' | 'className'>) {
  const { user } = useSession();
  const { profile } = useEntitlement();
  const name = profile?.full_name ?? user?.fullName ?? user?.email ?? '';
  return <Avatar url={profile?.avatar_url ?? null} name={name} {...props} />;
}
