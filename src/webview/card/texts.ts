import type { SyncResult, SyncStatus } from '../../protocol/sync.ts';

/** Every text of the card. The host says which language; it is no webview of VS Code, so `vscode.l10n` does not reach it. */
const en = {
  waiting: 'Comparing disk and Studio…',
  nothing: 'Nothing to decide here.',
  title: '{0} to decide',
  disk: 'Disk wins',
  studio: 'Studio wins',
  showBoth: 'Show both sides',
  inStudio: 'In Studio',
  onDisk: 'On disk',
  noValue: 'no value',
  diskUnknown: 'The text is in {0}.',
  addPush: 'Disk wins creates it in Studio; Studio wins deletes its files.',
  removePush: 'Disk wins deletes it from Studio; Studio wins writes its files.',
  apply: 'Apply',
  left: '{0} not decided yet',
  review: 'Decide in the review',
  working: 'Working…',
  moved: 'Studio changed meanwhile: decide again.',
  success: 'Synced: {0} pushed to Studio, {1} written to disk, {2} skipped.',
  partial: 'Only partly synced: {0} pushed to Studio, {1} written to disk, {2} skipped, {3} failed or not known.',
  empty: 'Disk and Studio hold the same.',
  dryrun: 'Changes: {4}, undecided: {5}. Nothing was changed.',
  undecided: 'Undecided: {5} of {4}. Nothing was changed.',
  confirm: 'A person must confirm what agents decide. Nothing was changed.',
  pending: 'The review waits in VS Code.',
  rejected: 'The changes were rejected. Nothing was changed.',
  timeout: 'Nobody decided in time. Nothing was changed.',
  cancelled: 'The sync was cancelled. Nothing was changed.',
};
export type Texts = typeof en;

const de: Texts = {
  waiting: 'Disk und Studio werden verglichen…',
  nothing: 'Hier ist nichts zu entscheiden.',
  title: '{0} zu entscheiden',
  disk: 'Disk gewinnt',
  studio: 'Studio gewinnt',
  showBoth: 'Beide Seiten zeigen',
  inStudio: 'In Studio',
  onDisk: 'Auf Disk',
  noValue: 'kein Wert',
  diskUnknown: 'Der Text steht in {0}.',
  addPush: '„Disk gewinnt“ legt es in Studio an; „Studio gewinnt“ löscht seine Dateien.',
  removePush: '„Disk gewinnt“ löscht es aus Studio; „Studio gewinnt“ schreibt seine Dateien.',
  apply: 'Anwenden',
  left: '{0} noch nicht entschieden',
  review: 'In der Durchsicht entscheiden',
  working: 'In Arbeit…',
  moved: 'Studio hat sich inzwischen geändert: Entscheiden Sie neu.',
  success: 'Abgeglichen: {0} nach Studio übertragen, {1} auf die Disk geschrieben, {2} ausgelassen.',
  partial:
    'Nur zum Teil abgeglichen: {0} nach Studio übertragen, {1} auf die Disk geschrieben, {2} ausgelassen, {3} gescheitert oder nicht bekannt.',
  empty: 'Disk und Studio halten dasselbe.',
  dryrun: 'Änderungen: {4}, unentschieden: {5}. Nichts wurde geändert.',
  undecided: 'Unentschieden: {5} von {4}. Nichts wurde geändert.',
  confirm: 'Eine Person muss bestätigen, was Agenten entscheiden. Nichts wurde geändert.',
  pending: 'Die Durchsicht wartet in VS Code.',
  rejected: 'Die Änderungen wurden verworfen. Nichts wurde geändert.',
  timeout: 'Niemand hat rechtzeitig entschieden. Nichts wurde geändert.',
  cancelled: 'Der Abgleich wurde abgebrochen. Nichts wurde geändert.',
};

/** @param locale BCP 47, as the host says it */
export const textsFor = (locale: string | undefined): Texts => (locale?.split('-')[0] === 'de' ? de : en);
export const filled = (text: string, ...values: readonly (string | number)[]): string =>
  text.replaceAll(/\{(\d)\}/g, (_, at: string) => String(values[Number(at)] ?? ''));

/** What is a sentence of its own here. The others name an error, which only the bridge knows, and it says it in English. */
const sentences: Readonly<Partial<Record<SyncStatus, keyof Texts>>> = {
  success: 'success',
  partial: 'partial',
  empty: 'empty',
  dryrun: 'dryrun',
  review_pending: 'pending',
  rejected: 'rejected',
  review_timeout: 'timeout',
  cancelled: 'cancelled',
};

/** What became of the sync, for the person who reads the card: the summary of the answer is for the agent. */
export function outcomeText(t: Texts, { status, changes, overrides, summary }: SyncResult): string {
  const count = (...outcomes: readonly string[]): number =>
    changes.filter(({ outcome }) => outcome !== undefined && outcomes.includes(outcome)).length;
  const open = changes.filter(({ direction }) => direction === 'unresolved').length;
  const blocked = open === 0 ? 'confirm' : 'undecided';
  const sentence = status === 'fastfail_unresolved' ? blocked : sentences[status];
  // That Studio has changed is said by itself; the summary has the reasons of the other verdicts.
  const isToldWhole = overrides.every(({ verdict }) => verdict === 'accepted' || verdict.endsWith('_mismatch'));
  if (sentence === undefined || !isToldWhole) return summary;
  const figures = [count('applied'), count('written'), count('skipped'), count('failed', 'unknown')];
  return filled(t[sentence], ...figures, changes.length, open);
}
