/** Each view has one primary action; all others are secondary or quiet. */
import type { ButtonHTMLAttributes, ReactNode, Ref } from 'react';
import { Link, type LinkProps } from 'react-router';
import { Spinner } from '../status/loader.tsx';
import { classNames } from '../styles/class-names.ts';
import styles from './button.module.css';

type Variant = 'primary' | 'secondary' | 'quiet' | 'danger';
type Size = 'medium' | 'small';

interface ButtonStyle {
  variant?: Variant;
  size?: Size;
  /** As wide as its column. */
  isBlock?: boolean;
}

export interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement>, ButtonStyle {
  /** Shows a spinner and ignores clicks; the text stays, so the accessible name stays. */
  isBusy?: boolean;
  icon?: ReactNode;
  ref?: Ref<HTMLButtonElement>;
}

export function Button({ variant, size, isBlock, isBusy = false, icon, children, className, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      className={classNames(
        classesOf({ variant: variant ?? 'secondary', size: size ?? 'medium', isBlock: !!isBlock }),
        className,
      )}
      disabled={rest.disabled === true || isBusy}
      aria-busy={isBusy || undefined}
    >
      {isBusy ? <Spinner /> : icon}
      <span className={styles.label}>{children}</span>
    </button>
  );
}

export interface IconButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'aria-label' | 'children'> {
  /** The accessible name, also shown as the tooltip. */
  label: string;
  icon: ReactNode;
  variant?: Variant;
  size?: Size;
}

export function IconButton({
  label,
  icon,
  variant = 'quiet',
  size = 'medium',
  className,
  title,
  ...rest
}: IconButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      aria-label={label}
      title={title ?? label}
      className={classNames(classesOf({ variant, size, isBlock: false }), styles.icon, className)}
    >
      {icon}
    </button>
  );
}

export interface LinkButtonProps extends LinkProps, ButtonStyle {
  icon?: ReactNode;
}

export function LinkButton({ variant, size, isBlock, icon, children, className, ...rest }: LinkButtonProps) {
  return (
    <Link
      {...rest}
      className={classNames(
        classesOf({ variant: variant ?? 'secondary', size: size ?? 'medium', isBlock: !!isBlock }),
        className,
      )}
    >
      {icon}
      <span className={styles.label}>{children}</span>
    </Link>
  );
}

function classesOf({ variant, size, isBlock }: Required<ButtonStyle>): string {
  return classNames(styles.button, styles[variant], size === 'small' && styles.small, isBlock && styles.block);
}
