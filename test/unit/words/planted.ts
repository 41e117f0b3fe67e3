/** By the name of each word rule: texts that it finds, one each. */
export const planted: Readonly<Record<string, readonly string[]>> = {
  anew: ['// The file is read anew.', 'const readAnew = 1;'],
  beforehand: ['// Ask beforehand.'],
  thereupon: ['// Thereupon it ends.'],
  whoever: ['// Whoever calls this waits.'],
  'somebody, nobody': [
    "const text = 'Somebody edited the file.';",
    "// The text is nobody's.",
    'const NOBODY_READS = 1;',
  ],
  namesake: ['function namesakesOf() {}', 'const name = { namesakeCount: 1 };'],
  told: ['// The caller is told.', 'const toldAs = 1;', 'const isTold = true;'],
  wish: ['// The mode that was wished.', 'const wishedMode = 1;'],
  'of its own': ['// A process of its own.', '/**\n * Windows of\n * their own.\n */'],
  'by itself': ["const text = 'The view refreshes by itself.';"],
  'of before': ['// The text of before.'],
  stands: ['// What stands in the file.', '// The text stood above.'],
  'lies in': ['// The file lies in a folder.', '// What lies below the root.'],
  'holds up': ['// It holds up the host.', '// Runs are held up.', '// It holds everything up.'],
  counts: ['// A late answer counts for nothing.', '// The answer does not count.', '// The value that counts.'],
  'put right': ['// Doctor puts it right.'],
  'no longer taken': ["const text = 'The argument is no longer taken.';"],
  'makes of': ['// What the reader makes of it.'],
  'goes, went': ['// The message goes out.', '// What went wrong.'],
  'comes back as': ['// The value comes back as text.'],
  'be meant': ["const text = 'Several could be meant.';"],
  'leads nowhere': ['// A link that leads nowhere.'],
  'and the like': ['// Models, scripts and the like.'],
  'is no': ["const text = 'That is no port.';", '// These are no files.'],
  citation: ['// As spec 001 asks.', '// See `reference/studio-plugin.md`.', '// DESIGN.md section 4.'],
};

export const innocent: readonly string[] = [
  '// Counts the lines, and returns the counts. There is no port; it is no longer open, and `untold` is a word.',
  '// A name that stands for a value. The parser takes a stand-in. The total counts of each kind.',
  'const counts = new Map(); const homeFolder = counts.get("home"); interface Turn {}',
  "const wishbone = 'whatever holds the update';",
];
