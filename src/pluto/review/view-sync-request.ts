import type { ViewOverride } from '../session/views/compare-with-module.ts';
import type { ViewSync } from '../session/views/sync-view.ts';

/** The modes of `atlas_sync`: `fastfail` never asks a person, `standard` asks if something is undecided, `manual` always. */
export type ViewSyncMode = 'fastfail' | 'standard' | 'manual';

export interface ViewSyncRequest {
  /** Path of the `.pt`. */
  readonly path: string;
  readonly overrides: readonly ViewOverride[];
  readonly mode: ViewSyncMode;
  readonly requestedBy: string;
  /** Whether the caller can show the review itself. */
  readonly canDecide?: boolean;
}

export interface ViewSyncResult extends Omit<ViewSync, 'status'> {
  /** `rejected`: a person declined; nothing was changed. */
  readonly status: ViewSync['status'] | 'rejected';
  /** Whether a setting requires a person to confirm the overrides. */
  readonly isAsking?: boolean;
}
