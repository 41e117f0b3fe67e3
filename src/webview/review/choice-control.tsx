import type { JSX } from 'preact';
import type { Choice } from '../../protocol/sync-request.ts';
import { Icon } from './icons.tsx';

/** The choices as one radio group. `value`: null = undecided, undefined = the changes of a group differ. */
export function ChoiceControl<C extends Choice>(props: {
  readonly choices: readonly C[];
  readonly name: string;
  readonly label: string;
  readonly value: Choice | null | undefined;
  readonly labels: Readonly<Record<Choice, string>>;
  readonly tooltip: (choice: C) => string;
  /** Only the active line takes part in the tab order. */
  readonly reachable: boolean;
  readonly disabled: boolean;
  readonly onChoose: (choice: C) => void;
}): JSX.Element {
  return (
    <div
      class={`choice ${props.value === null ? 'undecided' : ''}`}
      role="radiogroup"
      aria-label={props.label}
      aria-disabled={props.disabled}
    >
      {props.choices.map(choice => (
        <label key={choice} class={`option ${choice}`} title={props.tooltip(choice)}>
          <input
            type="radio"
            name={props.name}
            value={choice}
            checked={props.value === choice}
            disabled={props.disabled}
            tabIndex={props.reachable ? 0 : -1}
            // Not `change`: the same click can activate the line, which then renders again before that event.
            onClick={() => props.onChoose(choice)}
          />
          <span>
            <Icon name={choice} />
            <span class="label">{props.labels[choice]}</span>
          </span>
        </label>
      ))}
    </div>
  );
}
