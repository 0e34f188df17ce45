import ExternalIcon from 'lucide-react/icons/external-link';
import type { ReactNode } from 'react';
import { LinkButton, type LinkButtonProps } from '../forms/button.tsx';
import styles from './external-link.module.css';

const ELSEWHERE = { target: '_blank', rel: 'noopener noreferrer' } as const;

export interface ExternalLinkProps {
  href: string;
  className?: string | undefined;
  children: ReactNode;
}

export function ExternalLink({ href, className, children }: ExternalLinkProps) {
  return (
    <a href={href} className={className} {...ELSEWHERE}>
      {children}
      <Elsewhere className={styles.icon} />
    </a>
  );
}

export type ExternalLinkButtonProps = Omit<LinkButtonProps, 'to' | 'target' | 'rel' | 'icon'> & { href: string };

export function ExternalLinkButton({ href, children, ...rest }: ExternalLinkButtonProps) {
  return (
    <LinkButton to={href} {...rest} {...ELSEWHERE}>
      {children}
      <Elsewhere />
    </LinkButton>
  );
}

function Elsewhere({ className }: { className?: string | undefined }) {
  return (
    <>
      <ExternalIcon size={13} aria-hidden="true" className={className} />{' '}
      <span className="visually-hidden">(opens in a new tab)</span>
    </>
  );
}
