/** What a mail is made of, before it is laid out. */
export type MailBlock =
  | { kind: 'heading'; text: string }
  | { kind: 'paragraph'; text: string }
  /** Shown large, to be typed or copied. */
  | { kind: 'code'; label: string; code: string }
  /** As a button, and below it written out for those whose program shows no buttons. */
  | { kind: 'button'; label: string; url: string; alternative: string }
  /** What is looked up: each with its name, the last one summing up. */
  | { kind: 'facts'; rows: readonly MailFact[] }
  | { kind: 'footnote'; text: string };

export interface MailFact {
  label: string;
  value: string;
}

export interface MailBrand {
  name: string;
  /** HTML of our own, not escaped; the classes `accent-border` and `accent-fill` give it the accent in both themes. */
  markHtml: string;
  /** Lines below every mail. */
  footer: readonly string[];
}

export interface MailContent {
  subject: string;
  /** What a list of mails shows beside the subject. */
  preheader: string;
  blocks: readonly MailBlock[];
}
