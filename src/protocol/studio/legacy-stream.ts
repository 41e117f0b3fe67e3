/**
 * The command stream of the Atlas plugin, which announces no capabilities. Replies have no type; the request id in a reply identifies its
 * command.
 */
import * as z from 'zod';
import { StudioHash, type SyncOverride } from '../sync-request.ts';
import { PatchType } from '../sync-result.ts';
import { LuauPropertyChange, mapOf } from './luau-tables.ts';

/** `ignore`: the plugin leaves the change as it is on both sides. */
export type LegacyOverride = Omit<SyncOverride, 'direction'> & { readonly direction: 'push' | 'pull' | 'ignore' };

export type LegacyCommand =
  | {
      readonly type: 'sync';
      readonly requestId: string;
      readonly mode: 'dryrun' | 'fastfail';
      readonly overrides: readonly LegacyOverride[];
    }
  | { readonly type: 'getScript'; readonly requestId: string; readonly id: string; readonly fromDraft: boolean };

export const LegacyChange = z.object({
  /** A Ref for `Edit` and `Add`; for `Remove` a different value in each answer. */
  id: z.string(),
  /** Names joined by `/`; the first is the DataModel's. */
  path: z.string(),
  className: z.string(),
  patchType: PatchType,
  /** For scripts in Studio: the hash of the saved Source. */
  studioHash: StudioHash.optional(),
  /** `Edit` only, without a script's Source. */
  properties: mapOf(LuauPropertyChange).optional(),
});
export type LegacyChange = z.infer<typeof LegacyChange>;

export const LegacySyncResult = z.object({
  requestId: z.string(),
  status: z.string(),
  changes: z.preprocess(raw => raw ?? [], z.array(LegacyChange)),
  message: z.string().optional(),
});
export type LegacySyncResult = z.infer<typeof LegacySyncResult>;

export const LegacyScriptResult = z.object({
  requestId: z.string(),
  status: z.string(),
  message: z.string().optional(),
  source: z.string().optional(),
  studioHash: StudioHash.optional(),
  className: z.string().optional(),
  instancePath: z.string().optional(),
  isDraft: z.boolean().optional(),
});
export type LegacyScriptResult = z.infer<typeof LegacyScriptResult>;
