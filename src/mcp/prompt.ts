/** An argument of a prompt; a client asks a person for it. */
export interface PromptArgument {
  readonly name: string;
  readonly description: string;
  readonly required: boolean;
}

/** A workflow that a person starts by name (a slash command in most clients); it becomes the message that the agent gets. */
export interface Prompt {
  /** `kebab-case`. */
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly arguments: readonly PromptArgument[];
  /** @param given what was filled in, by name; never empty where an argument is required */
  write(given: Readonly<Record<string, string>>): string;
}
