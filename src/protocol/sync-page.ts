/** Pages of the changes of a sync: what an agent may request, and what its answer says about the whole list. */
import * as z from 'zod';
import { MAX_CURSOR_LENGTH } from './limits.ts';
import { SyncOverride } from './sync-request.ts';
import { changeFilters, SyncResult } from './sync-result.ts';

/** Changes on one page that a caller requests explicitly. */
export const MAX_PAGE_CHANGES = 1000;

/** The arguments that choose a page of a list of changes. */
export const PageQuery = z.strictObject({
  limit: z.int().min(1).max(MAX_PAGE_CHANGES).optional().describe('Changes on a page; by default about 8,000 tokens.'),
  cursor: z
    .string()
    .min(1)
    .max(MAX_CURSOR_LENGTH)
    .optional()
    .describe('page.cursor of an answer: lists its next page.'),
  ...changeFilters,
  direction: z.enum(['push', 'pull', 'merge', 'skip', 'unresolved']).optional(),
  undecided: z.boolean().optional().describe('Only undecided changes.'),
  summary: z.boolean().optional().describe('Only counts.'),
});
export type PageQuery = z.infer<typeof PageQuery>;

/** The filters of a list of changes. */
export type ChangeFilters = Pick<PageQuery, 'under' | 'patchType' | 'className' | 'direction' | 'undecided'>;

const Counts = z.record(z.string(), z.number());

/** The counts of a page. `total`: all changes of the run. The other counts are about the changes that match the filters. */
export const ChangePage = z.object({
  total: z.number(),
  matching: z.number(),
  undecided: z.number(),
  /** How many matching changes come before this page. */
  from: z.number(),
  /** At most 20 of each, largest first; `…` counts the rest. */
  folders: Counts,
  classes: Counts,
  patchTypes: Counts,
  directions: Counts,
  /** Identifies the matching changes and both sides of each, for bulk overrides. Absent if the list is filtered by direction. */
  digest: z.string().optional(),
  /** Lists the next page; absent on the last one. */
  cursor: z.string().optional(),
});
export type ChangePage = z.infer<typeof ChangePage>;

/** One entry of `overrides`: a decision for one change (`id`), or for all that match the filters (`digest`). */
export const OverrideInput = z.strictObject({
  ...SyncOverride.shape,
  id: SyncOverride.shape.id.optional(),
  ...changeFilters,
  undecided: z.boolean().optional(),
  digest: z
    .string()
    .optional()
    .describe(
      'Instead of id: decides all changes that match under, patchType, className and undecided. The page.digest of that list.',
    ),
});
export type OverrideInput = z.infer<typeof OverrideInput>;

/** A sync result as tools answer it: `changes` is one page. */
export const SyncAnswer = SyncResult.extend({
  page: ChangePage.optional(),
  /** Of a dry run: what a sync would do, in one line. */
  plan: z.string().optional(),
});
export type SyncAnswer = z.infer<typeof SyncAnswer>;
