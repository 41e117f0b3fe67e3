/**
 * Request bodies of plugins. The plugins' encoder writes an empty table as an empty array and omits absent members, so the schemas accept
 * both. Items are `unknown` here, so that an invalid item fails alone.
 */
import * as z from 'zod';
import { MAX_NAME_LENGTH, MAX_WRITTEN_ITEMS } from '../limits.ts';
import { emptyMap, mapOf } from './luau-tables.ts';

/** An empty map where a list is expected: some encoders write an empty list as a map. */
const emptyList = (raw: unknown): unknown =>
  typeof raw === 'object' && raw !== null && !Array.isArray(raw) && Object.keys(raw).length === 0 ? [] : raw;

const maybeMapOf = <T extends z.ZodType>(value: T) => mapOf(value).default({});
const list = z
  .preprocess(
    emptyList,
    z.custom<readonly unknown[]>(
      raw => Array.isArray(raw) && raw.length <= MAX_WRITTEN_ITEMS,
      `expected a list of at most ${MAX_WRITTEN_ITEMS} items`,
    ),
  )
  .default([]);

/** A map of items that are validated one by one; it is not copied, because it can have many members. */
const items = z.preprocess(
  emptyMap,
  z.custom<Readonly<Record<string, unknown>>>(raw => typeof raw === 'object' && raw !== null && !Array.isArray(raw)),
);

/** POST /api/write. */
export const WriteRequest = z.object({
  sessionId: z.string(),
  removed: list,
  updated: list,
  added: items.default({}),
  stageIds: list,
});
export type WriteRequest = z.infer<typeof WriteRequest>;

export const WrittenUpdate = z.object({
  id: z.string(),
  changedName: z.unknown().optional(),
  changedClassName: z.unknown().optional(),
  changedProperties: maybeMapOf(z.unknown()),
});
export type WrittenUpdate = z.infer<typeof WrittenUpdate>;

/** An instance that only Studio has, with everything below it. `parent` only at the top. */
export type AddedInstance = {
  parent?: string | undefined;
  name: string;
  className: string;
  properties: Record<string, unknown>;
  children: AddedInstance[];
};
export const AddedInstance: z.ZodType<AddedInstance> = z.lazy(() =>
  z.object({
    parent: z.string().optional(),
    name: z.string().max(MAX_NAME_LENGTH),
    className: z.string().max(MAX_NAME_LENGTH),
    properties: maybeMapOf(z.unknown()),
    children: z.preprocess(emptyList, z.array(AddedInstance)).default([]),
  }),
);

/** POST /api/serialize and /api/ref-patch, as Rojo 7.7 sends them. */
export const IdsRequest = z.object({ sessionId: z.string(), ids: list });

/** POST /api/syncback. Only the version of the plugin is used. */
export const SyncbackRequest = z.object({
  protocolVersion: z.number().optional(),
  serverVersion: z.string().optional(),
});
