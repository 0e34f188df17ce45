import type { AlertKind } from '../alerts/alert-rule.ts';

/** An alert on its way to the chats that chose its kind, whatever its rule says about email and devices. */
export interface ChatAlert {
  userId: string;
  kind: AlertKind;
  /** Each key is sent to a chat only once; at most 160 characters. */
  key: string;
  text: string;
  /** Of the same user; its picture is attached. */
  predictionId: string | null;
  /** Worth nothing any more after this. */
  ttlS: number;
}
