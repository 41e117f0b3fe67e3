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
};

/** @param locale BCP 47, as the host says it */
export const textsFor = (locale: string | undefined): Texts => (locale?.split('-')[0] === 'de' ? de : en);
export const filled = (text: string, value: string | number): string => text.replace('{0}', String(value));
