import { signal } from '@preact/signals';
import type { Direction, SyncChange, SyncResult } from '../../protocol/sync.ts';
import { valueText } from '../../protocol/value-text.ts';
import { conflictsOf, type Decisions, overridesOf } from './decide.ts';
import type { Host } from './host.ts';
import { filled, outcomeText, texts as t } from './texts.ts';

/** Both texts of a script; `undefined` for a side without a text, or whose text could not be read. */
interface BothTexts {
  readonly studio: string | undefined;
  readonly disk: string | undefined;
}

const result = signal<SyncResult | undefined>(undefined);
export const host = signal<Host | undefined>(undefined);
const decisions = signal<Decisions>(new Map());
const sources = signal<ReadonlyMap<string, BothTexts>>(new Map());
const busy = signal(false);
const failure = signal('');

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

async function showBoth({ id, fsPath }: SyncChange): Promise<void> {
  interface Lines {
    readonly result: { readonly lines: readonly { readonly text: string }[] };
  }
  const [studio, disk] = await Promise.all([
    read<{ readonly source: string }>('get_script', { id }, ({ source }) => source),
    fsPath === null
      ? undefined
      : read<Lines>('open_file', { scope: 'code', path: fsPath }, ({ result: { lines } }) =>
          lines.map(({ text }) => text).join('\n'),
        ),
  ]);
  sources.value = new Map([...sources.value, [id, { studio, disk }]]);
}

async function sync(mode: 'fastfail' | 'manual'): Promise<void> {
  const overrides = overridesOf(conflictsOf(result.value), decisions.value);
  busy.value = true;
  failure.value = '';
  try {
    const answer = await host.value?.callTool('atlas_sync', { mode, overrides });
    const next = answer?.structuredContent as SyncResult | undefined;
    if (next?.changes === undefined) throw new Error(next?.summary ?? '');
    show(next);
    host.value?.updateContext(next.summary);
  } catch (error) {
    failure.value = error instanceof Error ? error.message : String(error);
  } finally {
    busy.value = false;
  }
}

export function ConflictCard() {
  if (result.value === undefined) return <p role="status">{t.waiting}</p>;
  const conflicts = conflictsOf(result.value);
  const moved = result.value.overrides.some(({ verdict }) => verdict.endsWith('_mismatch'));
  const left = conflicts.length - decisions.value.size;
  return (
    <main>
      <p role="status">{busy.value ? t.working : outcomeText(result.value)}</p>
      {moved && <p class="warning">{t.moved}</p>}
      {failure.value !== '' && <p class="warning">{failure.value}</p>}
      <h1>{conflicts.length === 0 ? t.nothing : filled(t.title, conflicts.length)}</h1>
      {conflicts.map(change => (
        <Conflict key={change.id} change={change} />
      ))}
      {conflicts.length > 0 && (
        <footer>
          <button class="primary" disabled={busy.value || left > 0} onClick={() => void sync('fastfail')}>
            {t.apply}
          </button>
          <button disabled={busy.value} onClick={() => void sync('manual')}>
            {t.review}
          </button>
          {left > 0 && <span>{filled(t.left, left)}</span>}
        </footer>
      )}
    </main>
  );
}

function Conflict({ change }: { readonly change: SyncChange }) {
  const { id, path, className, patchType, fsPath, studioHash, properties } = change;
  const both = sources.value.get(id);
  const values = Object.entries(properties ?? {}).filter(([name]) => name !== 'Source');
  const choice = (direction: Direction, label: string) => (
    <label>
      <input
        type="radio"
        name={id}
        checked={decisions.value.get(id) === direction}
        disabled={busy.value}
        onChange={() => (decisions.value = new Map([...decisions.value, [id, direction]]))}
      />
      {label}
    </label>
  );
  return (
    <fieldset>
      <legend>
        {path} <small>{className}</small>
      </legend>
      {patchType !== 'Edit' && <p>{patchType === 'Add' ? t.addPush : t.removePush}</p>}
      {values.length > 0 && (
        <table>
          <thead>
            <tr>
              <td />
              <th scope="col">{t.inStudio}</th>
              <th scope="col">{t.onDisk}</th>
            </tr>
          </thead>
          <tbody>
            {values.map(([name, { current, incoming }]) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                <td>{current === undefined ? t.noValue : valueText(current).text}</td>
                <td>{incoming === undefined ? t.noValue : valueText(incoming).text}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {studioHash !== undefined && both === undefined && (
        <button onClick={() => void showBoth(change)}>{t.showBoth}</button>
      )}
      {both !== undefined && (
        <div class="sides">
          <section aria-label={t.inStudio}>
            <h2>{t.inStudio}</h2>
            <pre tabIndex={0}>{both.studio ?? t.studioUnknown}</pre>
          </section>
          <section aria-label={t.onDisk}>
            <h2>{t.onDisk}</h2>
            <pre tabIndex={0}>{fsPath === null ? t.noValue : (both.disk ?? filled(t.diskUnknown, fsPath))}</pre>
          </section>
        </div>
      )}
      <div class="choices">
        {choice('push', t.disk)}
        {choice('pull', t.studio)}
      </div>
    </fieldset>
  );
}
