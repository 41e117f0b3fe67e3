import * as z from 'zod';
import type { PausableWork } from '../../base/time-slice.ts';
import { JournalEnding, JournalItem, JournalRecord, JournalWrite } from './journal-record.ts';

/** Items that are validated between two pauses. */
const BATCH_SIZE = 64;

const Items = z.array(z.unknown()).readonly();
const RecordHead = JournalRecord.extend({ items: Items, writes: Items.optional() });
const EndingHead = JournalEnding.extend({ outcomes: Items });
const Outcome = JournalEnding.shape.outcomes.unwrap().element;

/** Validates a record with pauses, because a run can have tens of thousands of changes. Returns `undefined` if it is invalid. */
export function* readJournalRecord(value: unknown): PausableWork<JournalRecord | undefined> {
  const head = RecordHead.safeParse(value).data;
  if (head === undefined) return undefined;
  const items = yield* readList(JournalItem, head.items);
  const writes = head.writes && (yield* readList(JournalWrite, head.writes));
  if (items === undefined || (head.writes !== undefined && writes === undefined)) return undefined;
  const { writes: _, ...others } = head;
  return { ...others, items, ...(writes && { writes }) };
}

/** Validates an ending with pauses. Returns `undefined` if it is invalid. */
export function* readJournalEnding(value: unknown): PausableWork<JournalEnding | undefined> {
  const head = EndingHead.safeParse(value).data;
  const outcomes = head && (yield* readList(Outcome, head.outcomes));
  return head && outcomes && { ...head, outcomes };
}

function* readList<T>(schema: z.ZodType<T>, values: readonly unknown[]): PausableWork<readonly T[] | undefined> {
  const list: T[] = [];
  for (const [index, value] of values.entries()) {
    if (index % BATCH_SIZE === 0) yield;
    const parsed = schema.safeParse(value);
    if (!parsed.success) return undefined;
    list.push(parsed.data);
  }
  return list;
}
