/** Properties that are never written: file names and file kinds determine them, or only Studio uses them. */
export const unwrittenProperties: ReadonlySet<string> = new Set(['Name', 'ClassName', 'Parent', 'ScriptGuid']);
