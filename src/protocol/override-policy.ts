import type { OverrideVerdict } from './sync.ts';

/** What the settings of a workspace say of decisions that an agent makes. */
export interface OverrideRules {
  overridesApproval(): 'auto' | 'ask' | 'never';
  overridesRequirePrecondition(): boolean;
}

/** A decision whose preconditions hold. */
export interface VerifiedOverride {
  /** Whether it says what it relies on. */
  readonly hasNoPrecondition: boolean;
  /** Whether the losing side holds something that it replaces or removes; asked only where that counts. */
  readonly isDestructive: () => boolean;
  /** Why a bare one of these is not enough. */
  readonly missingPrecondition: string;
}

/** Why a decision does not count although its preconditions hold; undefined where it does, or a person is to confirm it. */
export function checkOverrideRules(
  rules: OverrideRules,
  { hasNoPrecondition: isBare, isDestructive, missingPrecondition: whyNotBare }: VerifiedOverride,
): { readonly verdict: 'declined' | 'precondition_missing'; readonly reason: string } | undefined {
  if (rules.overridesApproval() === 'never')
    return { verdict: 'declined', reason: 'atlas.overrides.approval is "never"' };
  if (isBare && rules.overridesRequirePrecondition() && isDestructive())
    return { verdict: 'precondition_missing', reason: whyNotBare };
  return undefined;
}

/** Whether decisions that count are to be confirmed by a person before anything is changed. */
export const asksForApproval = (rules: OverrideRules, verdicts: readonly Pick<OverrideVerdict, 'verdict'>[]): boolean =>
  rules.overridesApproval() === 'ask' && verdicts.some(({ verdict }) => verdict === 'accepted');
