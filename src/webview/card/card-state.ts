import { signal } from '@preact/signals';
import type { SyncChange, SyncResult } from '../../protocol/sync-result.ts';
import { conflictsOf, type Decisions, overridesOf } from './decide.ts';
import type { Host, ToolAnswer } from './host.ts';
import { texts } from './texts.ts';

/** Both texts of a script; `undefined` for a side without a text, or whose text could not be read. */
interface BothTexts {
  readonly studio: string | undefined;
  readonly disk: string | undefined;
}

export const result = signal<SyncResult | undefined>(undefined);
export const host = signal<Host | undefined>(undefined);
/** By the id of the change. */
export const decisions = signal<Decisions>(new Map());
/** The texts that the user has requested, by the id of the change. */
export const sources = signal<ReadonlyMap<string, BothTexts>>(new Map());
export const busy = signal(false);
/** Why the last sync failed; empty if it did not. */
export const failure = signal('');

/** Shows a new result and discards the decisions about the previous one. */
export function show(next: SyncResult): void {
  result.value = next;
  decisions.value = new Map();
  sources.value = new Map();
}

/** Calls a tool and picks a text from its result; `undefined` if the call failed. */
async function read<T>(name: string, args: object, pick: (content: T) => string): Promise<string | undefined> {
  const answer = await host.value?.callTool(name, args).catch(() => undefined);
  return answer === undefined || answer.isError === true ? undefined : pick(answer.structuredContent as T);
}

/** Reads both texts of a script. Texts of a result that is no longer shown are dropped. */
export async function showBoth({ id, fsPath }: SyncChange): Promise<void> {
  interface Lines {
    readonly result: { readonly lines: readonly { readonly text: string }[] };
  }
  const shown = result.value;
  const [studio, disk] = await Promise.all([
    read<{ readonly source: string }>('get_script', { id }, ({ source }) => source),
    fsPath === null
      ? undefined
      : read<Lines>('open_file', { scope: 'code', path: fsPath }, ({ result: { lines } }) =>
          lines.map(({ text }) => text).join('\n'),
        ),
  ]);
  if (result.value === shown) sources.value = new Map([...sources.value, [id, { studio, disk }]]);
}

/** Starts a sync with the decisions, and shows its result. */
export async function sync(mode: 'fastfail' | 'manual'): Promise<void> {
  const overrides = overridesOf(conflictsOf(result.value), decisions.value);
  busy.value = true;
  failure.value = '';
  try {
    const answer = await host.value?.callTool('atlas_sync', { mode, overrides });
    const next = answer?.structuredContent as SyncResult | undefined;
    if (next?.changes === undefined) throw new Error(failureOf(answer));
    show(next);
    host.value?.updateContext(next.summary);
  } catch (error) {
    failure.value = error instanceof Error ? error.message : String(error);
  } finally {
    busy.value = false;
  }
}

/** The message of a call that failed before there was a result. */
function failureOf(answer: ToolAnswer | undefined): string {
  const content = answer?.structuredContent as
    | { readonly summary?: string; readonly error?: { readonly message?: string } }
    | undefined;
  return content?.summary ?? content?.error?.message ?? texts.noResult;
}
