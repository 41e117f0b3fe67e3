import { type CommandSpec, globalOptions, listedOptions, type OptionSpec } from '../table/command-spec.ts';

export const shells = ['bash', 'zsh', 'fish', 'powershell'] as const;
export type Shell = (typeof shells)[number];

/** A script that completes the commands of the table in a shell. */
export function renderCompletions(shell: Shell, commands: readonly CommandSpec[]): string {
  return renderers[shell](commands);
}

const globals = Object.entries(globalOptions);

/** The spellings of options: `--name`, and `-n` for those with a short one. */
const flagsOf = (entries: readonly (readonly [string, OptionSpec])[]): readonly string[] =>
  entries.flatMap(([name, { short }]) => [`--${name}`, ...(short === undefined ? [] : [`-${short}`])]);

/** The subcommands of a command, and the fixed values of its arguments. */
const firstWords = ({ commands = [], arguments: args = [] }: CommandSpec): readonly string[] => [
  ...new Set([...commands.map(([call]) => call.split(' ')[0] ?? ''), ...args.flatMap(({ choices = [] }) => choices)]),
];

const optionsOf = (spec: CommandSpec): readonly (readonly [string, OptionSpec])[] =>
  Object.entries({ ...listedOptions(spec), ...globalOptions });

/** The words that can follow the name of the program: the commands and the global options. */
const firstOfLine = (commands: readonly CommandSpec[]): readonly string[] => [
  ...commands.map(({ name }) => name),
  'help',
  ...flagsOf(globals),
  '--version',
  '-V',
];

/** The global options that are followed by a value. */
const valued = globals.flatMap(([name, { value }]) => (value === undefined ? [] : [`--${name}`]));

function bash(commands: readonly CommandSpec[]): string {
  const valuesOf = (entries: readonly (readonly [string, OptionSpec])[]): readonly string[] =>
    entries.flatMap(([name, { choices = [] }]) =>
      choices.length === 0
        ? []
        : [`    --${name}) COMPREPLY=($(compgen -W '${choices.join(' ')}' -- "$word")); return ;;`],
    );
  const cases = commands.map(spec => {
    const values = valuesOf(Object.entries(spec.options)).map(line => `    ${line}`);
    const words = [...firstWords(spec), ...flagsOf(optionsOf(spec))].join(' ');
    return [
      `    ${spec.name})`,
      ...(values.length === 0 ? [] : ['      case $before in', ...values, '      esac']),
      `      words='${words}' ;;`,
    ].join('\n');
  });
  return `# Completions of atlas-bridge for bash
_atlas_bridge() {
  local word=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD-1]} words='' command='' i
  # bash makes "=" a word.
  if [ "$word" = = ]; then word=''; elif [ "$before" = = ]; then before=\${COMP_WORDS[COMP_CWORD-2]}; fi
  case $before in
${valuesOf(globals).join('\n')}
  esac
  for ((i = 1; i < COMP_CWORD; i++)); do
    case \${COMP_WORDS[i]} in
      ${valued.join('|')}) if [ "\${COMP_WORDS[i+1]}" = = ]; then ((i += 2)); else ((i += 1)); fi ;;
      -*) ;;
      *) command=\${COMP_WORDS[i]}; break ;;
    esac
  done
  case $command in
    '') words='${firstOfLine(commands).join(' ')}' ;;
    help) words='${commands.map(({ name }) => name).join(' ')}' ;;
${cases.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$word"))
}
complete -o default -F _atlas_bridge atlas-bridge
`;
}

function zsh(commands: readonly CommandSpec[]): string {
  const described = commands.map(({ name, summary }) => `    ${quoted(`${name}:${summary}`)}`);
  const argumentsOf = (entries: readonly (readonly [string, OptionSpec])[]): readonly string[] =>
    entries.flatMap(([name, option]) => {
      const value = option.value === undefined ? '' : `:${option.value}:${zshValues(option.choices)}`;
      const text = bracketed(firstLine(option.text));
      const long = quoted(`--${name}${option.value === undefined ? '' : '='}[${text}]${value}`);
      return option.short === undefined ? [long] : [long, quoted(`-${option.short}[${text}]${value}`)];
    });
  const cases = commands.map(spec => {
    const words = firstWords(spec);
    const rest = quoted(`*:argument:${words.length === 0 ? '_files' : `(${words.join(' ')})`}`);
    return `    ${spec.name}) _arguments ${[...argumentsOf(optionsOf(spec)), rest].join(' ')} ;;`;
  });
  const beforeCommand = [
    ...argumentsOf(globals),
    quoted('--version[Print the version]'),
    quoted('-V[Print the version]'),
  ];
  const values = globals.flatMap(([name, { choices = [] }]) =>
    choices.length === 0 ? [] : [`      --${name}) compadd ${choices.join(' ')} ;;`],
  );
  return `#compdef atlas-bridge
# Completions of atlas-bridge for zsh
_atlas_bridge() {
  local -a commands=(
${described.join('\n')}
    'help:Print help'
  )
  # Options before the command.
  while (( CURRENT > 2 )) && [[ $words[2] = -* ]]; do
    if [[ $words[2] = (${valued.join('|')}) ]]; then
      if (( CURRENT == 3 )); then
        case $words[2] in
${values.map(line => `    ${line}`).join('\n')}
        esac
        return
      fi
      words[2]=()
      (( CURRENT-- ))
    fi
    words[2]=()
    (( CURRENT-- ))
  done
  if (( CURRENT == 2 )); then
    if [[ $PREFIX = -* ]]; then
      _arguments ${beforeCommand.join(' ')}
    else
      _describe command commands
    fi
    return
  fi
  local command=$words[2]
  shift words
  (( CURRENT-- ))
  case $command in
    help) _describe command commands ;;
${cases.join('\n')}
  esac
}
if [ "$funcstack[1]" = _atlas_bridge ]; then _atlas_bridge "$@"; else compdef _atlas_bridge atlas-bridge; fi
`;
}

function fish(commands: readonly CommandSpec[]): string {
  const base = 'complete -c atlas-bridge';
  const inCommand = (name: string): string => `-n '__atlas_bridge_in ${name === '' ? '""' : name}'`;
  const option = (where: string, [name, { short, value, choices, text }]: readonly [string, OptionSpec]): string => {
    const values = choices === undefined ? '-r' : `-x -a ${quoted(choices.join(' '))}`;
    const parts = [short === undefined ? '' : `-s ${short}`, `-l ${name}`, value === undefined ? '' : values];
    return [base, where, ...parts, `-d ${quoted(firstLine(text))}`].filter(part => part !== '').join(' ');
  };
  const lines = commands.flatMap(spec => [
    `${base} ${inCommand('')} -f -a ${spec.name} -d ${quoted(spec.summary)}`,
    `${base} ${inCommand('help')} -f -a ${spec.name} -d ${quoted(spec.summary)}`,
    ...firstWords(spec).map(word => `${base} ${inCommand(spec.name)} -f -a ${word}`),
    ...Object.entries(spec.options).map(entry => option(inCommand(spec.name), entry)),
  ]);
  return `# Completions of atlas-bridge for fish
# Whether the command is the given one; "" before there is any.
function __atlas_bridge_in
  set -l found ""
  set -l skipped 0
  for word in (commandline -opc)[2..]
    if test $skipped = 1
      set skipped 0
      continue
    end
    switch $word
      case ${valued.join(' ')}
        set skipped 1
      case '-*'
      case '*'
        set found $word
        break
    end
  end
  test "$found" = "$argv[1]"
end
${base} ${inCommand('')} -f -a help -d 'Print help'
${base} ${inCommand('')} -s V -l version -d 'Print the version'
${globals.map(entry => option('', entry)).join('\n')}
${lines.join('\n')}
`;
}

function powershell(commands: readonly CommandSpec[]): string {
  const list = (words: readonly string[]): string => `@(${words.map(word => quoted(word, "''")).join(', ')})`;
  const row = (key: string, words: readonly string[]): string => `    ${quoted(key, "''")} = ${list(words)}`;
  const rows = [
    row('', firstOfLine(commands)),
    ...commands.map(spec => row(spec.name, [...firstWords(spec), ...flagsOf(optionsOf(spec))])),
    row(
      'help',
      commands.map(({ name }) => name),
    ),
  ];
  const values = [...commands.map(spec => [spec.name, optionsOf(spec)] as const), ['', globals] as const].flatMap(
    ([command, entries]) =>
      entries.flatMap(([name, { choices }]) => (choices === undefined ? [] : [row(`${command} --${name}`, choices)])),
  );
  return `# Completions of atlas-bridge for PowerShell
Register-ArgumentCompleter -Native -CommandName atlas-bridge -ScriptBlock {
  param($word, $line, $position)
  $commands = @{
${rows.join('\n')}
  }
  $values = @{
${values.join('\n')}
  }
  $typed = @($line.CommandElements | ForEach-Object { $_.ToString() })
  if ($word -ne '') { $typed = @($typed | Select-Object -SkipLast 1) }
  $command = ''
  $skipped = $false
  foreach ($one in @($typed | Select-Object -Skip 1)) {
    if ($skipped) { $skipped = $false } elseif (${list(valued)} -contains $one) { $skipped = $true } elseif ($one -notlike '-*') { $command = $one; break }
  }
  $before = $command + ' ' + $typed[-1]
  $found = if ($values.ContainsKey($before)) { $values[$before] } elseif ($commands.ContainsKey($command)) { $commands[$command] } else { @() }
  $found | Where-Object { $_ -like "$word*" } | Sort-Object | ForEach-Object {
    [System.Management.Automation.CompletionResult]::new($_, $_, 'ParameterValue', $_)
  }
}
`;
}

const renderers: Readonly<Record<Shell, (commands: readonly CommandSpec[]) => string>> = {
  bash,
  zsh,
  fish,
  powershell,
};

const firstLine = (text: string): string => text.split('\n')[0] ?? '';
const bracketed = (text: string): string => text.replaceAll(/[[\]:]/g, String.raw`\$&`);
const zshValues = (choices: readonly string[] | undefined): string =>
  choices === undefined ? '_files' : `(${choices.join(' ')})`;
const quoted = (text: string, quote = String.raw`'\''`): string => `'${text.replaceAll("'", quote)}'`;
