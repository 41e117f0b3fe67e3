/** Creates a file and its folders. Resolves with false if the file exists, also if it appears meanwhile; it stays as it is then. */
export type CreateFile = (name: string, text: string) => Promise<boolean>;

/**
 * Writes the files of a new project, and keeps those that exist. The project file comes last, so that an interrupted command can be repeated
 * and a bridge finds everything that the project names.
 *
 * @param files texts by path with `/`
 * @param projectNames the names of project files
 */
export async function writeNewProject(
  files: readonly (readonly [name: string, text: string])[],
  projectNames: readonly string[],
  create: CreateFile,
): Promise<{ readonly created: readonly string[]; readonly kept: readonly string[] }> {
  const created: string[] = [];
  const kept: string[] = [];
  const isProject = ([name]: readonly [string, string]): boolean => projectNames.includes(name);
  for (const [name, text] of [...files.filter(file => !isProject(file)), ...files.filter(isProject)])
    ((await create(name, text)) ? created : kept).push(name);
  return { created, kept };
}
