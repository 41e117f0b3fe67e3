/** Properties that no file sets: file names and the kinds of files say them, or only Studio needs them. */
export const unwrittenProperties: ReadonlySet<string> = new Set(['Name', 'ClassName', 'Parent', 'ScriptGuid']);
