/** Edits of the example on disk and in Studio since their last common version, which a review has to decide. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

interface TextEdit {
  /** The file, relative to the project. */
  readonly file: string;
  /** The script, from the DataModel down. */
  readonly script: readonly string[];
  readonly from: string;
  readonly to: string;
}

const configFile = (name: string): Pick<TextEdit, 'file' | 'script'> => ({
  file: `src/shared/Config/${name}.luau`,
  script: ['ReplicatedStorage', 'Shared', 'Config', name],
});

/** Changed only in Studio: the suggestion is to pull it. */
export const studioOnly: TextEdit = { ...configFile('Game'), from: 'respawnSeconds = 1.5', to: 'respawnSeconds = 1' };
/** Changed only on disk: the suggestion is to push it. */
export const diskOnly: TextEdit = { ...configFile('Stages'), from: 'reward = 5', to: 'reward = 6' };
/** The same line changed on both sides: only a person or an agent who has read both can decide. */
export const bothOnDisk: TextEdit = { ...configFile('Shop'), from: 'price = 10', to: 'price = 12' };
export const bothInStudio: TextEdit = { ...configFile('Shop'), from: 'price = 10', to: 'price = 8' };

/** A module that exists only on disk: the suggestion is to push it. */
export const newFile = {
  file: 'src/shared/Util/Shuffle.luau',
  path: 'ReplicatedStorage/Shared/Util/Shuffle',
  text: `--!strict
-- A shuffled copy of a list; \`random\` makes it repeatable.

return function<T>(list: { T }, random: Random): { T }
	local copy = table.clone(list)
	for index = #copy, 2, -1 do
		local other = random:NextInteger(1, index)
		copy[index], copy[other] = copy[other], copy[index]
	end
	return copy
end
`,
};

/** Changes the files. @throws Error if the example does not contain the line of an edit */
export function editOnDisk(folder: string): void {
  for (const edit of [diskOnly, bothOnDisk]) {
    const file = join(folder, edit.file);
    writeFileSync(file, replaced(readFileSync(file, 'utf8'), edit));
  }
  writeFileSync(join(folder, newFile.file), newFile.text);
}

export function replaced(text: string, { file, from, to }: TextEdit): string {
  if (!text.includes(from)) throw new Error(`${file} does not contain "${from}"`);
  return text.replace(from, to);
}

/** Luau that makes the edits in Studio, for the command bar. */
export const editInStudio = [
  'local function edit(script, from, to)',
  '\tlocal first, last = string.find(script.Source, from, 1, true)',
  '\tassert(first and last, from .. " is not in " .. script:GetFullName())',
  '\tscript.Source = string.sub(script.Source, 1, first - 1) .. to .. string.sub(script.Source, last + 1)',
  'end',
  ...[studioOnly, bothInStudio].map(
    ({ script, from, to }) => `edit(game.${script.join('.')}, ${JSON.stringify(from)}, ${JSON.stringify(to)})`,
  ),
].join('\n');

/** Luau that returns the Source of a script of the example. */
export const sourceInStudio = ({ script }: Pick<TextEdit, 'script'>): string =>
  `return game.${script.join('.')}.Source`;
