import type { Direction } from '../../protocol/sync-request.ts';
import type { SyncChange } from '../../protocol/sync-result.ts';
import { valueText } from '../../protocol/value-text.ts';
import { fill } from '../fill.ts';
import { busy, decisions, failure, result, showBoth, sources, sync } from './card-state.ts';
import { conflictsOf } from './decide.ts';
import { outcomeText, texts as t } from './texts.ts';

/** The result of a sync, and the undecided changes with their choices. */
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
      <h1>{conflicts.length === 0 ? t.nothing : fill(t.title, conflicts.length)}</h1>
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
          {left > 0 && <span>{fill(t.left, left)}</span>}
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
            <pre tabIndex={0}>{fsPath === null ? t.noValue : (both.disk ?? fill(t.diskUnknown, fsPath))}</pre>
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
