/** The content of an email before layout. */
export type MailBlock =
  | { kind: 'heading'; text: string }
  | { kind: 'paragraph'; text: string }
  /** Shown large, to be typed or copied. */
  | { kind: 'code'; label: string; code: string }
  /** A button, with its address written out below for email clients that show no buttons. */
  | { kind: 'button'; label: string; url: string; alternative: string }
  /** Rows of labels and values; the last row is the total. */
  | { kind: 'facts'; rows: readonly MailFact[] }
  | { kind: 'footnote'; text: string };

export interface MailFact {
  label: string;
  value: string;
}

export interface MailBrand {
  name: string;
  /** Our own HTML, not escaped. The classes `accent-border` and `accent-fill` apply the accent color in both themes. */
  markHtml: string;
  /** Lines at the bottom of every email. */
  footer: readonly string[];
}

export interface MailContent {
  subject: string;
  /** Shown beside the subject in an inbox list. */
  preheader: string;
  blocks: readonly MailBlock[];
}
