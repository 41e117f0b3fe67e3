import { type DefaultReason, defaultRules } from '../protocol/default-reasons.ts';
import { reasonTemplates } from '../protocol/reason.ts';
import type { ReviewStrings } from '../protocol/review-strings.ts';
import { formatSentence, type Translate } from '../base/sentence.ts';

/** The texts of a review. Takes `t` as an argument, so that tests need no VS Code. */
export function reviewStrings({ t }: { readonly t: Translate }, locale: string): ReviewStrings {
  const mergeEffect = t('Merge: write the merge of both sides to Studio and to the file.');
  return {
    locale,
    title: t('Review Changes'),
    loading: t('Loading changes…'),
    requestedBy: t('Requested by {0}. Nothing changes until you press Apply.', '{0}'),
    wasRequestedBy: t('Requested by {0}.', '{0}'),
    changesOne: t('1 change'),
    changesMany: t('{0} changes', '{0}'),
    undecidedOne: t('1 undecided'),
    undecidedMany: t('{0} undecided', '{0}'),
    allDecided: t('all decided'),
    warningsOne: t('1 warning'),
    warningsMany: t('{0} warnings', '{0}'),
    untracked: {
      propertiesOne: t('1 property is only in Studio and not tracked'),
      propertiesMany: t('{0} properties are only in Studio and not tracked', '{0}'),
      explanation: t(
        'No file names these properties, so they are not compared. Track a property to add it to this review; Apply then writes it to the file of its instance.',
      ),
      studio: t('Studio'),
      default: t('Default'),
      track: t('Track This Property'),
      trackOne: t('Track This Property: {0} of {1}', '{0}', '{1}'),
      more: t('and {0} more', '{0}'),
    },
    tree: t('Changes'),
    columns: { change: t('Change'), suggestion: t('Suggestion'), outcome: t('Outcome'), choice: t('Your choice') },
    kinds: {
      Add: { name: t('Only on disk'), explanation: t('Studio does not have it.') },
      Remove: { name: t('Only in Studio'), explanation: t('No file has it.') },
      Edit: { name: t('Changed'), explanation: t('Different on disk and in Studio.') },
    },
    choices: { push: t('Push'), pull: t('Pull'), merge: t('Merge'), skip: t('Skip') },
    effects: {
      Add: {
        push: t('Push: create it in Studio.'),
        pull: t('Pull: delete its files from disk.'),
        merge: mergeEffect,
        skip: t('Skip: change nothing.'),
      },
      Remove: {
        push: t('Push: delete it from Studio.'),
        pull: t('Pull: write it to disk.'),
        merge: mergeEffect,
        skip: t('Skip: change nothing.'),
      },
      Edit: {
        push: t('Push: overwrite Studio with the file.'),
        pull: t('Pull: overwrite the file with Studio.'),
        merge: mergeEffect,
        skip: t('Skip: change nothing.'),
      },
    },
    choiceTooltip: t('{0} ({1})', '{0}', '{1}'),
    choiceFor: t('Choice for {0}', '{0}'),
    choiceForGroup: t('Choice for all changes in {0} ({1})', '{0}', '{1}'),
    groupEffects: {
      push: t('Push every change in this group (deletions excluded).'),
      pull: t('Pull every change in this group (deletions excluded).'),
      skip: t('Skip every change in this group.'),
    },
    personMerges: {
      text: t('Merged text'),
      hunks: t('{0} of {1} hunks from Studio', '{0}', '{1}'),
      undecidedHunks: t('{0} of {1} hunks decided', '{0}', '{1}'),
    },
    undecided: t('undecided'),
    noDefault: t('No suggestion'),
    reasons: {
      ...briefReasons(t),
      no_base: t('no common base is recorded'),
    },
    why: Object.fromEntries(
      Object.entries(reasonTemplates()).map(([code, template]) => [
        code,
        formatSentence({ template, values: ['{0}', '{1}', '{2}', '{3}'] }, t),
      ]),
    ),
    agentAsked: { push: t('Agent asks to push'), pull: t('Agent asks to pull'), merge: t('Agent asks to merge') },
    verdicts: {
      accepted: { name: t('checked'), explanation: t("The agent's preconditions still hold.") },
      stale_id: { name: t('unknown change'), explanation: t('The agent referred to a change that no longer exists.') },
      hash_mismatch: {
        name: t('Studio changed'),
        explanation: t('The script or the instances below it changed in Studio after the agent read them.'),
      },
      disk_mismatch: {
        name: t('Disk changed'),
        explanation: t('The file changed on disk after the agent read it.'),
      },
      property_mismatch: {
        name: t('Studio changed'),
        explanation: t('The properties in Studio changed after the agent read them.'),
      },
      undecodable: { name: t('not readable'), explanation: t('The agent sent values that cannot be read.') },
      not_mergeable: {
        name: t('not merged'),
        explanation: t('Both sides changed the same lines or values, or the merge does not compile.'),
      },
      declined: { name: t('not allowed'), explanation: t('The settings do not allow agents to decide.') },
      precondition_missing: {
        name: t('not checked'),
        explanation: t('The agent sent no precondition, and the settings require one.'),
      },
    },
    follows: t('With {0}', '{0}'),
    followsExplanation: t(
      "An instance that exists only on disk follows its parent: it cannot exist in Studio without the parent, or stay on disk when the parent's files are deleted.",
    ),
    reopened: t('Changed since you decided. Choose again.'),
    reopenedExplanation: t('Changed while you were reviewing. Please choose again.'),
    restored: t('Chosen in an earlier review'),
    restoredExplanation: t(
      'You chose this before the window was closed or reloaded. Both sides are unchanged since then.',
    ),
    replace: {
      name: t('Replace'),
      explanation: t(
        'The class differs: {0} in Studio, {1} on disk. Push both rows to replace it in Studio, or pull both rows to replace it on disk.',
        '{0}',
        '{1}',
      ),
    },
    sides: {
      disk: t('Changed on disk'),
      studio: t('Changed in Studio'),
      both: t('Changed on both sides'),
      unknown: t('Unknown'),
    },
    refresh: t('Compare Again'),
    refreshTooltip: t('Compare both sides again. Decisions for unchanged items are kept.'),
    comparing: t('Comparing again…'),
    filter: {
      text: t('Filter by path, class or file (/)'),
      placeholder: t('Filter'),
      kind: t('Filter by kind of change'),
      anyKind: t('Any kind'),
      className: t('Filter by class'),
      anyClass: t('Any class'),
      side: t('Filter by side'),
      anySide: t('Any side'),
      decision: t('Filter by decision'),
      anyDecision: t('Any decision'),
      undecided: t('Undecided'),
      reopened: t('Changed since decided'),
      shown: t('{0} of {1} shown', '{0}', '{1}'),
      clear: t('Clear Filters'),
      nothing: t('No change matches the filters.'),
    },
    endedReview: {
      title: t('This review has ended'),
      undecided: t('The sync ended before you decided. Nothing was changed.'),
      decided: t('You decided before the window was closed or reloaded. Start a new review to see the current state.'),
      unknown: t('The review ended in another window. Start a new review to see the current state.'),
      elsewhereTitle: t('This review is open in another window'),
      elsewhere: t('Decide there. When that review ends, you can review the remaining changes here.'),
      again: t('Start New Review'),
    },
    bulk: {
      label: t('Choose for multiple changes'),
      defaults: t('Use Suggestions'),
      defaultsTooltip: t('Use the suggestion for every change shown that has one.'),
      push: t('Push All'),
      pushShown: t('Push Shown'),
      pushTooltip: t('Push every change shown (deletions excluded).'),
      pull: t('Pull All'),
      pullShown: t('Pull Shown'),
      pullTooltip: t('Pull every change shown (deletions excluded).'),
      skip: t('Skip Undecided'),
      skipTooltip: t('Skip everything that is still undecided.'),
      deletionsLeftOne: t('1 deletion was skipped. Decide it individually.'),
      deletionsLeftMany: t('{0} deletions were skipped. Decide each one individually.', '{0}'),
    },
    details: {
      label: t('Details'),
      empty: t('Select a change to see both sides.'),
      resize: t('Resize details'),
      kind: t('Difference'),
      file: t('File'),
      noFile: t('No file yet'),
      inProjectFile: t('Described in a project file'),
      newFile: t('No file yet. Pull creates {0}', '{0}'),
      renamedFile: t('Pull renames it to {0}', '{0}'),
      suggestion: t('Suggestion'),
      agent: t('Agent'),
      agentAccept: t('Accept'),
      agentAcceptTooltip: t("Accept the agent's request: {0}", '{0}'),
      agentDecline: t('Decline'),
      agentDeclineTooltip: t('Change nothing.'),
      effect: t('Your choice'),
      side: t('Side'),
      replaces: t('Same name'),
      outcome: t('Outcome'),
      openDiff: t('Open Diff'),
      openDiffTooltip: t('Compare Studio (left) with disk (right) in the editor (Enter)'),
      properties: t('Properties'),
      merge: t('Merge'),
      mergeFromDisk: t('From disk: {0}', '{0}'),
      mergeFromStudio: t('From Studio: {0}', '{0}'),
      contains: t('Contains'),
      property: t('Property'),
      inStudio: t('In Studio'),
      onDisk: t('On disk'),
      noValue: t('no value'),
      status: t('Status'),
      showChange: t('Show this change'),
    },
    apply: t('Apply'),
    decision: t('Decision'),
    applyTooltip: t('Apply the changes summarized here (Ctrl+Enter).'),
    applyBlockedOne: t('1 change is undecided.'),
    applyBlockedMany: t('{0} changes are undecided.', '{0}'),
    nextUndecided: t('Next undecided (N)'),
    reject: t('Reject'),
    rejectTooltip: t('End this sync without changing anything.'),
    applying: t('Applying…'),
    ended: t('This review has ended.'),
    dismiss: t('Dismiss'),
    outcomes: {
      applied: t('Changed in Studio'),
      written: t('Written to disk'),
      merged: t('Merged on both sides'),
      skipped: t('Skipped'),
      failed: t('Failed'),
      unknown: t('Unknown'),
    },
    // An `Add` is only on disk, a `Remove` only in Studio.
    outcomesOfKind: {
      Add: { applied: t('Created in Studio'), written: t('Deleted on disk') },
      Remove: { applied: t('Deleted in Studio'), written: t('Created on disk') },
    },
  };
}

/** For front ends that are not translated: forms of MCP clients and the terminal. */
export const englishLocalize: { readonly t: Translate } = {
  t: (template, ...values) => formatSentence({ template, values }),
};

function briefReasons(t: Translate): Readonly<Record<DefaultReason, string>> {
  const brief = Object.entries(defaultRules).map(([code, rule]) => [code, formatSentence(rule.brief, t)]);
  // The entries have the keys of the rules.
  return Object.fromEntries(brief) as Readonly<Record<DefaultReason, string>>;
}
