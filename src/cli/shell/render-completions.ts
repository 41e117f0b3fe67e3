import { type CommandSpec, globalOptions, listedOptions, type OptionSpec } from '../table/command-spec.ts';

export const shells = ['bash', 'zsh', 'fish', 'powershell'] as const;
export type Shell = (typeof shells)[number];

/** A script that completes the commands of the table in a shell. */
export function renderCompletions(shell: Shell, commands: readonly CommandSpec[]): string {
  return renderers[shell](commands);
}

const globals = Object.entries(globalOptions);

/** What an option completes to after its name: fixed values, or files. */
const flagsOf = (entries: readonly (readonly [string, OptionSpec])[]): readonly string[] =>
  entries.flatMap(([name, { short }]) => [`--${name}`, ...(short === undefined ? [] : [`-${short}`])]);

const firstWords = ({ commands = [], arguments: args = [] }: CommandSpec): readonly string[] => [
  ...new Set([...commands.map(([call]) => call.split(' ')[0] ?? ''), ...args.flatMap(({ choices = [] }) => choices)]),
];

const optionsOf = (spec: CommandSpec): readonly (readonly [string, OptionSpec])[] =>
  Object.entries({ ...listedOptions(spec), ...globalOptions });

function bash(commands: readonly CommandSpec[]): string {
  const cases = commands.map(spec => {
    const choices = optionsOf(spec).flatMap(([name, { choices = [] }]) =>
      choices.length === 0
        ? []
        : [`      --${name}) COMPREPLY=($(compgen -W '${choices.join(' ')}' -- "$word")); return ;;`],
    );
    const words = [...firstWords(spec), ...flagsOf(optionsOf(spec))].join(' ');
    return [
      `    ${spec.name})`,
      ...(choices.length === 0 ? [] : ['      case $before in', ...choices.map(line => `  ${line}`), '      esac']),
      `      words='${words}' ;;`,
    ].join('\n');
  });
  return `# Completions of atlas-bridge for bash
_atlas_bridge() {
  local word=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD-1]} words=''
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W '${[...commands.map(({ name }) => name), 'help', ...flagsOf(globals), '--version'].join(' ')}' -- "$word"))
    return
  fi
  case \${COMP_WORDS[1]} in
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
  const cases = commands.map(spec => {
    const options = optionsOf(spec).map(([name, option]) => {
      const value = option.value === undefined ? '' : `:${option.value}:${zshValues(option.choices)}`;
      const text = bracketed(firstLine(option.text));
      const long = quoted(`--${name}${option.value === undefined ? '' : '='}[${text}]${value}`);
      return option.short === undefined ? [long] : [long, quoted(`-${option.short}[${text}]${value}`)];
    });
    const words = firstWords(spec);
    const rest = quoted(`*:argument:${words.length === 0 ? '_files' : `(${words.join(' ')})`}`);
    return `    ${spec.name}) _arguments ${[...options.flat(), rest].join(' ')} ;;`;
  });
  return `#compdef atlas-bridge
# Completions of atlas-bridge for zsh
_atlas_bridge() {
  local -a commands=(
${described.join('\n')}
  )
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  local command=$words[2]
  shift words
  (( CURRENT-- ))
  case $command in
${cases.join('\n')}
  esac
}
if [ "$funcstack[1]" = _atlas_bridge ]; then _atlas_bridge "$@"; else compdef _atlas_bridge atlas-bridge; fi
`;
}

function fish(commands: readonly CommandSpec[]): string {
  const base = 'complete -c atlas-bridge';
  const lines = commands.flatMap(spec => {
    const inCommand = `-n '__fish_seen_subcommand_from ${spec.name}'`;
    return [
      `${base} -n __fish_use_subcommand -f -a ${spec.name} -d ${quoted(spec.summary)}`,
      ...firstWords(spec).map(word => `${base} ${inCommand} -f -a ${word}`),
      ...optionsOf(spec).map(([name, { short, value, choices, text }]) => {
        const values = choices === undefined ? '-r' : `-x -a ${quoted(choices.join(' '))}`;
        const parts = [short === undefined ? '' : `-s ${short}`, `-l ${name}`, value === undefined ? '' : values];
        return [base, inCommand, ...parts.filter(part => part !== ''), `-d ${quoted(firstLine(text))}`].join(' ');
      }),
    ];
  });
  return `# Completions of atlas-bridge for fish\n${lines.join('\n')}\n`;
}

function powershell(commands: readonly CommandSpec[]): string {
  const list = (words: readonly string[]): string => `@(${words.map(word => quoted(word, "''")).join(', ')})`;
  const rows = commands.map(
    spec => `    ${quoted(spec.name, "''")} = ${list([...firstWords(spec), ...flagsOf(optionsOf(spec))])}`,
  );
  const values = commands.flatMap(spec =>
    optionsOf(spec).flatMap(([name, { choices }]) =>
      choices === undefined ? [] : [`    ${quoted(`${spec.name} --${name}`, "''")} = ${list(choices)}`],
    ),
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
  $command = if ($typed.Count -gt 1) { $typed[1] } else { '' }
  $before = $command + ' ' + $typed[-1]
  $found = if ($values.ContainsKey($before)) { $values[$before] } elseif ($commands.ContainsKey($command)) { $commands[$command] } else { $commands.Keys }
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
