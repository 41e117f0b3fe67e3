/** An argument of a prompt. The client asks the person for it. */
export interface PromptArgument {
  readonly name: string;
  readonly description: string;
  readonly required: boolean;
}

/** A workflow that a person starts by name (a slash command in most clients). It becomes a message to the agent. */
export interface Prompt {
  /** `kebab-case`. */
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly arguments: readonly PromptArgument[];
  /** Creates the message. @param given the arguments by name; required ones are never empty */
  write(given: Readonly<Record<string, string>>): string;
}
