import type { Operator } from './legal-section.ts';
import styles from './placeholder.module.css';

export function Placeholder({ children }: { children: string }) {
  return <span className={styles.placeholder}>[{children}]</span>;
}

export function Contact({ operator: { email } }: { operator: Operator }) {
  if (email === null) return <>the support contact in the footer</>;
  return <a href={`mailto:${email}`}>{email}</a>;
}
