import type { ReviewRow } from '../../src/protocol/review.ts';

const id = (number: number): string => number.toString(16).padStart(32, '0');

const edit = (
  number: number,
  path: string,
  file: string,
  more: Partial<ReviewRow> & Pick<ReviewRow, 'className'>,
): ReviewRow => ({
  id: id(number),
  path,
  fsPath: file,
  patchType: 'Edit',
  hasSource: true,
  properties: {},
  defaultSelection: null,
  defaultReason: 'git_both_moved',
  explanation: 'Disk and Studio have different values.',
  side: 'both',
  override: null,
  choice: null,
  personMerge: null,
  follows: null,
  isReopened: false,
  isRestored: false,
  outcome: null,
  reason: null,
  ...more,
});

/** A sync of a small obstacle-course game that an agent requested, with every kind of change and suggestion. */
export const sampleRows: readonly ReviewRow[] = [
  edit(1, 'ServerScriptService/Game/CheckpointService', 'src/server/CheckpointService.luau', {
    className: 'ModuleScript',
    defaultSelection: 'pull',
    defaultReason: 'git_unchanged_on_disk',
    side: 'studio',
    choice: 'pull',
  }),
  edit(2, 'ServerScriptService/Game/LeaderboardService', 'src/server/LeaderboardService.luau', {
    className: 'ModuleScript',
    override: { direction: 'push', verdict: 'accepted' },
    choice: 'push',
  }),
  edit(3, 'ServerScriptService/Game/RewardService', 'src/server/RewardService.luau', {
    className: 'ModuleScript',
    override: { direction: 'push', verdict: 'hash_mismatch' },
  }),
  edit(4, 'ServerScriptService/Main', 'src/server/Main.server.luau', { className: 'Script' }),
  edit(5, 'ReplicatedStorage/Shared/Signal', 'src/shared/Signal.luau', {
    className: 'ModuleScript',
    patchType: 'Add',
    defaultSelection: 'push',
    defaultReason: 'git_new_file',
    side: 'disk',
    choice: 'push',
  }),
  edit(6, 'ReplicatedStorage/Shared/Config/Palette', 'src/shared/Config/Palette.luau', {
    className: 'ModuleScript',
    patchType: 'Add',
    defaultReason: 'git_tracked_file_not_in_studio',
    side: 'unknown',
  }),
  edit(7, 'Workspace/Obby/Spinner', 'src/workspace/Obby/Spinner.meta.json', {
    className: 'Part',
    hasSource: false,
    defaultSelection: 'pull',
    defaultReason: 'git_unchanged_on_disk',
    side: 'studio',
    choice: 'pull',
    properties: {
      Color: { current: { Color3: [0.93, 0.33, 0.31] }, incoming: { Color3: [0.2, 0.56, 0.86] } },
      Size: { current: { Vector3: [24, 1, 4] }, incoming: { Vector3: [18, 1, 4] } },
      CFrame: {
        current: {
          CFrame: {
            position: [0, 12.5, -40],
            orientation: [
              [1, 0, 0],
              [0, 1, 0],
              [0, 0, 1],
            ],
          },
        },
        incoming: {
          CFrame: {
            position: [0, 10, -40],
            orientation: [
              [1, 0, 0],
              [0, 1, 0],
              [0, 0, 1],
            ],
          },
        },
      },
      Anchored: { current: { Bool: true }, incoming: { Bool: false } },
      Material: { incoming: { Enum: 1088 } },
    },
  }),
  edit(8, 'Workspace/Obby/OldBridge', 'x', {
    className: 'Model',
    patchType: 'Remove',
    fsPath: null,
    hasSource: false,
    defaultReason: 'removal',
    side: 'unknown',
  }),
  edit(9, 'StarterPlayer/StarterPlayerScripts/Camera', 'x', {
    className: 'LocalScript',
    patchType: 'Remove',
    fsPath: null,
    defaultReason: 'removal',
    side: 'unknown',
  }),
];
