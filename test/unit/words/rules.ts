/** A wording that the project does not use, and what to write instead. */
export interface WordRule {
  readonly name: string;
  readonly instead: string;
  /** Where the pattern applies: English text (comments, strings, documents), or text and identifiers. */
  readonly applies: 'text' | 'textAndNames';
  /** Matches in text whose identifiers are split into words (`toldAs` is read as `told as`). */
  readonly pattern: RegExp;
}

/** One or several words in any of these forms; a space matches a line break too. */
const words = (...forms: readonly string[]): RegExp =>
  new RegExp(`(?<![\\w-])(?:${forms.join('|').replaceAll(' ', String.raw`\s+`)})(?![\\w-])`, 'gi');

const text = (name: string, instead: string, pattern: RegExp): WordRule => ({
  name,
  instead,
  applies: 'text',
  pattern,
});
const everywhere = (name: string, instead: string, pattern: RegExp): WordRule => ({
  name,
  instead,
  applies: 'textAndNames',
  pattern,
});

/** Stems of words that end in -ise in American spelling too. */
const stemsInIs =
  '(?:un|up)?rais|(?:a|sun|up)?ris|(?:com)?promis|\\w*wis|(?:im)?precis|(?:ap)?pris|enterpris|advertis|advis|apprais|bruis|' +
  'chastis|compris|concis|cruis|demis|despis|devis|disguis|excis|exercis|expertis|franchis|improvis|merchandis|nois|pois|' +
  'prais|premis|revis|supervis|surpris|treatis|turquois';

/** Words and phrases that are not idiomatic English in software. */
export const wordRules: readonly WordRule[] = [
  everywhere('anew', 'again', words('anew')),
  everywhere('beforehand', 'first, in advance', words('beforehand')),
  everywhere('thereupon', 'then', words('thereupon')),
  everywhere(
    'archaic',
    'again, this, its, until now, from then on, in which, then',
    words(
      'afresh',
      'here(?:by|with|after|to|tofore)',
      'there(?:of|after|from|to|with|in)',
      'hitherto',
      'henceforth',
      'where(?:in|upon|of|with|to)',
      'aforementioned',
      'suchlike',
    ),
  ),
  everywhere(
    'whoever',
    'name the person or the code',
    words('whoever', 'whomever', 'whosoever', 'whomsoever', 'whoso'),
  ),
  everywhere(
    'somebody, nobody',
    'name the person or the code',
    words("(?:some|any)(?:body|one)(?:'s)?", "nobody(?:'s)?"),
  ),
  text('respectively', 'one sentence for each, or a list', words('respectively')),
  everywhere('lane', 'queue', words('lanes?')),
  everywhere('breathe', 'yield', words('breath(?:e|es|ed|ing)?')),
  everywhere('namesake', 'instance with the same name', words('namesakes?')),
  everywhere('tell, told', 'report, log, show, distinguish, say', words('tell', 'tells', 'telling', 'told')),
  everywhere('wish', 'requested, preferred', words('wish', 'wishes', 'wished', 'wishing')),
  text('of its own', 'its own …, a separate …', words('of (?:its|their|his|her|our|your|my) own')),
  text('by itself', 'automatically, alone', words('by itself', 'by themselves')),
  text('of before', 'earlier, previous', words('of before')),
  text(
    'stands',
    'is',
    words(
      'stands(?! for)',
      'stood(?! for)',
      'standing (?:in|at|on|there|where)',
      '(?:to|that|which|what|and|as it) stand(?! for| in)',
      'stand in (?!for)\\w+',
    ),
  ),
  text(
    'lies in',
    'is in',
    words(
      '(?:lies?|lay|lying) (?:in|on|at|under|beneath|between|beside|below|above|outside|inside|within|where|there)',
    ),
  ),
  text('holds up', 'blocks', words('(?:hold|holds|held|holding) (?:\\w+ )?up')),
  text(
    'counts',
    'takes effect, is used',
    words(
      'counts? (?:for|as|only|again|once|at once|here|too|now)',
      'count(?:ed|ing) as',
      '(?:does|do|did|is|are|will|may|would)(?: not|n.t)? count',
      '(?:that|which|what|it|they|one|this|neither|decision) counts?(?! the| of| from| as well)',
    ),
  ),
  text('put right', 'fix', words('(?:puts?|putting) (?:\\w+ )?right')),
  text('no longer taken', 'no longer supported', words('no longer taken')),
  text(
    'not any more',
    'no longer',
    words('(?:not|\\w+n.t|none|nothing|never) (?:\\w+ ){0,6}any (?:more|longer)(?! \\w+s)'),
  ),
  text('makes of', 'derives from', words('(?:makes?|made|making) of (?:it|them|that|this)')),
  everywhere('goes, went', 'is removed, is sent, runs', words('goes', 'went')),
  text(
    'go',
    'is removed, is sent, is added',
    words(
      '\\w+s go(?! to definition| back| on)',
      '(?:does|do|did|will|must|may|should|would)(?: not|n.t)? go(?! to| back| on)',
      'go (?:through|out|into|as|in|away|unnoticed|together)',
    ),
  ),
  everywhere(
    'gone',
    'was removed, is missing, has ended, has disconnected',
    words(
      '(?:is|are|was|were|be|been|being|has|have|had|why|already|now|it.s|that.s) (?:\\w+ )?gone',
      'gone (?:now|away|from|by|for|in)',
    ),
  ),
  everywhere(
    'British spelling',
    'the American spelling, as in VS Code and Roblox; only "cancelled" keeps two l, as in the statuses and in MCP',
    // `initialised` is a status that clients of the retrieval server read.
    words(
      `(?!initialised|(?:${stemsInIs})(?:e|es|ed|er|ers|ing)(?![a-z]))[a-z]{2,}is(?:e|es|ed|er|ers|ing|ations?)`,
      '(?:dis|re|un|multi)?colour(?:s|ed|ing|ful|less)?',
      '(?:mis)?behaviours?',
      '(?:un)?favour\\w*',
      '(?:dis)?honour\\w*',
      '(?:flav|harb|hum|lab|neighb|rum|vap)our\\w*',
      '(?:re|un)?(?:label|model|travel|signal|level|channel|tunnel|marshal|total|dial|fuel)l(?:ed|ing|er|ers)',
      'cent(?:re|res|red|ring)',
      '(?:milli|centi|kilo)?met(?:re|res)',
      '(?:sub)?licences?',
      '(?:def|off|pret)ences?',
      '(?:cata|ana)logues?',
      'analys(?:e|ed|ing|er)',
      '(?:learn|spel|leap|dream)t',
      'judgements?',
      'fulfils?',
      'artefacts?',
      'whilst',
      'amongst',
      'programmes?',
      'maths',
    ),
  ),
  text(
    'What … of a comment',
    'a noun phrase or a verb phrase, as in "The limits of …" or "Returns …"',
    // Comments begin with the blanks that replace their signs.
    /^\s+What(?= (?!if )\w)/g,
  ),
  text('comes back as', 'becomes, is read as', words('(?:comes?|came|coming) back as')),
  text('be meant', 'name what is selected', words('(?:be|is|are|was|were) meant(?! to)')),
  text('leads nowhere', 'has no target', words('(?:leads?|led|leading) nowhere')),
  text(
    'and the like',
    'and so on, or the full list',
    words('(?:and|or) the likes?', 'and such(?= |[.,;)]|$)(?! as| an?)'),
  ),
  text(
    'is no',
    'is not a',
    words(
      '(?<!there (?:\\w+ )?)(?:is|are|was|were|be|been|being) no (?!longer|more|less|fewer|earlier|later|older|newer|larger|smaller|use|way|need|different|good|doubt|problem|matter)[a-z]+',
    ),
  ),
  text(
    'citation',
    'the rule itself: readers cannot open documents outside the repository',
    words(
      'specs? 00\\d',
      'reference/[a-z-]+\\.md',
      'DESIGN\\.md',
      'entry \\d+ of',
      'of the register',
      'register of defects',
    ),
  ),
];

/** Identifiers that were replaced: the name, and what it is called now. */
export const retiredNames: Readonly<Record<string, string>> = {
  wouldBe: 'candidateFolder',
  Soon: 'IdleScheduler',
  Turns: 'IdleScheduler',
  soon: 'schedule',
  nextTurn: 'schedule',
  breathe: 'yieldToEventLoop',
  isUnspeakable: 'isUnprintable',
  ValuesHome: 'a SourceLocation',
  Refusal: 'CannotWriteError',
  Explained: 'DefaultExplanation',
  Restored: 'RestorePlan',
  Seen: 'DiskEntry',
  givesWay: 'isPreemptible',
  isDriving: 'isActiveClient',
  sameToOthers: 'isObservablyEqual',
  toldAs: 'displayName',
  letAnotherGoOn: 'wakeNext',
  Lane: 'SerialQueue',
  Lanes: 'SerialQueue',
  mapAtOnce: 'mapConcurrent',
  Asked: 'RpcMethods',
  foldName: 'normalizeForCollision',
  Kept: 'Serialized…',
  KeptOut: 'ExcludedByRule',
  Decidable: 'ReviewItem',
  Decided: 'Decision',
  Unmade: 'CommandRefused',
  Stopped: 'StopReason',
  whyNotBare: 'missingPrecondition',
  isBare: 'missingPrecondition',
  lookAgain: 'refresh',
  lookOnce: 'verifyOnce',
  lookAfterCrash: 'recoverInterruptedRuns',
  speakOldDialect: 'adaptLegacyProtocol',
  wishedPort: 'preferredPort',
  keptPort: 'lastPort',
  FEW: 'MIN_… or MAX_…',
  ENOUGH: 'MIN_… or MAX_…',
  ThingMoved: 'ChangedPart',
  SeenStates: 'ShownStates',
  FramePlace: 'FramePosition',
  KeptBlobs: 'RetainedBlobs',
  Located: 'UseInFile',
  takeOf: 'takeByChoice',
  seenFile: 'describeFile',
};

/** Prefixes and suffixes of names that were replaced. */
export const retiredAffixes: readonly { readonly pattern: RegExp; readonly instead: string }[] = [
  { pattern: /^MOST(?:_|$)/, instead: 'MAX_…' },
  { pattern: /^LEAST(?:_|$)/, instead: 'MIN_…' },
  { pattern: /^(?:FEW|ENOUGH)_/, instead: 'MIN_… or MAX_…' },
  { pattern: /(?:^|_)AT_ONCE$/, instead: '…_CONCURRENCY or …_BATCH_SIZE' },
  { pattern: /(?:^i|I)nWords$/, instead: 'format… or …Sentence' },
];

/** Settings that were renamed; the code that reads the old name for one more version is in the allow-list. */
export const retiredSettings: Readonly<Record<string, string>> = {
  'atlas.budgetScale': 'atlas.timeoutMultiplier',
  'atlas.changes.autoRefresh': 'atlas.changes.autoCompare',
  'atlas.docs.environment': 'atlas.docs.roots',
};

/** File names, without folder and extension, that were replaced. */
export const retiredFiles: Readonly<Record<string, string>> = {
  homes: 'source-location',
  'late-siblings': 'out-of-order-hits',
  'first-meeting': 'await-first-connection',
  'review-fate': 'review-outcome',
  'side-words': 'side-labels',
  'asked-thread': 'worker-rpc',
  lane: 'serial-queue',
};
