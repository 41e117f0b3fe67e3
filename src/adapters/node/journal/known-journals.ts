import { dirname, join } from 'node:path';
import { withFileLock } from '../lock-file.ts';
import { readStateFile, writeStateFile } from '../state-file.ts';
import { makeStateFolder } from '../make-state-folder.ts';

const VERSION = 1;
const MAX_KNOWN = 20;
const fileIn = (state: string): string => join(state, 'journals.json');

/**
 * Records the folder of the journal that an editor keeps for a project, so that the command line can read it.
 *
 * @param state see `stateFolder`
 */
export async function rememberJournal(state: string, journal: string): Promise<void> {
  await makeStateFolder(state);
  await withFileLock(`${fileIn(state)}.lock`, async () => {
    const known = await editorJournals(state);
    if (known[0] === journal) return;
    const all = [journal, ...known.filter(one => one !== journal)].slice(0, MAX_KNOWN);
    await writeStateFile(fileIn(state), VERSION, all);
  });
}

/** The folders of the journals of editors, newest first. */
export async function editorJournals(state: string): Promise<readonly string[]> {
  const read = await readStateFile(fileIn(state), VERSION);
  return Array.isArray(read?.value) ? read.value.filter((one): one is string => typeof one === 'string') : [];
}

/** The folder of the journal of the command line. */
export const commandJournal = (state: string): string => join(state, 'journal');

/**
 * The folder of the last common versions. All programs and windows share it, because an outdated version would make an old text look like
 * the newer side.
 */
export const baseFolder = (state: string): string => join(state, 'base');

/** The folder of the texts of common versions, beside a journal or beside the base of all programs (`baseFolder`). */
export const baseTextsFolder = (journal: string): string => join(dirname(journal), 'base-texts');
