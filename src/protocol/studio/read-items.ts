import type * as z from 'zod';
import type { PausableWork } from '../../base/time-slice.ts';
import { MAX_ITEM_VALUES } from '../limits.ts';

/** The members by which a message is answered. */
export const messageHead = ['type', 'requestId', 'seq'] as const;

/** A message that exceeds the limits of its decoder. */
export class OversizedMessage extends Error {
  /** For example "at most 1000000 values". */
  readonly limit: string;
  /** The members of `messageHead` that it has. */
  readonly head: unknown;

  constructor(limit: string, head: unknown = {}) {
    super(limit);
    this.limit = limit;
    this.head = head;
  }
}

/** An item that its schema does not accept. The message names the member, in one line. */
export class InvalidItem extends Error {}

/** Validates one item in a single step. @throws InvalidItem, OversizedMessage */
export function readItem<T>(schema: z.ZodType<T>, item: unknown, at: string): T {
  expectFewValues(item);
  const parsed = schema.safeParse(item);
  if (!parsed.success) throw new InvalidItem(`${at}: ${firstProblem(parsed.error)}`);
  return parsed.data;
}

/** Validates an instance and its `children`, with pauses between them. @throws InvalidItem, OversizedMessage */
export function* readTree<T extends { readonly children: T[] }>(
  schema: z.ZodType<T>,
  raw: unknown,
  at: string,
): PausableWork<T> {
  if (typeof raw !== 'object' || raw === null || !('children' in raw) || !Array.isArray(raw.children))
    return readItem(schema, raw, at);
  const below: readonly unknown[] = raw.children;
  const read = readItem(schema, { ...raw, children: [] }, at);
  for (const [index, child] of below.entries()) {
    read.children.push(yield* readTree(schema, child, `${at}.children[${index}]`));
    yield;
  }
  return read;
}

/** Checks that a value can be validated in a single step. @throws OversizedMessage if that would take too long */
export function expectFewValues(value: unknown): void {
  let count = 0;
  const open: unknown[] = [value];
  while (open.length > 0) {
    const one = open.pop();
    const members: readonly unknown[] = Array.isArray(one)
      ? one
      : typeof one === 'object'
        ? Object.values(one ?? {})
        : [];
    count += members.length;
    if (count > MAX_ITEM_VALUES) throw new OversizedMessage(`at most ${MAX_ITEM_VALUES} values in one item`);
    for (const member of members) open.push(member);
  }
}

/** The first of many problems: a hostile message can have a million. */
export const firstProblem = ({ issues: [issue] }: z.ZodError): string => `${issue?.path.join('.')} ${issue?.message}`;
