/** Discord's slash commands: checked when the app registers them, and read from what a user types. */
import * as z from 'zod/mini';

/** Types of options: 1 is a subcommand, 3 a text. The sandbox knows no other. */
const SUBCOMMAND = 1;
const TEXT = 3;
/** 0: in a server. 1: in the bot's direct messages. */
export type InteractionContext = 0 | 1;

const name = z.string().check(z.regex(/^[-_\p{Ll}\p{Lo}\p{N}]{1,32}$/u));
const description = z.string().check(z.minLength(1), z.maxLength(100));
const textOptionSchema = z.object({ type: z.literal(TEXT), name, description, required: z.optional(z.boolean()) });
const subcommandSchema = z.object({
  type: z.literal(SUBCOMMAND),
  name,
  description,
  options: z.optional(z.array(textOptionSchema).check(z.maxLength(25))),
});
const commandSchema = z.object({
  name,
  description,
  type: z._default(z.literal(1), 1),
  options: z.optional(
    z.array(z.discriminatedUnion('type', [subcommandSchema, textOptionSchema])).check(z.maxLength(25)),
  ),
  default_member_permissions: z.optional(z.nullable(z.string().check(z.regex(/^\d+$/)))),
  contexts: z.optional(z.nullable(z.array(z.int().check(z.gte(0), z.lte(2))))),
  integration_types: z.optional(z.array(z.int().check(z.gte(0), z.lte(1)))),
});
export const commandsSchema = z.array(commandSchema).check(
  z.maxLength(100),
  z.refine((commands) => new Set(commands.map((command) => command.name)).size === commands.length),
);
export type DiscordCommand = z.infer<typeof commandSchema>;

/** As an interaction carries it. */
export interface CommandData {
  name: string;
  type: 1;
  options: SentOption[];
}

export interface SentOption {
  name: string;
  type: number;
  value?: string;
  options?: SentOption[];
}

type TextOption = z.infer<typeof textOptionSchema>;

/**
 * Reads `/kat link code:ABC`. Discord's own client offers fields instead; a value follows its name and a colon.
 * @returns the notice that the client would show if no such command can be sent
 */
export function readCommand(
  text: string,
  commands: readonly DiscordCommand[],
  context: InteractionContext,
): CommandData | { notice: string } {
  const [first = '', ...words] = text.trim().split(/\s+/);
  const command = commands.find((known) => `/${known.name}` === first);
  const contexts = command?.contexts ?? [0, 1, 2];
  if (command === undefined || !contexts.includes(context)) return { notice: `There is no command ${first} here.` };
  const { options = [] } = command;
  const subcommands = options.filter((option) => option.type === SUBCOMMAND);
  if (subcommands.length === 0) {
    const values = readValues(
      words,
      options.filter((option) => option.type === TEXT),
    );
    return 'notice' in values ? values : { name: command.name, type: 1, options: values.options };
  }
  const subcommand = subcommands.find((known) => known.name === words[0]);
  if (subcommand === undefined)
    return { notice: `Choose one of: ${subcommands.map((known) => `/${command.name} ${known.name}`).join(', ')}` };
  const values = readValues(words.slice(1), subcommand.options ?? []);
  if ('notice' in values) return values;
  const { type, name: chosen } = subcommand;
  return { name: command.name, type: 1, options: [{ type, name: chosen, options: values.options }] };
}

function readValues(
  words: readonly string[],
  options: readonly TextOption[],
): { options: SentOption[] } | { notice: string } {
  const sent: SentOption[] = [];
  for (const word of words) {
    const [, optionName, value = ''] = /^([^:]+):(.*)$/.exec(word) ?? [];
    const option = options.find((known) => known.name === optionName);
    if (option === undefined) return { notice: `${word} is no field of this command.` };
    sent.push({ type: option.type, name: option.name, value });
  }
  const missing = options.find((option) => option.required === true && !sent.some((one) => one.name === option.name));
  return missing === undefined ? { options: sent } : { notice: `Fill in ${missing.name}.` };
}
