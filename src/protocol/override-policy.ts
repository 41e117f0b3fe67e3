import { type Reason, reasonOf } from './reason.ts';
import type { OverrideVerdict } from './sync-result.ts';

/** The workspace settings for decisions of agents. */
export interface OverrideRules {
  overridesApproval(): 'auto' | 'ask' | 'never';
  overridesRequirePrecondition(): boolean;
}

/** An override whose preconditions hold. */
export interface VerifiedOverride {
  /** Whether the override has no precondition at all. */
  readonly hasNoPrecondition: boolean;
  /** Whether the override replaces or removes something on the losing side. Called only if the result is needed. */
  readonly isDestructive: () => boolean;
  /** Explains which precondition is missing. */
  readonly missingPrecondition: Reason;
}

/** Why the settings reject an override whose preconditions hold; `undefined` if it is accepted or a person has to confirm it. */
export function checkOverrideRules(
  rules: OverrideRules,
  { hasNoPrecondition, isDestructive, missingPrecondition }: VerifiedOverride,
): { readonly verdict: 'declined' | 'precondition_missing'; readonly reason: Reason } | undefined {
  if (rules.overridesApproval() === 'never') return { verdict: 'declined', reason: reasonOf('overrides_off') };
  if (hasNoPrecondition && rules.overridesRequirePrecondition() && isDestructive())
    return { verdict: 'precondition_missing', reason: missingPrecondition };
  return undefined;
}

/** Whether a person has to confirm accepted overrides before anything is changed. */
export const asksForApproval = (rules: OverrideRules, verdicts: readonly Pick<OverrideVerdict, 'verdict'>[]): boolean =>
  rules.overridesApproval() === 'ask' && verdicts.some(({ verdict }) => verdict === 'accepted');
