/** What a person may set; the names are those of the VS Code settings without `atlas.`. Read again at every use. */
export interface Settings {
  /** Minutes until an unanswered review ends with nothing applied; 1 to 1440. */
  reviewTimeoutMinutes(): number;
  /** `auto`: verified overrides count; `ask`: they are preselected and a person confirms; `never`: they are declined. */
  overridesApproval(): 'auto' | 'ask' | 'never';
  /** Whether an override that replaces or removes something must carry a `studioHash` or `expectedProperties`. */
  overridesRequirePrecondition(): boolean;
  /** Stretches every budget of `protocol/limits.ts` on slow machines; 1 to 4. */
  budgetScale(): number;
  /** Megabytes that the journal of runs may take; 10 to 100,000. */
  journalMaxMegabytes(): number;
  /** Days after which a recorded run may go; 1 to 3650. */
  journalMaxDays(): number;
  /** The version of an unmodified Atlas plugin, to the letter; `undefined`: the one that is known or has been learned. */
  atlasPluginVersion(): string | undefined;
  /** Whether our plugin is kept in step while people work: not at all, from disk to Studio, or both ways. Other plugins decide it themselves. */
  live(): LiveMode;
}

export type LiveMode = 'off' | 'diskToStudio' | 'twoWay';
