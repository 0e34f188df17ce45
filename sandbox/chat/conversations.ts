/** The chats of a simulated service: what their user sees, and whether the bot can still write there. */

/** `blocked`: the user blocked the bot, or it was removed. `deleted`: the chat no longer exists. */
export const REACHES = ['open', 'blocked', 'deleted'] as const;
export type Reach = (typeof REACHES)[number];

export interface ChatPicture {
  type: string;
  bytes: Buffer;
}

export interface ChatEntry {
  /** Unique on its service; rises. */
  id: number;
  /** `service`: a notice that only the user sees, for example that the bot did not respond. */
  from: 'user' | 'bot' | 'service';
  text: string;
  /** Only the user who entered the command sees it. */
  isPrivate: boolean;
  /** It notifies every member. */
  mentionsEveryone: boolean;
  picture: ChatPicture | null;
  atMs: number;
}

export interface Conversation {
  /** The chat's or channel's id on its service. */
  id: string;
  name: string;
  isDirect: boolean;
  reach: Reach;
  /** Oldest first. */
  entries: readonly ChatEntry[];
}

type EntryText = Pick<ChatEntry, 'from' | 'text'> & Partial<ChatEntry>;

export interface Conversations {
  all(): readonly Conversation[];
  find(id: string): Conversation | null;
  setReach(id: string, reach: Reach): void;
  write(id: string, entry: EntryText): ChatEntry;
  picture(entryId: number): ChatPicture | null;
}

/** Of each chat. */
const MOST_ENTRIES = 100;

export function openConversations(
  chats: readonly Pick<Conversation, 'id' | 'name' | 'isDirect'>[],
  nowMs: () => number,
): Conversations {
  const stored = new Map(
    chats.map((chat) => [chat.id, { ...chat, reach: 'open' as Reach, entries: [] as ChatEntry[] }]),
  );
  let lastId = 0;

  function existing(id: string) {
    const chat = stored.get(id);
    if (chat === undefined) throw new Error(`The sandbox has no chat ${id}.`);
    return chat;
  }

  return {
    all: () => [...stored.values()],
    find: (id) => stored.get(id) ?? null,
    setReach(id, reach) {
      existing(id).reach = reach;
    },
    write(id, entry) {
      lastId += 1;
      const whole = { isPrivate: false, mentionsEveryone: false, picture: null, ...entry, id: lastId, atMs: nowMs() };
      const { entries } = existing(id);
      entries.push(whole);
      if (entries.length > MOST_ENTRIES) entries.shift();
      return whole;
    },
    picture: (entryId) =>
      [...stored.values()].flatMap(({ entries }) => entries).find(({ id }) => id === entryId)?.picture ?? null,
  };
}
